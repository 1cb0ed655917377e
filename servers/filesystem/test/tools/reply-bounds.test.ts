// No reply is over its bound, whatever the files hold: 2.5 MB by default, and what --max-result-bytes says.
import { mkdirSync, writeFileSync } from "node:fs";
import type { Json } from "@oarlock/server-kit/protocol";
import { connectTo, startRaw, tempFolder, type RawProcess, type TempFolder } from "@oarlock/testing";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { Area } from "../../src/disk/access/area.ts";
import { createServer } from "../../src/server.ts";
import { bin } from "../support/target.ts";

let folder: TempFolder;

/** Names and content at their heaviest: what JSON writes as six bytes for one, and what UTF-8 writes as four. */
const HEAVY = "\u0001";
const WIDE = "😀";

beforeAll(() => {
  folder = tempFolder({
    heavy: HEAVY.repeat(3_000_000),
    "heavy after a line": `a\n${HEAVY.repeat(3_000_000)}`,
    "heavy lines": `${HEAVY.repeat(99)}\n`.repeat(30_000),
    wide: WIDE.repeat(1_000_000),
    quotes: '"\\'.repeat(1_500_000),
    newlines: "\n".repeat(3_000_000),
    plain: `${"x".repeat(99)}\n`.repeat(40_000),
    bytes: Buffer.alloc(900_000, 7),
    "more bytes": Buffer.alloc(3_000_000, 7),
    long: {},
    many: {},
  });
  // A name has at most 255 bytes; controls in it are shown as four characters each, and go out in JSON once more.
  for (let at = 0; at < 800; at++) writeFileSync(folder.at("long", `${at}-${HEAVY.repeat(240)}`), "");
  for (let d = 0; d < 20; d++) {
    mkdirSync(folder.at("many", `${d}${WIDE.repeat(50)}`));
    for (let f = 0; f < 100; f++) writeFileSync(folder.at("many", `${d}${WIDE.repeat(50)}`, `${f}${WIDE.repeat(60)}`), "");
  }
});

afterAll(() => folder[Symbol.asyncDispose]());

const FILES = ["heavy", "heavy lines", "wide", "quotes", "newlines", "plain", "bytes", "more bytes"];

/** Requests whose answers would be large. */
function requests(): [method: string, params: Json][] {
  const call = (name: string, args: Json): [string, Json] => ["tools/call", { name, arguments: args }];
  const files = FILES.map((name) => folder.at(name));
  return [
    ...files.flatMap((path) => [
      call("read_text_file", { path }),
      call("read_text_file", { path, encoding: "latin1" }),
      call("read_text_file", { path, head: 1_000_000 }),
      call("read_text_file", { path, tail: 1_000_000 }),
      call("read_text_file", { path, offset: 1, limit: 1_000_000, lineNumbers: true }),
      call("read_media_file", { path }),
      ["resources/read", { uri: `file://${path.replaceAll(" ", "%20")}` }] as [string, Json],
    ]),
    call("read_multiple_files", { paths: [...files, ...files] }),
    call("search_file_contents", { path: folder.path, pattern: "^", limit: 1_000_000, contextLines: 20 }),
    call("search_file_contents", { path: folder.at("heavy lines"), pattern: ".", limit: 1_000_000, contextLines: 20 }),
    call("search_file_contents", { path: folder.path, pattern: ".*\\n.*\\n", multiline: true, limit: 1_000_000, contextLines: 20 }),
    call("search_file_contents", {
      path: folder.at("heavy lines"),
      pattern: ".*\\n.*\\n",
      multiline: true,
      outputMode: "count",
      limit: 1_000_000,
    }),
    call("search_file_contents", { path: folder.path, pattern: "$", outputMode: "count", limit: 1_000_000 }),
    call("read_multiple_files", { paths: Array.from({ length: 1000 }, () => folder.at("plain")) }),
    call("read_multiple_files", { paths: Array.from({ length: 500 }, () => folder.at("heavy")) }),
    call("read_multiple_files", { paths: Array.from({ length: 500 }, () => folder.at("heavy after a line")) }),
    call("read_multiple_files", { paths: Array.from({ length: 500 }, () => folder.at("heavy lines")), tail: 1_000_000 }),
    call("read_multiple_files", { paths: Array.from({ length: 1000 }, (_, at) => `${folder.path}/${HEAVY.repeat(200)}${at}`) }),
    ...["long", "many"].flatMap((name) => [
      call("list_directory", { path: folder.at(name) }),
      call("list_directory_with_sizes", { path: folder.at(name), sortBy: "size" }),
      call("directory_tree", { path: folder.at(name), maxEntries: 1_000_000 }),
      call("search_files", { path: folder.at(name), pattern: "**", limit: 1_000_000 }),
      call("search_files", { path: folder.at(name), pattern: "**", limit: 1_000_000, sortBy: "modified" }),
      call("delete_file", { path: folder.at(name), recursive: true, dryRun: true }),
      ["resources/read", { uri: `file://${folder.at(name)}` }] as [string, Json],
      ["prompts/get", { name: "explore_directory", arguments: { path: folder.at(name) } }] as [string, Json],
    ]),
    [
      "completion/complete",
      { ref: { type: "ref/prompt", name: "explore_directory" }, argument: { name: "path", value: folder.at("long", "1") } },
    ],
    call("edit_file", {
      path: folder.at("plain"),
      dryRun: true,
      edits: [{ oldText: `${"x".repeat(99)}\n`, newText: `${HEAVY}\n`, replaceAll: true }],
    }),
    call("edit_file", {
      path: folder.at("plain"),
      dryRun: true,
      edits: [{ oldText: "x".repeat(99), newText: "y".repeat(200), replaceAll: true }],
    }),
    call("edit_file", { path: folder.at("plain"), dryRun: true, edits: [{ oldText: "no such text", newText: HEAVY.repeat(1_000_000) }] }),
    call("edit_file", { path: folder.at("plain"), edits: [{ oldText: HEAVY.repeat(600_000), newText: "" }] }),
  ];
}

