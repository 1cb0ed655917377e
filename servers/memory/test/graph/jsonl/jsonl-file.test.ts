// Lines of a JSONL file: their numbers, their bytes, and whether the server would have written the file in the same way.
import { appendFileSync, readdirSync, readlinkSync, truncateSync } from "node:fs";
import { needs, tempFolder } from "@oarlock/testing";
import { expect, test } from "vitest";
import { JsonlFile } from "../../../src/graph/jsonl/jsonl-file.ts";
import { entity, jsonl, relation } from "../../support/graphs.ts";

interface FileFacts {
  readonly kinds: string[];
  readonly isUnusual: boolean;
  readonly isOpenEnded: boolean;
}

async function withFile<T>(content: string | Buffer, act: (file: JsonlFile) => T): Promise<T> {
  await using folder = tempFolder({ "m.jsonl": content });
  using file = new JsonlFile(folder.at("m.jsonl"));
  return act(file);
}

const readAll = (content: string | Buffer): Promise<FileFacts & { lines: { number: number; kind: string; raw: string }[] }> =>
  withFile(content, (file) => {
    const lines = [...file.lines()].map(({ number, parsed, raw }) => ({ number, kind: parsed.kind, raw: raw.toString() }));
    return { lines, kinds: lines.map(({ kind }) => kind), isUnusual: file.isUnusual, isOpenEnded: file.isOpenEnded };
  });
const parsedLines = (content: string | Buffer) => withFile(content, (file) => [...file.lines()].map(({ parsed }) => parsed));

const A = jsonl([entity("a", "t", "1")]);
const R = jsonl([], [relation("a", "r", "a")]);
const NOTE = '{"type":"note"}\n';

const utf16 = (text: string): Buffer => Buffer.from(text, "utf16le");

test.each([
  ["little-endian", utf16(`\ufeff${A}${R}`)],
  ["big-endian", utf16(`\ufeff${A}${R}`).swap16()],
  ["without a byte order mark", utf16(A + R)],
  ["as one list", utf16(`\ufeff[${A.trimEnd()},${R.trimEnd()}]`)],
])("decodes UTF-16, %s", async (_what, content) => {
  expect(await parsedLines(content)).toEqual(await parsedLines(A + R));
  expect(await readAll(content)).toMatchObject({ isUnusual: true });
});

test.each<[what: string, content: string, kinds: string[], isUnusual: boolean, isOpenEnded?: boolean]>([
  ["as the server writes it", A + R + NOTE, ["entity", "relation", "record"], false],
  ["without a line", "", [], false],
  ["with an unknown field at the end", A.replace("}\n", ',"x":1}\n'), ["entity"], false],
  ["with a damaged line", `${A}{\n${R}`, ["entity", "damaged", "relation"], false],
  ["with a relation before an entity", R + A, ["relation", "entity"], true],
  ["with a record before a relation", NOTE + R, ["record", "relation"], true],
  ["with a blank line", `${A}  \n${R}`, ["entity", "relation"], true],
  ["with carriage returns", A.replace("\n", "\r\n"), ["entity"], true],
  ["with a byte order mark", `\uFEFF${A}`, ["entity"], true],
  ["with a byte order mark in its second line", `${A}\uFEFF${R}`, ["entity", "damaged"], false],
  ["with spaces in an entity", A.replace(":", ": "), ["entity"], true],
  ["with spaces in a relation", R.replace(":", ": "), ["relation"], true],
  ["without a final newline", A.trimEnd(), ["entity"], true, true],
  ["with two records on a line", A.trimEnd() + R, ["entity", "relation", "damaged"], false],
  ["with a comma at the end of a line", A.replace("\n", ",\n") + R, ["entity", "relation"], true],
  ["with a comma after a record of another program", NOTE.replace("\n", ", \n"), ["record"], true],
  ["with a comma between two records on a line", `${A.trimEnd()}, ${R.trimEnd()},\n`, ["entity", "relation", "damaged"], false],
  ["that is a list", `[${A.trimEnd()},\n${R.trimEnd()}]`, ["entity", "relation"], true],
  ["that is a list after a byte order mark", `\uFEFF [${A.trimEnd()}]`, ["entity"], true],
  [
    "that is an object",
    '{"entities":[{"name":"a","entityType":"t"}],"relations":[{"from":"a","to":"a","relationType":"r"}]}',
    ["entity", "relation"],
    true,
  ],
  ["that is an object without relations", '{\n"entities":[{"name":"a","entityType":"t"},7]}', ["entity", "damaged"], true],
  ["that is another object", '{"a":1}\n', ["record"], false],
  ["that is an object of some type with entities", '{\n"type":"note","entities":[]}\n', ["damaged", "damaged"], false],
  ["that begins like a list", `[1\n${A}`, ["damaged", "entity"], false],
])("a file %s", async (_what, content, kinds, isUnusual, isOpenEnded = false) => {
  expect(await readAll(content)).toMatchObject({ kinds, isUnusual, isOpenEnded });
});

test("lines have their numbers and their bytes, also behind blank ones", async () => {
  const { lines } = await readAll(`${A}\n{\r\n${R.trimEnd()}`);
  expect(lines).toEqual([
    { number: 1, kind: "entity", raw: A.trimEnd() },
    { number: 3, kind: "damaged", raw: "{\r" },
    { number: 4, kind: "relation", raw: R.trimEnd() },
  ]);
});

test("records that were split off a line have no bytes, and the line has all", async () => {
  const { lines } = await readAll(A.trimEnd() + R);
  expect(lines.map(({ number, raw }) => [number, raw])).toEqual([
    [1, ""],
    [1, ""],
    [1, A.trimEnd() + R.trimEnd()],
  ]);
});

