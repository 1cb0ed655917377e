// Commits as git prints them, with and without the numbers of their files.
import { expect, test } from "vitest";
import { commitText, parseCommit } from "../../../src/repo/history/commit-record.ts";
import { parseLog, parseLogWithStats } from "../../../src/repo/history/log-parser.ts";

const fields = (hash: string, { parents = "", author = "Ana", refs = "", message = "subject\n" } = {}): string[] => [
  hash,
  parents,
  author,
  "ana@x.example",
  "2026-01-31T14:00:00+01:00",
  refs,
  "",
  message,
];
const commit = (hash: string, more: object = {}): object => ({
  hash,
  parents: [],
  author: "Ana",
  email: "ana@x.example",
  date: "2026-01-31T14:00:00+01:00",
  subject: "subject",
  body: "",
  refs: [],
  ...more,
});
const output = (...parts: string[][]): Buffer =>
  Buffer.from(
    parts
      .flat()
      .map((part) => `${part}\0`)
      .join(""),
  );

test("parses consecutive commits", () => {
  expect(parseLog(output(fields("a", { parents: "b c" }), fields("b")))).toEqual([commit("a", { parents: ["b", "c"] }), commit("b")]);
  expect(parseLog(Buffer.alloc(0))).toEqual([]);
});

test("leaves out an incomplete commit at the end", () => {
  expect(parseLog(output(fields("a"), fields("b").slice(0, 7)))).toEqual([commit("a")]);
});

test("reads a name that is not UTF-8 as Latin-1", () => {
  const bytes = Buffer.from(fields("a", { author: "Jos\u00e9" }).join("\0"), "latin1");
  expect(parseLog(bytes)).toEqual([commit("a", { author: "José" })]);
});

test("assigns file counts to the commit before them", () => {
  const stats = ["\n10\t25\ta.txt", "-\t-\tb\tc.png", "3\t0\t", "old", "new"];
  const binary = { path: "b\tc.png", additions: 0, deletions: 0, binary: true };
  expect(parseLogWithStats(output(fields("a"), stats, fields("b"), fields("c"), ["\n0\t4\td"]))).toEqual([
    commit("a", {
      stats: [
        { path: "a.txt", additions: 10, deletions: 25, binary: false },
        binary,
        { path: "new", additions: 3, deletions: 0, binary: false },
      ],
    }),
    commit("b", { stats: [] }),
    commit("c", { stats: [{ path: "d", additions: 0, deletions: 4, binary: false }] }),
  ]);
});

test.each([
  ["one line", "one line", ""],
  ["\n\none\n two\n\nbody\n\nmore\n\n", "one two", "body\n\nmore"],
  ["one\n \t\n\nbody", "one", "body"],
  ["", "", ""],
  ["subject\r\nsecond line\r\n\r\n\r\nbody\r\n", "subject second line", "body"],
  [" \r\n\t\nsubject\n\n \nbody", "subject", "body"],
])("splits the message %j into the subject %j and the body %j", (message, subject, body) => {
  expect(parseCommit(fields("a", { message }))).toMatchObject({ subject, body });
});

test("drops the marker of a shallow history from the refs", () => {
  expect(parseCommit(fields("a", { refs: "grafted, HEAD -> main, tag: v1" })).refs).toEqual(["HEAD -> main", "tag: v1"]);
  expect(parseCommit(fields("a", { refs: "grafted", parents: "b" })).refs).toEqual(["grafted"]);
  expect(parseCommit(fields("a", { refs: "grafted" })).refs).toEqual([]);
});

const manyRefs = (count: number): string => Array.from({ length: count }, (_, at) => `r${at}`).join(", ");
test.each([
  ["subject", { message: "x".repeat(2000) }, { message: "x".repeat(2001) }],
  ["author", { author: "x".repeat(2000) }, { author: "x".repeat(2001) }],
  ["body", { message: `s\n\n${"x".repeat(16_000)}` }, { message: `s\n\n${"x".repeat(16_001)}` }],
  ["list of refs", { refs: manyRefs(50) }, { refs: manyRefs(51) }],
])("keeps a %s at its limit whole and clips a longer one", (_what, full, longer) => {
  expect(parseCommit(fields("a", full))).not.toHaveProperty("clipped");
  const clipped = parseCommit(fields("a", longer));
  expect(clipped.clipped).toBe(true);
  expect(clipped.refs.length).toBeLessThanOrEqual(50);
  for (const text of [clipped.subject, clipped.author]) expect(text.length).toBeLessThanOrEqual(2001);
  expect(clipped.body.length).toBeLessThanOrEqual(16_001);
});

test("escapes characters that could hide or reorder a line, and keeps line ends", () => {
  const text = commitText(parseCommit(fields("a", { author: "A\u202e", message: "s\u0007\n\nline\t1\nl\u202ene 2" })));
  expect(text).toMatch(
    /^Commit: a\nAuthor: A\S+ <ana@x\.example>\nDate: 2026-01-31T14:00:00\+01:00\nMessage: s\S+\n\nline\t1\nl\S+ne 2\n$/,
  );
  for (const hidden of ["\u0007", "\u202e"]) expect(text).not.toContain(hidden);
});