/** The line with the next response; log entries may come before it. */
async function replyLine(server: RawProcess): Promise<string> {
  for (;;) {
    const line = await server.line(60_000);
    if (!("method" in (JSON.parse(line) as Json))) return line;
  }
}

describe.each([
  [2_500_000, []],
  [100_000, ["--max-result-bytes=100000"]],
  [20_000, ["--max-result-bytes=20000"]],
] as const)("a bound of %i bytes", (bound, args) => {
  test("holds for every reply, and each reply has content", async () => {
    await using server: RawProcess = startRaw(bin([...args, folder.path]));
    await server.handshake();
    const over: unknown[] = [];
    for (const [id, [method, params]] of requests().entries()) {
      void server.send({ jsonrpc: "2.0", id, method, params });
      const line = await replyLine(server);
      if (Buffer.byteLength(line) > bound) over.push([Buffer.byteLength(line), method, JSON.stringify(params).slice(0, 200)]);
      const { result, error } = JSON.parse(line) as Json;
      expect(result ?? error, `${method} ${JSON.stringify(params).slice(0, 200)}`).toBeTypeOf("object");
      // The kit's own answer to a result that is too large does not help the model.
      expect(line.slice(0, 1000), `${method} ${JSON.stringify(params).slice(0, 200)}`).not.toMatch(/Result exceeds/);
    }
    expect(over).toEqual([]);
  }, 600_000);
});

test("reports an edit as done whose diff is too large for a reply", async () => {
  await using own = tempFolder({ f: `${"x".repeat(99)}\n`.repeat(40_000) });
  await using server = startRaw(bin([own.path]));
  await server.handshake();
  const edits = [{ oldText: "x".repeat(99), newText: "y", replaceAll: true }];
  const { result } = await server.request({
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name: "edit_file", arguments: { path: own.at("f"), edits } },
  });
  expect(result).toMatchObject({
    structuredContent: { applied: true, replacements: 40_000, truncated: true },
    content: [{ text: expect.stringMatching(/^```diff\n[^]*\n```\n\n\(truncated: /) }],
  });
  expect(own.read("f")).toBe("y\n".repeat(40_000));
});

test("a file that grows between the look at it and its read is refused by its size", async () => {
  await using own = tempFolder({ f: Buffer.alloc(1_500_000, 7), small: "x" });
  const { server, areas } = await createServer({ directories: [{ path: own.path, readOnly: false }] });
  const area = areas.disk.area();
  // Only what this tool asks for.
  const before = { look: () => ({ ...area.look("small"), path: own.at("f") }), file: () => area.file("f") } as Partial<Area> as Area;
  vi.spyOn(areas, "of").mockResolvedValue(before);
  await using wired = await connectTo(server);
  const result = await wired.client.call("read_media_file", { path: own.at("f") });
  expect(result).toMatchObject({
    isError: true,
    content: [{ text: expect.stringMatching(/^File too large: it has 1500000 bytes, and at most \d+ are allowed here/) }],
  });
});

test.each([2000, 4000, 8000])("a reply of at most %i bytes has room for a small file", async (maxResultBytes) => {
  await using small = tempFolder({ f: "small\n", long: "1\n".repeat(9000), d: { e: "" } });
  const { server } = await createServer({ directories: [{ path: small.path, readOnly: false }], maxResultBytes });
  await using wired = await connectTo(server, { endpoint: { limits: { resultBytes: maxResultBytes } } });
  const replyText = async (name: string, args: Json) => (await wired.client.call(name, args)).structuredContent;
  expect(await replyText("read_text_file", { path: small.at("f") })).toMatchObject({ content: "small\n", truncated: false });
  expect(await replyText("read_text_file", { path: small.at("long") })).toMatchObject({
    content: expect.stringMatching(/^(1\n){99,}/),
    truncated: true,
    nextOffset: expect.any(Number),
  });
  expect(await replyText("read_multiple_files", { paths: [small.at("f")] })).toMatchObject({ files: [{ ok: true }], truncated: false });
  expect(await replyText("read_media_file", { path: small.at("f") })).toMatchObject({ content: [{ type: "resource" }] });
  expect(await replyText("directory_tree", { path: small.path })).toMatchObject({ truncated: false });
  const edits = [{ oldText: "small", newText: "tiny" }];
  expect(await replyText("edit_file", { path: small.at("f"), edits })).toMatchObject({ applied: true, truncated: false });
});
