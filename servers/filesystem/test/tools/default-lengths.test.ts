// The default length of lists: a host cuts a long reply, and with its end the cursor. A limit asks for more.
import { mkdirSync, writeFileSync } from "node:fs";
import { connectTo, tempFolder, type TempFolder, type TestConnection } from "@oarlock/testing";
import type { Json } from "@oarlock/server-kit/protocol";
import { afterAll, beforeAll, expect, test } from "vitest";
import { text } from "../support/served-folder.ts";
import { targetOf } from "../support/target.ts";

let folder: TempFolder;
let wired: TestConnection;

beforeAll(async () => {
  folder = tempFolder({});
  mkdirSync(folder.at("d"));
  for (let at = 0; at < 800; at += 1) writeFileSync(folder.at("d", `${at}-${"name".repeat(40)}.txt`), `needle ${"x".repeat(100)}\n`);
  wired = await connectTo(await targetOf({ directories: [folder.path] }));
});

afterAll(async () => {
  await wired[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

const CALLS: readonly (readonly [tool: string, args: Json, more: Json])[] = [
  ["list_directory", {}, { limit: 4000 }],
  ["list_directory_with_sizes", {}, { limit: 4000 }],
  ["search_files", { pattern: "**" }, { limit: 4000 }],
  ["search_file_contents", { pattern: "needle" }, { limit: 4000 }],
  ["search_file_contents", { pattern: "needle", outputMode: "count" }, { limit: 4000 }],
];

test.each(CALLS)("limits %s %o to 64,000 bytes of text, with its cursor in the first line only", async (tool, args, more) => {
  const reply = await wired.client.call(tool, { path: folder.at("d"), ...args });
  const content = text(reply);
  expect(Buffer.byteLength(content)).toBeLessThanOrEqual(64_000);
  const { nextCursor } = reply.structuredContent as { nextCursor: string };
  expect(content.split("\n")[0]).toContain(nextCursor);
  expect(content.split("\n").filter((line) => line.includes(nextCursor))).toHaveLength(1);
  const full = text(await wired.client.call(tool, { path: folder.at("d"), ...args, ...more }));
  expect(Buffer.byteLength(full)).toBeGreaterThan(100_000);
});

test("limits read_multiple_files to 64,000 bytes of text, and names missing files in its first line", async () => {
  const line = `${"y".repeat(99)}\n`;
  for (const name of ["long", "longer", "longest"]) writeFileSync(folder.at(name), line.repeat(400));
  const paths = ["long", "longer", "longest"].map((name) => folder.at(name));
  const reply = await wired.client.call("read_multiple_files", { paths });
  const content = text(reply);
  expect(Buffer.byteLength(content)).toBeLessThanOrEqual(64_000);
  const { files } = reply.structuredContent as { files: { nextOffset?: number }[] };
  expect(content.split("\n")[0]).toBe(
    `[truncated: read with read_text_file what is not complete here: ${[1, 2].map((at) => `${paths[at]} from offset ${files[at]!.nextOffset}`).join(", ")}]`,
  );
  expect(content).toContain(`${paths[0]}:\n${line.repeat(400)}`);
  expect(content).toContain(`[truncated; read the rest with read_text_file, offset ${files[1]?.nextOffset}]`);
  const full = text(await wired.client.call("read_multiple_files", { paths, limit: 1000 }));
  expect(full.startsWith(`${paths[0]}:\n`)).toBe(true);
  expect(Buffer.byteLength(full)).toBeGreaterThan(120_000);
});

test("returns a file of 1 MiB whole by read_text_file, as the reference server does", async () => {
  const lines = `${"z".repeat(1023)}\n`.repeat(1024);
  writeFileSync(folder.at("whole"), lines);
  const [block] = (await wired.client.call("read_text_file", { path: folder.at("whole") })).content;
  expect(block).toEqual({ type: "text", text: lines });
});

test("limits directory_tree and a dry run of delete_file to 64,000 bytes of text", async () => {
  for (const [tool, args] of [
    ["directory_tree", {}],
    ["delete_file", { recursive: true, dryRun: true }],
  ] as const) {
    const reply = await wired.client.call(tool, { path: folder.at("d"), ...args });
    expect(reply.structuredContent).toMatchObject({ truncated: true });
    expect(Buffer.byteLength(text(reply)), tool).toBeLessThanOrEqual(64_000);
  }
});
