// Complaints about looking and reading, each answered by a test. The manual lists them.
import { connectTo, linkTo, needs, tempFolder, type Tree } from "@oarlock/testing";
import type { Json, Root } from "@oarlock/server-kit/protocol";
import { expect, test } from "vitest";
import { openHandles } from "../support/open-handles.ts";
import { text } from "../support/served-folder.ts";
import { targetOf } from "../support/target.ts";

/** One server on a folder, and calls to it. */
async function on(tree: Tree, more: { roots?: Root[]; served?: string } = {}) {
  const folder = tempFolder(tree);
  const directories = [folder.at(more.served ?? ".")];
  const wired = await connectTo(await targetOf({ directories }), more.roots === undefined ? {} : { roots: more.roots });
  return {
    folder,
    client: wired.client,
    says: async (name: string, args: Json) => text(await wired.client.call(name, args)),
    async [Symbol.asyncDispose]() {
      await wired[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

const DENIED = /^Access denied - path outside allowed directories/;

test("servers#3929 servers#3602 anthropics/claude-code#42643 anthropics/claude-code#43783 keeps the operator's directories when roots lie elsewhere", async () => {
  await using outer = tempFolder({ project: { f: "client" } });
  await using here = await on({ vault: { f: "operator", sub: { g: "" } } }, { roots: [{ uri: `file://${outer.path}` }] });
  expect(await here.says("read_text_file", { path: outer.at("project/f") })).toMatch(DENIED);
  expect(await here.says("list_allowed_directories", {})).toContain("--roots ignore");
  await using without = await on({ vault: { f: "operator" } });
  expect(await without.says("read_text_file", { path: without.folder.at("vault/f") })).toBe("operator");
});

test("servers#3133 serves no more when a root contains the operator's directory", async () => {
  await using here = await on({ in: { f: "inside" }, out: { f: "outside" } }, { served: "in", roots: [{ uri: "file:///" }] });
  expect(await here.says("read_text_file", { path: here.folder.at("in/f") })).toBe("inside");
  expect(await here.says("read_text_file", { path: here.folder.at("out/f") })).toMatch(DENIED);
});

test("servers#896 servers#735 servers#1067 servers#3419 describes the search for names as not for text, and offers one for text", async () => {
  await using here = await on({ "a.txt": "needle in here\n" });
  const tools = await Array.fromAsync(here.client.tools());
  const description = (name: string) => tools.find((tool) => tool.name === name)?.description;
  expect(description("search_files")).toMatch(/names, not into files/);
  expect(description("search_file_contents")).toMatch(/inside files/);
  expect(await here.says("search_file_contents", { path: here.folder.path, pattern: "needle" })).toContain("needle in here");
});

test("servers#335 returns a match with the lines around it, and a snippet of a large file by its lines", async () => {
  const lines = Array.from({ length: 50_000 }, (_, at) => `line ${at + 1}`);
  lines[33_332] = "line 33333 needle";
  await using here = await on({ big: `${lines.join("\n")}\n` });
  const { structuredContent } = await here.client.call("search_file_contents", {
    path: here.folder.path,
    pattern: "needle",
    contextLines: 1,
  });
  expect(structuredContent).toMatchObject({ matches: [{ line: 33_333, before: ["line 33332"], after: ["line 33334"] }] });
  expect(await here.says("read_text_file", { path: here.folder.at("big"), offset: 33_332, limit: 2 })).toMatch(
    /^line 33332\nline 33333 needle/,
  );
});

test("servers#1077 janhq/jan#7317 cuts a large tree at a bound and names the cut", async () => {
  const many = Object.fromEntries(Array.from({ length: 5200 }, (_, at) => [`f${at}`, ""]));
  await using here = await on({ many, node_modules: { x: "" }, ".gitignore": "node_modules\n" });
  const { structuredContent } = await here.client.call("directory_tree", { path: here.folder.path });
  expect(structuredContent).toMatchObject({ entries: expect.any(Number), truncated: true });
  expect(Buffer.byteLength((structuredContent as { content: string }).content)).toBeLessThanOrEqual(64_000);
  const { structuredContent: wide } = await here.client.call("directory_tree", { path: here.folder.path, maxEntries: 5000 });
  expect(wide).toMatchObject({ entries: 5000, truncated: true });
  const { structuredContent: shallow } = await here.client.call("directory_tree", {
    path: here.folder.path,
    maxDepth: 1,
    respectGitignore: true,
  });
  expect(shallow).toMatchObject({ entries: 2, truncated: true, omitted: { directories: 1 } });
});

test("servers#2102 servers#4461 rust-mcp-filesystem#35 reads a range of lines and continues after it", async () => {
  await using here = await on({ f: "one\ntwo\nthree\nfour\n" });
  const { structuredContent } = await here.client.call("read_text_file", {
    path: here.folder.at("f"),
    offset: 2,
    limit: 2,
    lineNumbers: true,
  });
  expect(structuredContent).toMatchObject({ content: "     2\ttwo\n     3\tthree", startLine: 2, endLine: 3, nextOffset: 4 });
});

test.each([1023, 1024, 4095, 65_535, 262_143])(
  "servers#4666 returns a multibyte character across byte %i whole from head and tail",
  async (at) => {
    const full = Math.floor((at - 1) / 100);
    const lines = `${`${"x".repeat(99)}\n`.repeat(full)}${"x".repeat((at - 1) % 100)}€😀\n`;
    await using here = await on({ f: lines + lines });
    for (const part of [{ head: full + 1 }, { tail: full + 1 }])
      expect((await here.says("read_text_file", { path: here.folder.at("f"), ...part })).trimEnd()).toBe(lines.trimEnd());
  },
);

test("servers#2534 servers#297 serves files as resources in the list, by the template and by reading", async () => {
  await using here = await on({ f: "text" });
  const uri = `file://${here.folder.path}`;
  expect((await Array.fromAsync(here.client.resources())).map((resource) => resource.uri)).toEqual([uri]);
  expect((await Array.fromAsync(here.client.templates())).map(({ uriTemplate }) => uriTemplate)).toEqual(["file:///{+path}"]);
  expect(await here.client.read(`${uri}/f`)).toMatchObject({ contents: [{ text: "text" }] });
});

test("modelcontextprotocol/typescript-sdk#2721 servers#4772 declares every schema as an object without a tag or a reference", async () => {
  await using here = await on({});
  for (const { name, inputSchema, outputSchema } of await Array.fromAsync(here.client.tools())) {
    for (const schema of [inputSchema, outputSchema]) {
      expect(schema, name).toMatchObject({ type: "object" });
      expect(JSON.stringify(schema), name).not.toMatch(/"\$(?:schema|ref|defs)"|"(?:any|one|all)Of"|"type":\[/);
    }
  }
});

test("DesktopCommanderMCP#631 leaves no handle open after a successful or failed read", needs("Linux"), async () => {
  await using here = await on({ f: "x\n".repeat(100_000), d: {}, l: linkTo("none"), "b.bin": Buffer.from([0, 255, 0]) });
  const at = (name: string) => here.folder.at(name);
  const calls: [string, Json][] = [
    ["read_text_file", { path: at("f") }],
    ["read_text_file", { path: at("f"), tail: 3 }],
    ["read_text_file", { path: at("d") }],
    ["read_text_file", { path: at("l") }],
    ["read_text_file", { path: at("b.bin") }],
    ["read_media_file", { path: at("b.bin") }],
    ["read_multiple_files", { paths: [at("f"), at("none")] }],
    ["get_file_info", { path: at("f") }],
    ["list_directory", { path: at("f") }],
    ["search_files", { path: at("."), pattern: "[", sortBy: "time" }],
  ];
  for (const [name, args] of calls) await here.says(name, args);
  const before = openHandles(here.folder.path);
  for (let round = 0; round < 5; round++) for (const [name, args] of calls) await here.says(name, args);
  expect(openHandles(here.folder.path)).toEqual(before);
});
