// Matches of `git grep -z --column`, page by page and in chunks of any size.
import { expect, test } from "vitest";
import { GrepParser, type GrepPageOptions } from "../../../src/repo/history/grep-parser.ts";

const OPTIONS: GrepPageOptions = { prefix: "", contextLines: 1, skip: 0, limit: 100, maxJsonBytes: 100_000, isHidden: () => false };
const match = (path: string, line: number, text: string, column = 1): string => `${path}\0${line}\0${column}\0${text}\n`;
const around = (path: string, line: number, text: string): string => `${path}\0${line}\0${text}\n`;

function parse(output: string, options: Partial<GrepPageOptions> = {}, chunkBytes = 1e6): GrepParser & { isStopped: boolean } {
  const parser = new GrepParser({ ...OPTIONS, ...options });
  const bytes = Buffer.from(output);
  let isStopped = false;
  for (let at = 0; at < bytes.length && !isStopped; at += chunkBytes) isStopped = !parser.push(bytes.subarray(at, at + chunkBytes));
  return Object.assign(parser, { isStopped });
}

const CONTEXT =
  around("a", 1, "one") +
  match("a", 2, "two") +
  around("a", 3, "three") +
  match("a", 4, "four") +
  `--\n${around("a", 8, "eight")}` +
  match("a", 9, "nine") +
  match("b", 1, "b");
const MATCHES = [
  { path: "a", line: 2, text: "two", before: ["one"], after: ["three"] },
  { path: "a", line: 4, text: "four", before: ["three"] },
  { path: "a", line: 9, text: "nine", before: ["eight"] },
  { path: "b", line: 1, text: "b" },
];

test.each([1, 2, 3, 7, 1000])("returns matches with the lines around them, in chunks of %i bytes", (chunkBytes) => {
  const { matches, isFull, isClipped } = parse(CONTEXT, {}, chunkBytes);
  expect(matches).toEqual(MATCHES);
  expect([isFull, isClipped]).toEqual([false, false]);
});

test("attaches a line only to matches within the number of context lines", () => {
  const output = match("a", 1, "one") + around("a", 2, "two") + around("a", 3, "three") + match("a", 4, "four") + around("b", 5, "b5");
  expect(parse(output).matches).toEqual([
    { path: "a", line: 1, text: "one", after: ["two"] },
    { path: "a", line: 4, text: "four", before: ["three"] },
  ]);
});

test("leaves the prefix of a revision out of the path", () => {
  expect(parse(match("HEAD:a", 1, "x"), { prefix: "HEAD:" }).matches).toEqual([{ path: "a", line: 1, text: "x" }]);
});

test("returns no matches and context of hidden files", () => {
  const isHidden = (path: string): boolean => path === "a";
  expect(parse(CONTEXT, { isHidden }).matches).toEqual([{ path: "b", line: 1, text: "b" }]);
});

test.each([
  [0, 4, 4, false],
  [0, 3, 3, true],
  [1, 3, 3, false],
  [3, 1, 1, false],
  [2, 1, 1, true],
])("with %i skipped and a limit of %i returns %i matches", (skip, limit, count, isFull) => {
  const page = parse(CONTEXT, { skip, limit });
  expect(page.matches.map(({ text }) => text)).toEqual(MATCHES.slice(skip, skip + count).map(({ text }) => text));
  expect([page.isFull, page.isStopped]).toEqual([isFull, isFull]);
});

test("ends a page before it exceeds its bytes, after at least one match", () => {
  const output = match("a", 1, "x".repeat(200)) + match("a", 2, "y".repeat(200));
  // Each match takes 2 × (3 + 202) + 80 bytes: path and text as JSON strings.
  expect(parse(output, { maxJsonBytes: 980 })).toMatchObject({ matches: [{ line: 1 }, { line: 2 }], isFull: false });
  expect(parse(output, { maxJsonBytes: 979 })).toMatchObject({ matches: [{ line: 1 }], isFull: true });
  expect(parse(output, { maxJsonBytes: 1 })).toMatchObject({ matches: [{ line: 1 }], isFull: true });
});

test("counts context lines towards the bytes of a page", () => {
  const output = match("a", 1, "x") + around("a", 2, "y".repeat(200)) + match("b", 1, "z");
  expect(parse(output, { maxJsonBytes: 400 })).toMatchObject({ matches: [{ path: "a" }], isFull: true });
});

test("clips a long line", () => {
  expect(parse(match("a", 1, "x".repeat(500)))).toMatchObject({ isClipped: false, matches: [{ text: "x".repeat(500) }] });
  const clipped = parse(match("a", 1, "x".repeat(501)));
  expect(clipped.isClipped).toBe(true);
  expect(clipped.matches[0]?.text.length).toBeLessThanOrEqual(501);
});
