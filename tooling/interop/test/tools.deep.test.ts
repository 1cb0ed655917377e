// Official clients list and call every tool. Both generations check structured results against the schemas that were
// listed, and throw when one does not fit. https://modelcontextprotocol.io/specification/2025-11-25/server/tools
import { existsSync } from "node:fs";
import { tempFolder } from "@oarlock/testing";
import { expect } from "vitest";
import { everyClient } from "./support/every-client.ts";
import { PIXEL, SILENCE } from "./support/media.ts";
import { textOf } from "./support/official-client.ts";

const NAMES = [
  "read_text_file",
  "read_file",
  "read_multiple_files",
  "read_media_file",
  "write_file",
  "edit_file",
  "create_directory",
  "list_directory",
  "list_directory_with_sizes",
  "directory_tree",
  "move_file",
  "copy_file",
  "delete_file",
  "undo_change",
  "search_files",
  "search_file_contents",
  "get_file_info",
  "list_allowed_directories",
];

everyClient("TOOL-02 TOOL-42 TOOL-43 the list of tools, in the words of the revision", async ({ revision, connect }) => {
  await using state = tempFolder();
  const client = await connect({ stateHome: state.path });
  const tools = await client.tools();
  expect(tools.map(({ name }) => name)).toEqual(NAMES);
  const words = (member: string) => tools.filter((tool) => member in tool).length;
  expect([words("inputSchema"), words("description")]).toEqual([18, 18]);
  expect(words("annotations")).toBe(revision >= "2025-03-26" ? 18 : 0);
  expect([words("title"), words("outputSchema")]).toEqual(revision >= "2025-06-18" ? [18, 18] : [0, 0]);
});

everyClient("TOOL-15 TOOL-21 TOOL-22 every tool works, and its structured result passes the check of the client", async (guest) => {
  const { revision, folder, connect } = guest;
  folder.write({ "a.txt": "one\ntwo\n", "b.txt": "bee\n", "dot.png": PIXEL });
  await using state = tempFolder();
  const client = await connect({ serve: [folder.path, "--allow-delete"], stateHome: state.path });
  await client.tools(); // from here on the client checks
  const did = new Set<string>();
  const call = async (name: string, args: Record<string, unknown>) => {
    did.add(name);
    const { content, structuredContent, isError } = await client.call(name, args);
    if (isError === true) throw new Error(textOf(content));
    expect(structuredContent !== undefined).toBe(revision >= "2025-06-18");
    return { text: textOf(content), content, structured: structuredContent };
  };
  const inside = (name: string) => folder.at(name);
  expect((await call("list_allowed_directories", {})).text).toBe(`Allowed directories:\n${folder.path}`);
  expect((await call("list_directory", { path: folder.path })).text).toBe("[FILE] a.txt\n[FILE] b.txt\n[FILE] dot.png");
  expect((await call("list_directory_with_sizes", { path: folder.path })).text).toContain("Total: 3 files, 0 directories");
  expect((await call("read_text_file", { path: inside("a.txt"), head: 1 })).text).toMatch(/^one/);
  expect((await call("read_file", { path: inside("b.txt") })).content[0]).toMatchObject({ text: "bee\n" });
  expect((await call("read_multiple_files", { paths: [inside("a.txt"), inside("b.txt")] })).text).toContain("bee");
  expect((await call("read_media_file", { path: inside("dot.png") })).content).toEqual([
    { type: "image", data: PIXEL.toString("base64"), mimeType: "image/png" },
  ]);
  expect((await call("create_directory", { path: inside("new/deep") })).text).toBe(`Successfully created directory ${inside("new/deep")}`);
  await call("write_file", { path: inside("new/c.txt"), content: "sea\n" });
  expect((await call("edit_file", { path: inside("new/c.txt"), edits: [{ oldText: "sea", newText: "see" }] })).text).toContain("+see");
  await call("move_file", { source: inside("new/c.txt"), destination: inside("new/deep/c.txt") });
  expect((await call("search_files", { path: folder.path, pattern: "**/c.txt" })).text).toBe(inside("new/deep/c.txt"));
  expect(JSON.parse((await call("directory_tree", { path: inside("new") })).text)).toEqual([
    { name: "deep", type: "directory", children: [{ name: "c.txt", type: "file" }] },
  ]);
  expect((await call("get_file_info", { path: inside("new/deep/c.txt") })).text).toContain("size: 4");
  expect((await call("search_file_contents", { path: folder.path, pattern: "see" })).text).toContain("c.txt:1: see");
  await call("copy_file", { source: inside("new/deep/c.txt"), destination: inside("new/d.txt") });
  await call("delete_file", { path: inside("new/d.txt") });
  expect(existsSync(inside("new/d.txt"))).toBe(false);
  await call("undo_change", { list: true });
  expect([...did].toSorted()).toEqual(NAMES.toSorted());
  expect(folder.read("new/deep/c.txt")).toBe("see\n");
});

