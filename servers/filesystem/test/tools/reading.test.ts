// The reading tools in every revision.
import { statSync, utimesSync, writeFileSync } from "node:fs";
import { linkTo } from "@oarlock/testing";
import { expect } from "vitest";
import { everyRevisionOn, text, textWithFacts } from "../support/served-folder.ts";

const FIVE = "one\ntwo\nthree\nfour\nfive\n";
const etag = expect.stringMatching(/^\S{8,}$/);

everyRevisionOn("returns text and metadata by read_text_file", { "f.txt": FIVE }, async ({ says, at }) => {
  const facts = {
    path: at("f.txt"),
    encoding: "utf-8",
    lineEnding: "lf",
    bom: false,
    size: FIVE.length,
    etag,
    totalLines: 5,
    truncated: false,
  };
  await says("read_text_file", { path: at("f.txt") }, FIVE, { ...facts, startLine: 1, endLine: 5 });
  await says("read_text_file", { path: at("f.txt"), head: 2 }, "one\ntwo", { ...facts, startLine: 1, endLine: 2 });
  await says("read_file", { path: at("f.txt"), offset: 2, limit: 2 }, "two\nthree", { ...facts, startLine: 2, endLine: 3, nextOffset: 4 });
});

everyRevisionOn("says of a range of bytes where it ends and how to go on", { f: "aé€z\n" }, async ({ call, at, structured }) => {
  const first = await call("read_text_file", { path: at("f"), byteOffset: 0, byteLimit: 4 });
  expect(textWithFacts(first)).toMatch(/^aé\n\[utf-8, bytes 0-2 of 8 \(go on with byteOffset 3\), etag \S+\]$/);
  if (structured) expect(first.structuredContent).toMatchObject({ byteOffset: 0, nextByteOffset: 3, truncated: false });
  const rest = await call("read_file", { path: at("f"), byteOffset: 3 });
  expect(textWithFacts(rest)).toMatch(/^€z\n\n\[utf-8, LF, bytes 3-7 of 8, etag \S+\]$/);
  expect(rest.structuredContent ?? {}).not.toHaveProperty("nextByteOffset");
});

everyRevisionOn("numbers lines in read_text_file on request", { "f.txt": FIVE }, async ({ call, at }) => {
  expect(text(await call("read_text_file", { path: at("f.txt"), offset: 4, limit: 2, lineNumbers: true }))).toBe(
    "     4\tfour\n     5\tfive",
  );
});

const long = (number: number) => `${number} ${"x".repeat(1000)}`;
const LARGE = Array.from({ length: 4500 }, (_, at) => `${long(at + 1)}\n`).join("");

everyRevisionOn(
  "numbers in read_text_file the last lines of a large file, and no line of an empty one",
  { LARGE, empty: "" },
  async ({ call, at }) => {
    expect(text(await call("read_text_file", { path: at("LARGE"), tail: 2, lineNumbers: true }))).toBe(
      `  4499\t${long(4499)}\n  4500\t${long(4500)}\n`,
    );
    expect(text(await call("read_text_file", { path: at("empty"), lineNumbers: true }))).toBe("");
  },
);

everyRevisionOn(
  "reads a file in the given encoding by read_text_file",
  { f: Buffer.from("gr\xfc\xdfe", "latin1") },
  async ({ says, at }) => {
    const facts = {
      path: at("f"),
      lineEnding: "none",
      bom: false,
      size: 5,
      etag,
      startLine: 1,
      endLine: 1,
      totalLines: 1,
      truncated: false,
    };
    await says("read_text_file", { path: at("f"), encoding: "latin1" }, "grüße", { ...facts, encoding: "latin1" });
  },
);

everyRevisionOn("changes the etag with the content, even when size and time stay", { f: "aaa" }, async ({ call, at, structured }) => {
  if (!structured) return;
  const read = async (): Promise<unknown> => ((await call("read_text_file", { path: at("f") })).structuredContent as { etag: string }).etag;
  const before = await read();
  expect(await read()).toBe(before);
  const { atime, mtime } = statSync(at("f"));
  writeFileSync(at("f"), "bbb");
  utimesSync(at("f"), atime, mtime);
  expect(await read()).not.toBe(before);
});

