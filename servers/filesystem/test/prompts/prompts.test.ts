// Prompts in every revision, with completion of their arguments.
import { expect } from "vitest";
import { everyRevisionOn } from "../support/served-folder.ts";

everyRevisionOn("PROMPT-02 lists two prompts with described arguments", {}, async ({ client, structured }) => {
  const prompts = await Array.fromAsync(client.prompts());
  expect(prompts.map(({ name }) => name)).toEqual(["explore_directory", "find_and_replace"]);
  for (const prompt of prompts) {
    expect(prompt.title !== undefined && prompt.title !== prompt.name).toBe(structured);
    for (const argument of prompt.arguments ?? [])
      expect(argument).toMatchObject({ description: expect.stringMatching(/^.{3,}$/), required: true });
  }
});

everyRevisionOn("PROMPT-03 PROMPT-12 embeds the tree in explore_directory", { d: { a: "", sub: { b: "" } } }, async ({ client, at }) => {
  const { messages } = await client.prompt("explore_directory", { path: at("d") });
  const tree = [
    { name: "a", type: "file" },
    { name: "sub", type: "directory", children: [{ name: "b", type: "file" }] },
  ];
  expect(messages).toEqual([
    { role: "user", content: { type: "text", text: expect.stringContaining(at("d")) } },
    {
      role: "user",
      content: {
        type: "resource",
        resource: { uri: `file://${at("d")}`, mimeType: "application/json", text: JSON.stringify(tree, null, 2) },
      },
    },
  ]);
});

everyRevisionOn("asks for a preview first in find_and_replace", { "f.txt": "" }, async ({ client, at }) => {
  const { messages } = await client.prompt("find_and_replace", { path: at("f.txt"), find: 'a "b"', replace: "c\nd" });
  expect(messages).toHaveLength(1);
  const { text } = messages[0]!.content as { text: string };
  expect(text.split("\n")[0]).toBe(`Replace "a \\"b\\"" with "c\\nd" in ${at("f.txt")}.`);
  expect(text).toContain("dryRun: true");
});

everyRevisionOn(
  "PROMPT-04 PROMPT-05 PROMPT-07 refuses unknown prompts, missing arguments and paths outside",
  {},
  async ({ client, folder, at }) => {
    const refused = async (name: string, args: Record<string, string>, message: RegExp): Promise<void> =>
      expect(client.prompt(name, args), name).rejects.toMatchObject({ code: -32602, message: expect.stringMatching(message) });
    await refused("nope", {}, /nope/);
    await refused("explore_directory", {}, /path/);
    await refused("find_and_replace", { path: folder, find: "x" }, /replace/);
    await refused("explore_directory", { path: "/etc" }, /^Access denied - path outside allowed directories: \/etc$/);
    await refused("find_and_replace", { path: "/etc/passwd", find: "x", replace: "y" }, /^Access denied/);
    await refused("explore_directory", { path: at("none") }, /^No such file or directory/);
  },
);

everyRevisionOn("COMP-04 COMP-05 completes the paths of both prompts", { alpha: "", alps: {} }, async ({ client, at }) => {
  for (const name of ["explore_directory", "find_and_replace"]) {
    const complete = async (argument: string, value: string): Promise<string[]> =>
      (await client.complete({ type: "ref/prompt", name }, { name: argument, value })).values;
    expect(await complete("path", at("al"))).toEqual([at("alpha"), at("alps/")]);
    expect(await complete("path", "/etc/")).toEqual([]);
    await expect(complete("nope", "")).rejects.toMatchObject({ code: -32602 });
  }
  await expect(client.complete({ type: "ref/prompt", name: "nope" }, { name: "path", value: "" })).rejects.toMatchObject({ code: -32602 });
});
