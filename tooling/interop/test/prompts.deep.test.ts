// Official clients list, fill in and complete prompts. https://modelcontextprotocol.io/specification/2025-11-25/server/prompts
import { pathToFileURL } from "node:url";
import { expect } from "vitest";
import { everyClient } from "./support/every-client.ts";

everyClient("PROMPT-02 the prompts and their arguments are listed", async ({ revision, connect }) => {
  const client = await connect();
  const prompts = await client.prompts();
  expect(prompts.map(({ name, title }) => [name, title])).toEqual(
    revision >= "2025-06-18"
      ? [
          ["explore_directory", "Explore a directory"],
          ["find_and_replace", "Find and replace"],
        ]
      : [
          ["explore_directory", undefined],
          ["find_and_replace", undefined],
        ],
  );
  expect(prompts[0]?.arguments).toEqual([expect.objectContaining({ name: "path", required: true })]);
  expect(prompts[1]?.arguments).toMatchObject([{ name: "path" }, { name: "find" }, { name: "replace" }]);
});

everyClient("PROMPT-03 PROMPT-12 a prompt comes filled in, with the tree of the directory inside", async ({ folder, connect }) => {
  folder.write({ src: { "main.ts": "" } });
  const client = await connect();
  const messages = await client.prompt("explore_directory", { path: folder.path });
  expect(messages).toEqual([
    { role: "user", content: { type: "text", text: expect.stringContaining(`Explore the directory ${folder.path}.`) } },
    {
      role: "user",
      content: {
        type: "resource",
        resource: { uri: pathToFileURL(folder.path).href, mimeType: "application/json", text: expect.stringContaining('"main.ts"') },
      },
    },
  ]);
  const [step] = await client.prompt("find_and_replace", { path: folder.path, find: "old", replace: "new" });
  expect(step).toMatchObject({ role: "user", content: { type: "text", text: expect.stringContaining('Replace "old" with "new"') } });
});

everyClient("PROMPT-04 PROMPT-05 unknown prompts and missing arguments are refused", async ({ folder, connect }) => {
  const client = await connect();
  await expect(client.prompt("no_such_prompt", {})).rejects.toMatchObject({ code: -32602 });
  await expect(client.prompt("explore_directory", {})).rejects.toMatchObject({ code: -32602, message: expect.stringContaining("path") });
  await expect(client.prompt("explore_directory", { path: "/etc" })).rejects.toThrow("Access denied");
  expect(folder.tree()).toEqual({});
});

everyClient("COMP-04 COMP-07 a prompt's argument is completed, within the directories only", async ({ folder, connect }) => {
  folder.write({ "north/a.txt": "", "nook/b.txt": "", "south/c.txt": "" });
  const client = await connect();
  const complete = (value: string) => client.complete({ type: "ref/prompt", name: "explore_directory" }, { name: "path", value });
  expect(await complete(folder.at("no"))).toEqual([`${folder.at("nook")}/`, `${folder.at("north")}/`]);
  expect(await complete("")).toEqual([`${folder.path}/`]);
  expect(await complete("/etc/")).toEqual([]);
});