everyRevisionOn(
  "returns each file under its path by read_multiple_files, and the reason for an unreadable one",
  { a: "1\n", d: {} },
  async ({ says, at }) => {
    const missing = `No such file or directory: ${at("none")}`;
    await says("read_multiple_files", { paths: [at("a"), at("none")] }, `${at("a")}:\n1\n\n\n---\n${at("none")}: Error - ${missing}`, {
      truncated: false,
      files: [
        { path: at("a"), ok: true, etag, truncated: false },
        { path: at("none"), ok: false, error: missing },
      ],
    });
  },
);

everyRevisionOn(
  "names in read_multiple_files what is not plain UTF-8 with line feeds",
  { a: "1\n", b: Buffer.from("gr\xfc\xdfe\r\n", "latin1"), c: "\ufeffx" },
  async ({ call, at }) => {
    const { content } = await call("read_multiple_files", { paths: ["a", "b", "c"].map(at) });
    const facts = `${at("b")}: [windows-1252, CRLF]\n${at("c")}: [utf-8 with byte order mark]`;
    expect(content.at(-1)).toEqual({ type: "text", text: facts });
  },
);

const PNG = Buffer.from("89504e470d0a1a0a0000000d49484452", "hex");
const WAV = Buffer.from("524946460000000057415645", "hex");

everyRevisionOn(
  "TOOL-16 TOOL-17 TOOL-18 returns images, sounds and embedded resources by read_media_file as the revision has them",
  { "a.png": PNG, "a.wav": WAV, "a.bin": "x" },
  async (cell) => {
    const { call, at, revision, structured } = cell;
    const image = { type: "image", data: PNG.toString("base64"), mimeType: "image/png" };
    const sound = { type: "audio", data: WAV.toString("base64"), mimeType: "audio/wav" };
    const embedded = { type: "resource", resource: { uri: `file://${at("a.bin")}`, mimeType: "application/octet-stream", blob: "eA==" } };
    const older = { type: "resource", resource: { uri: "urn:mcp:audio", mimeType: "audio/wav", blob: sound.data } };
    expect((await call("read_media_file", { path: at("a.png") })).content).toEqual([image]);
    expect((await call("read_media_file", { path: at("a.wav") })).content).toEqual([revision === "2024-11-05" ? older : sound]);
    const result = await call("read_media_file", { path: at("a.bin") });
    expect(result.content).toEqual([embedded]);
    if (structured) expect(result.structuredContent).toMatchObject({ content: [embedded], size: 1 });
  },
);

everyRevisionOn(
  "takes in read_media_file one media type of an image from its name, whatever its content",
  { "empty.png": "", "text.png": "text" },
  async ({ call, at, structured }) => {
    for (const [name, data] of [
      ["empty.png", ""],
      ["text.png", "dGV4dA=="],
    ] as const) {
      const { content, structuredContent } = await call("read_media_file", { path: at(name) });
      expect(content).toEqual([{ type: "image", data, mimeType: "image/png" }]);
      if (structured) expect(structuredContent).toMatchObject({ mimeType: "image/png" });
    }
  },
);

everyRevisionOn(
  "links in read_media_file a file that is too large for a reply",
  { "a.bin": Buffer.alloc(1_200_000) },
  async ({ call, at, structured }) => {
    const { content } = await call("read_media_file", { path: at("a.bin") });
    expect(content).toEqual([
      structured
        ? expect.objectContaining({ type: "resource_link", uri: `file://${at("a.bin")}`, size: 1_200_000 })
        : { type: "text", text: expect.stringContaining(`file://${at("a.bin")}`) },
    ]);
  },
);