everyClient(
  "TOOL-17 TOOL-18 audio arrives as audio where the revision has it, else as an embedded resource",
  async ({ revision, folder, connect }) => {
    folder.write({ "hush.wav": SILENCE });
    const client = await connect();
    const data = SILENCE.toString("base64");
    const { content } = await client.call("read_media_file", { path: "hush.wav" });
    if (revision >= "2025-03-26") expect(content).toEqual([{ type: "audio", data, mimeType: "audio/wav" }]);
    else expect(content).toEqual([{ type: "resource", resource: { uri: expect.any(String), mimeType: "audio/wav", blob: data } }]);
  },
);

everyClient(
  "TOOL-09 TOOL-10 TOOL-11 TOOL-12 failures of the tool are results, failures of the request are errors",
  async ({ facts, connect }) => {
    const client = await connect();
    expect(await client.call("read_text_file", { path: "nowhere.txt" })).toMatchObject({
      content: [{ type: "text", text: "No such file or directory: nowhere.txt" }],
      isError: true,
    });
    expect(await client.call("read_text_file", { path: "/etc/hostname" })).toMatchObject({
      content: [{ type: "text", text: "Access denied - path outside allowed directories: /etc/hostname" }],
      isError: true,
    });
    await expect(client.call("no_such_tool")).rejects.toMatchObject({ code: -32602, message: expect.stringContaining("no_such_tool") });
    const wrong = client.call("read_text_file", { path: 5 });
    if (facts.argumentErrors === "result") expect(await wrong).toMatchObject({ isError: true });
    else await expect(wrong).rejects.toMatchObject({ code: -32602, message: expect.stringContaining("path") });
  },
);

everyClient("PAGE-04 refuses an unknown cursor on every list", async ({ connect }) => {
  const client = await connect();
  for (const list of [client.tools, client.resources, client.templates, client.prompts]) {
    await expect(list("garbage")).rejects.toMatchObject({ code: -32602, message: expect.stringContaining("Invalid cursor") });
  }
});

everyClient("pages a long directory by the cursor in the data, or in the text without data", async ({ folder, connect }) => {
  folder.write(Object.fromEntries(Array.from({ length: 25 }, (_, at) => [`file-${String(at).padStart(2, "0")}`, ""])));
  const client = await connect();
  await client.tools();
  const pages: string[][] = [];
  let cursor: string | undefined;
  do {
    const { content, structuredContent } = await client.call("list_directory", {
      path: folder.path,
      limit: 10,
      ...(cursor && { cursor }),
    });
    const text = textOf(content);
    pages.push([...text.matchAll(/^\[FILE\] (.+)$/gm)].map(([, name = ""]) => name));
    const data = structuredContent as { nextCursor?: string } | undefined; // the client has checked it against the schema
    cursor = data === undefined ? /pass the cursor (\S+) to go on/.exec(text)?.[1] : data.nextCursor;
  } while (cursor !== undefined);
  expect(pages.map(({ length }) => length)).toEqual([10, 10, 5]);
  expect(pages.flat()).toEqual(Object.keys(folder.tree()));
});

everyClient("--read-only removes every tool that changes files", async ({ folder, connect }) => {
  const client = await connect({ serve: [folder.path, "--read-only"] });
  const changing = ["write_file", "edit_file", "create_directory", "move_file", "copy_file", "delete_file", "undo_change"];
  expect((await client.tools()).map(({ name }) => name)).toEqual(NAMES.filter((name) => !changing.includes(name)));
  for (const name of changing) await expect(client.call(name, { path: "x" })).rejects.toMatchObject({ code: -32602 });
  expect(folder.tree()).toEqual({});
});
