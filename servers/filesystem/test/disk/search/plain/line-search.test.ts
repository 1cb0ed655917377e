// The plain search of one open file: its events.
import { closeSync, openSync } from "node:fs";
import { tempFolder } from "@oarlock/testing";
import { expect, test } from "vitest";
import type { SearchEvent } from "../../../../src/disk/search/contents/engine.ts";
import type { ContentsOptions } from "../../../../src/disk/search/contents/options.ts";
import { searchFile } from "../../../../src/disk/search/plain/line-search.ts";
import { plainQuery } from "../../../../src/disk/search/plain/query.ts";

async function search(content: string | Buffer, options: ContentsOptions): Promise<SearchEvent[]> {
  await using folder = tempFolder({ f: content });
  const fd = openSync(folder.at("f"), "r");
  try {
    return [...searchFile(fd, 7, plainQuery(options))];
  } finally {
    closeSync(fd);
  }
}

/** Lines as `number:text`, matches with `!`. */
const linesOf = (events: readonly SearchEvent[]): string[] =>
  events.flatMap((event) =>
    event.type === "match" || event.type === "context" ? [`${event.number}:${event.text}${event.type === "match" ? "!" : ""}`] : [],
  );
const lines = async (content: string | Buffer, options: ContentsOptions): Promise<string[]> => linesOf(await search(content, options));

test("emits no events for a file without a match", async () => {
  expect(await search("a\nb\n", { pattern: "x", contextLines: 1 })).toEqual([]);
  expect(await search("", { pattern: "^" })).toEqual([]);
});

test("emits matches between the begin and the end of their file", async () => {
  expect(await search("a1\nb\n a2", { pattern: "a" })).toEqual([
    { type: "begin", file: 7 },
    { type: "match", number: 1, text: "a1", column: 0 },
    { type: "match", number: 3, text: " a2", column: 1 },
    { type: "end", count: 2 },
  ]);
  expect(await search("a\na\n", { pattern: "a", outputMode: "count" })).toEqual([
    { type: "begin", file: 7 },
    { type: "end", count: 2 },
  ]);
  expect(await search("a\na\n", { pattern: "a", outputMode: "files" })).toEqual([
    { type: "begin", file: 7 },
    { type: "end", count: 0 },
  ]);
});

test.each([
  [0, ["3:x!", "5:x!", "9:x!"]],
  [1, ["2:b!".slice(0, -1), "3:x!", "4:d", "5:x!", "6:f", "8:h", "9:x!", "10:j"]],
  [2, ["1:a", "2:b", "3:x!", "4:d", "5:x!", "6:f", "7:g", "8:h", "9:x!", "10:j"]],
])("emits each line once with %i context lines", async (contextLines, expected) => {
  expect(await lines("a\nb\nx\nd\nx\nf\ng\nh\nx\nj\n", { pattern: "x", contextLines })).toEqual(expected);
});

test.each([
  ["carriage returns", "x\r\ny\r\n", ["1:x!"]],
  ["a byte order mark", "\ufeffx\n", ["1:x!"]],
  ["bytes that are not UTF-8", Buffer.from("caf\u00e9 x\n", "latin1"), ["1:café x!"]],
  ["marked UTF-16, little endian", Buffer.from("\ufeffa\nx\r\n", "utf16le"), ["2:x!"]],
  ["marked UTF-16, big endian", Buffer.from("\ufeffa\nx\n", "utf16le").swap16(), ["2:x!"]],
])("leaves %s out of a line", async (_what, content, expected) => {
  expect(await lines(content, { pattern: "x$" })).toEqual(expected);
});

test("completes lines across block borders", async () => {
  const long = "y".repeat(1024 * 1024 - 3);
  const [event] = (await search(`${long}\nabcdefx\n`, { pattern: "abcdefx" })).slice(1);
  expect(event).toEqual({ type: "match", number: 2, text: "abcdefx", column: 0 });
  expect(await search(`${long}${long}${long}x`, { pattern: "x$", outputMode: "count" })).toContainEqual({ type: "end", count: 1 });
});

test("assigns a match over several lines to its first line", async () => {
  const events = await search("a\nb1\nc\nb2\nb3\nc", { pattern: "b\\d\\n[bc]", multiline: true, contextLines: 1 });
  expect(linesOf(events)).toEqual(["1:a", "2:b1!", "3:c", "4:b2!", "5:b3", "6:c"]);
  expect(events.filter(({ type }) => type === "match")).toMatchObject([
    { span: { endLine: 3, below: ["c"] } },
    { span: { endLine: 5, below: ["b3"] } },
  ]);
});

test("ends a line at the last of its matches", async () => {
  const [, event] = await search("ab\nc\nd\n", { pattern: "a|b\\nc\\nd", multiline: true });
  expect(event).toEqual({ type: "match", number: 1, text: "ab", column: 0, span: { endLine: 3, below: ["c", "d"] } });
  const [, single] = await search("ab\r\nc\r\n", { pattern: "b", multiline: true });
  expect(single).toEqual({ type: "match", number: 1, text: "ab", column: 1, span: { endLine: 1, below: [] } });
});

test("shows the first twenty lines of a long match", async () => {
  const [, event] = await search(`a\n${"x\n".repeat(30)}b\n`, { pattern: "a[^]*b", multiline: true });
  expect(event).toMatchObject({ span: { endLine: 32, below: Array.from({ length: 19 }, () => "x") } });
});

test.each<[pattern: string, options: Partial<ContentsOptions>, text: string, matches: boolean]>([
  ["a.c", {}, "abc", true],
  ["a.c", { literal: true }, "abc", false],
  ["a.c", { literal: true }, "xa.c", true],
  ["(?i)ABC", {}, "abc", true],
  ["(?i)", { literal: true }, "x", false],
  ["ABC", {}, "abc", false],
  ["ABC", { caseSensitive: false }, "abc", true],
  ["^b$", {}, "a\nb\nc", true],
  ["(?P<n>a)\\k<n>", {}, "aa", true],
  ["a\\-b", {}, "a-b", true],
  ["\\p{Lu}", {}, "ä", false],
  ["\\p{Lu}", {}, "Ä", true],
  ["\\\\n", {}, "a\\n", true],
  ["[\\s\\S]{3}", {}, "a\nb", false],
  ["[\\s\\S]{3}", { multiline: true }, "a\nb", true],
  ["a\r\nb", { literal: true, multiline: true }, "a\nb", true],
])("searches the pattern %s with %j in %j: %j", async (pattern, options, text, matches) => {
  expect((await search(text, { pattern, ...options })).length > 0).toBe(matches);
});

test.each(["a\\nb", "\\x0a", "\\u000a", "\\\\\\n"])("refuses the pattern %s, which matches a line break, without multiline", (pattern) => {
  expect(() => plainQuery({ pattern })).toThrow("matches a line break");
  expect(() => plainQuery({ pattern, multiline: true })).not.toThrow();
  expect(() => plainQuery({ pattern, literal: true })).not.toThrow();
});

test("refuses an invalid regular expression", () => {
  expect(() => plainQuery({ pattern: "a(" })).toThrow("Invalid pattern: ");
});