everyRevisionOn(
  "deviation `line-of-facts`: names encoding, line endings, lines and etag in texts of reads",
  {
    f: "hello\r\nthere\r\n",
    mark: Buffer.from("\ufeffa\n", "utf16le"),
    bad: Buffer.concat([Buffer.from("\ufeffü\nü "), Buffer.of(0xe9)]),
    many: "x\ny\r\n".repeat(1_000_000),
    bin: Buffer.of(0, 255, 1),
    jpg: Buffer.from("\xff\xd8\xff\xe0 JFIF", "latin1"),
    empty: "",
    d: {},
  },
  async ({ call, at }) => {
    const line = async (name: string, args: object) =>
      textWithFacts(await call(name, { ...args }))
        .split("\n")
        .at(-1);
    const info = (name: string) => line("get_file_info", { path: at(name) });
    const reading = (name: string, part: object = {}) => line("read_text_file", { path: at(name), ...part });
    for (const facts of [await info("f"), await reading("f"), await reading("f", { head: 1 })])
      expect(facts).toMatch(/^\[utf-8, CRLF, 2 lines, etag c-\S+\]$/);
    expect(await reading("mark")).toMatch(/^\[utf-16le with byte order mark, LF, 1 line, etag c-\S+\]$/);
    for (const facts of [await info("bad"), await reading("bad")])
      expect(facts).toMatch(/^\[utf-8 with byte order mark, not valid at byte 9, line 2, LF, 2 lines, etag c-\S+\]$/);
    expect(await reading("many", { offset: 7, limit: 2 })).toMatch(/^\[utf-8, mixed line endings, etag f-\S+\]$/);
    expect(await info("many")).toMatch(/^\[etag f-\S+\]$/);
    expect(await info("bin")).toMatch(/^\[binary, etag c-\S+\]$/);
    expect(await info("jpg")).toMatch(/^\[image\/jpeg, etag c-\S+\]$/);
    expect(await reading("empty")).toMatch(/^\[utf-8, 0 lines, etag c-\S+\]$/);
    expect(await info("d")).toMatch(/^permissions: /);
  },
);

everyRevisionOn(
  "returns metadata as lines and as fields by get_file_info",
  { f: "hello\r\n", l: linkTo("f") },
  async ({ call, at, structured }) => {
    const result = await call("get_file_info", { path: at("l") });
    const lines = text(result).split("\n");
    expect(lines.map((line) => line.slice(0, line.indexOf(":")))).toEqual([
      "size",
      "created",
      "modified",
      "accessed",
      "isDirectory",
      "isFile",
      "permissions",
    ]);
    expect(lines).toEqual(expect.arrayContaining(["size: 7", "isDirectory: false", "isFile: true", "permissions: 644"]));
    if (structured)
      expect(result.structuredContent).toMatchObject({
        path: at("f"),
        isSymlink: true,
        encoding: "utf-8",
        lineEnding: "crlf",
        lines: 1,
        etag,
        size: 7,
      });
  },
);

everyRevisionOn("names in list_allowed_directories the directory and whether it is writable", {}, async ({ says, folder }) => {
  const root = folder.slice(0, folder.lastIndexOf("/"));
  await says("list_allowed_directories", {}, `Allowed directories:\n${root}`, {
    directories: [{ path: root, writable: true, source: "cli" }],
  });
});

everyRevisionOn(
  "TOOL-11 TOOL-12 TOOL-26 reports invalid arguments as the revision requires",
  { f: FIVE },
  async ({ client, at, facts, failure }) => {
    for (const [name, args, place] of [
      ["read_text_file", { path: at("f"), head: 0 }, "head"],
      ["read_text_file", { path: at("f"), tail: -1 }, "tail"],
      ["read_text_file", { path: at("f"), offset: 1.5 }, "offset"],
      ["read_text_file", { path: at("f"), limit: "3" }, "limit"],
      ["read_text_file", {}, "path"],
      ["read_multiple_files", { paths: [] }, "paths"],
      ["list_directory", { path: 7 }, "path"],
      ["edit_file", { path: at("f"), edits: [{ oldText: "a" }] }, "edits.0.newText"],
    ] as const) {
      if (facts.argumentErrors === "result") expect(await failure(name, args)).toContain(`${place}: `);
      else await expect(client.call(name, args)).rejects.toMatchObject({ code: -32602, message: expect.stringContaining(`${place}: `) });
    }
    // Unknown arguments are tolerated.
    expect((await client.call("read_text_file", { path: at("f"), nonsense: 1 })).isError).toBeUndefined();
  },
);