test("bytes that are not UTF-8 are a damaged line, which may be incomplete", async () => {
  const bytes = Buffer.from(A.replace("1", "\xff") + R, "latin1");
  const [line, next] = await parsedLines(bytes);
  expect(line).toEqual({ kind: "damaged", reason: "not UTF-8, or too long", mayBeIncomplete: true });
  expect(next?.kind).toBe("relation");
});

test("leaves a carriage return out of a record", async () => {
  expect(await parsedLines(`${NOTE.trimEnd()}\r\n`)).toEqual([{ kind: "record", line: NOTE.trimEnd() }]);
});

test("takes a line of several records for damaged and complete", async () => {
  expect((await parsedLines(A.trimEnd() + R)).at(-1)).toEqual({
    kind: "damaged",
    reason: "it holds 2 records, which were accepted",
    mayBeIncomplete: false,
  });
});

test("numbers the records of a JSON value by position", async () => {
  const { lines } = await readAll('{"entities":[{"name":"a","entityType":"t"},null],"relations":["x"]}');
  expect(lines).toEqual([
    { number: 1, kind: "entity", raw: '{"type":"entity","name":"a","entityType":"t"}' },
    { number: 2, kind: "damaged", raw: "null" },
    { number: 3, kind: "damaged", raw: '"x"' },
  ]);
});

test("lines across the borders of reads are complete", async () => {
  const entities = Array.from({ length: 5 }, (_, at) => entity(`e${at}`, "t", "ä".repeat(400_000 + at)));
  const { lines } = await readAll(jsonl(entities));
  expect(lines.map(({ raw }) => raw)).toEqual(entities.map((one) => jsonl([one]).trimEnd()));
});

test("bytes like those of a byte order mark are not one", async () => {
  for (const start of [Buffer.of(0x41, 0xbb, 0xbf), Buffer.of(0xef, 0x41, 0xbf), Buffer.of(0xef, 0xbb, 0x41)])
    expect((await readAll(Buffer.concat([start, Buffer.from(A)]))).kinds).toEqual(["damaged"]);
});

test("keeps a byte order mark within a JSON value", async () => {
  const marked = entity("a\ufeffb", "t");
  expect(await parsedLines(JSON.stringify([{ type: "entity", ...marked }]))).toMatchObject([{ kind: "entity", entity: marked }]);
});

/** As long as a line may be. */
const MAX_LINE_BYTES = 64 * 1024 * 1024;

test("takes a line of more than 64 MiB for damaged without parsing it", async () => {
  await using folder = tempFolder({ "m.jsonl": "" });
  truncateSync(folder.at("m.jsonl"), MAX_LINE_BYTES + 1);
  appendFileSync(folder.at("m.jsonl"), `\n${R}`);
  using file = new JsonlFile(folder.at("m.jsonl"));
  expect([...file.lines()].map(({ number, parsed }) => [number, parsed])).toMatchObject([
    [1, { kind: "damaged", reason: "not UTF-8, or too long" }],
    [2, { kind: "relation" }],
  ]);
});

test("stops reading a line after 128 MiB", async () => {
  await using folder = tempFolder({ "m.jsonl": A });
  truncateSync(folder.at("m.jsonl"), 3 * MAX_LINE_BYTES);
  using file = new JsonlFile(folder.at("m.jsonl"));
  expect(() => [...file.lines()]).toThrow(
    expect.objectContaining({ code: "damaged", message: expect.stringContaining("a line is too long") as string }) as Error,
  );
});

/** The files that this process has open below a folder. */
const openFiles = (folder: string): string[] =>
  readdirSync("/proc/self/fd").flatMap((fd) => {
    try {
      const path = readlinkSync(`/proc/self/fd/${fd}`);
      return path.startsWith(folder) ? [path] : [];
    } catch {
      return []; // closed since it was listed
    }
  });

test("keeps a file open until it is closed", needs("/proc"), async () => {
  await using folder = tempFolder({ "m.jsonl": A });
  const file = new JsonlFile(folder.at("m.jsonl"));
  expect(openFiles(folder.path)).toEqual([folder.at("m.jsonl")]);
  file[Symbol.dispose]();
  expect(openFiles(folder.path)).toEqual([]);
});

test("refuses a directory, and does not keep it open", async () => {
  await using folder = tempFolder();
  expect(() => new JsonlFile(folder.path)).toThrow(
    expect.objectContaining({ code: "io", message: expect.stringContaining("not a regular file") as string }) as Error,
  );
  if (process.platform === "linux") expect(openFiles(folder.path)).toEqual([]);
});

test("notices a file that has grown since it was opened", async () => {
  await using folder = tempFolder({ "m.jsonl": A });
  using file = new JsonlFile(folder.at("m.jsonl"));
  expect(file.isUnchanged()).toBe(true);
  appendFileSync(folder.at("m.jsonl"), R);
  expect(file.isUnchanged()).toBe(false);
});

test("refuses a file with too many lines without records", async () => {
  await expect(parsedLines("x\n".repeat(100_001))).rejects.toMatchObject({
    code: "damaged",
    message: "JSONL file not readable: more than 100,000 lines hold no record. Check that it is the file of a memory.",
  });
  expect(await parsedLines("x\n".repeat(100_000))).toHaveLength(100_000);
});

test("a JSON value that is nested too deeply is a damaged record, and others are read", async () => {
  const deep = `${"[".repeat(40_000)}${"]".repeat(40_000)}`;
  const parsed = await parsedLines(`[${A.trimEnd()},${deep}]`);
  // From version 26 on Node reads and writes values of any depth.
  expect(parsed).toMatchObject([
    { kind: "entity" },
    { kind: "damaged", reason: expect.stringMatching(/^(nested too deeply|not a record)$/) },
  ]);
});
