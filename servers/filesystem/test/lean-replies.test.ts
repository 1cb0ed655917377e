// --lean: a text is sent once, the facts beside it stay, and the list of tools has no output schemas.
import { connectTo, tempFolder } from "@oarlock/testing";
import type { Json } from "@oarlock/server-kit/protocol";
import { afterAll, beforeAll, expect, test } from "vitest";
import { text } from "./support/served-folder.ts";
import { targetOf } from "./support/target.ts";

const folder = tempFolder({ f: "the body of a file\n", sub: { g: "2" }, "i.png": Buffer.from("89504e470d0a1a0a", "hex") });
let plain: Awaited<ReturnType<typeof connectTo>>;
let lean: Awaited<ReturnType<typeof connectTo>>;

beforeAll(async () => {
  [plain, lean] = (await Promise.all(
    [false, true].map(async (on) => connectTo(await targetOf({ directories: [folder.path], lean: on, allowDelete: true }))),
  )) as [typeof plain, typeof lean];
});

afterAll(async () => {
  await plain[Symbol.asyncDispose]();
  await lean[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

const path = folder.path;
const CALLS: readonly [name: string, args: Json, facts: readonly string[]][] = [
  ["read_text_file", { path: folder.at("f") }, ["etag", "encoding", "size", "truncated"]],
  ["read_multiple_files", { paths: [folder.at("f")] }, ["files", "truncated"]],
  ["read_media_file", { path: folder.at("i.png") }, ["mimeType", "size"]],
  ["write_file", { path: folder.at("w"), content: "x\n", mode: "append" }, ["etag", "created", "bytesWritten"]],
  ["edit_file", { path: folder.at("f"), edits: [{ oldText: "body", newText: "soul" }], dryRun: true }, ["etag", "applied", "replacements"]],
  ["list_directory", { path }, ["truncated"]],
  ["list_directory_with_sizes", { path }, ["totals", "truncated"]],
  ["directory_tree", { path }, ["entries", "omitted", "truncated"]],
  ["search_files", { path, pattern: "*", limit: 1 }, ["nextCursor", "truncated"]],
  ["search_file_contents", { path, pattern: "body" }, ["filesSearched", "filesMatched", "truncated"]],
  ["search_file_contents", { path, pattern: "body", multiline: true }, ["filesSearched", "filesMatched", "truncated"]],
  ["search_file_contents", { path, pattern: "body", outputMode: "files" }, ["filesSearched", "filesMatched", "truncated"]],
  ["search_file_contents", { path, pattern: "body", outputMode: "count" }, ["filesSearched", "filesMatched", "truncated"]],
  ["get_file_info", { path: folder.at("f") }, ["etag", "size", "mimeType"]],
  ["list_allowed_directories", {}, []],
  ["delete_file", { path: folder.at("sub"), recursive: true, dryRun: true }, ["entries", "bytes"]],
];

test.each(CALLS)("sends the text of %s once", async (name, args, facts) => {
  const [one, other] = [await plain.client.call(name, args), await lean.client.call(name, args)];
  if (name !== "search_files") expect(text(other)).toBe(text(one));
  const structured = other.structuredContent as Json;
  expect(Object.keys(structured)).toEqual(expect.arrayContaining([...facts]));
  expect(structured).not.toHaveProperty("content");
  expect(Object.values(structured).filter(Array.isArray)).toHaveLength(name === "read_multiple_files" ? 1 : 0);
  expect(JSON.stringify(other).length).toBeLessThan(JSON.stringify(one).length);
});

test("sends the same error", async () => {
  expect(await lean.client.call("read_text_file", { path: folder.at("none") })).toEqual(
    await plain.client.call("read_text_file", { path: folder.at("none") }),
  );
});

test("lists no output schemas", async () => {
  const [all, few] = [await Array.fromAsync(plain.client.tools()), await Array.fromAsync(lean.client.tools())];
  expect(few.map(({ name, inputSchema, description, annotations }) => ({ name, inputSchema, description, annotations }))).toEqual(
    all.map(({ name, inputSchema, description, annotations }) => ({ name, inputSchema, description, annotations })),
  );
  expect(few.filter(({ outputSchema }) => outputSchema !== undefined)).toEqual([]);
});
