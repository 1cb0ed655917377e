// Hunks of `git blame --porcelain`.
import { expect, test } from "vitest";
import { parseBlame } from "../../../src/repo/history/blame-parser.ts";

const [A, B] = ["a".repeat(40), "b".repeat(40)];
const facts = (author: string, zone: string, file: string, seconds = 1_769_864_400): string =>
  `author ${author}\nauthor-mail <x@x.example>\nauthor-time ${seconds}\nauthor-tz ${zone}\nsummary About ${author}\nfilename ${file}\n`;
const group = (hash: string, old: number, start: number, count: number, lines: string[], known = ""): string =>
  lines.map((line, at) => `${hash} ${old + at} ${start + at}${at === 0 ? ` ${count}\n${known}` : "\n"}\t${line}\n`).join("");
const blame = (text: string) => parseBlame(Buffer.from(text), "f");

test("joins adjoining groups of one commit into one hunk", () => {
  const text =
    group(A, 1, 1, 1, ["one"], facts("Ana", "+0100", "f")) +
    group(A, 5, 2, 2, ["two", "three"], "filename f\n") +
    group(B, 1, 4, 1, ["four"], facts("Bo", "-0330", "f")) +
    group(A, 9, 5, 1, ["five"], "filename f\n");
  const ana = { hash: A, author: "Ana", date: "2026-01-31T14:00:00+01:00", summary: "About Ana" };
  expect(blame(text)).toEqual([
    { startLine: 1, endLine: 3, ...ana },
    { startLine: 4, endLine: 4, hash: B, author: "Bo", date: "2026-01-31T09:30:00-03:30", summary: "About Bo" },
    { startLine: 5, endLine: 5, ...ana },
  ]);
});

test("orders hunks by line", () => {
  const text = group(B, 1, 3, 1, ["three"], facts("Bo", "+0000", "f")) + group(A, 1, 1, 2, ["one", "two"], facts("Ana", "+0000", "f"));
  expect(blame(text).map(({ startLine, endLine }) => [startLine, endLine])).toEqual([
    [1, 2],
    [3, 3],
  ]);
});

test("names a hunk's file under its former name", () => {
  const text =
    group(A, 1, 1, 1, ["one"], facts("Ana", "+0000", "old name")) +
    group(A, 1, 2, 1, ["two"], "filename f\n") +
    group(A, 2, 3, 1, ["three"], "filename f\n") +
    group(B, 3, 4, 1, ["four"], facts("Bo", "+0000", '"caf\\303\\251"'));
  expect(blame(text).map(({ startLine, endLine, oldPath }) => [startLine, endLine, oldPath])).toEqual([
    [1, 1, "old name"],
    [2, 3, undefined],
    [4, 4, undefined],
  ]);
});

test("reads lines that look like fields or groups as content", () => {
  const text = group(A, 1, 1, 3, ["author Eve", `${B} 1 1 1`, ""], facts("Ana", "+0000", "f"));
  expect(blame(text)).toMatchObject([{ startLine: 1, endLine: 3, author: "Ana" }]);
});

test("decodes names, and gives times beyond the calendar no date", () => {
  const latin1 = Buffer.from(group(A, 1, 1, 1, ["x"], facts("Jos\u00e9", "+0000", "f")), "latin1");
  expect(parseBlame(latin1, "f")).toMatchObject([{ author: "José", summary: "About José" }]);
  expect(blame(group(A, 1, 1, 1, ["x"], facts("José", "+0000", "f", 1e15)))).toMatchObject([{ author: "José", date: "" }]);
  expect(blame(group(A, 1, 1, 1, ["x"], facts("Ana", "odd", "f")))).toMatchObject([{ date: "2026-01-31T13:00:00+00:00" }]);
});

test("returns no hunks for empty output", () => {
  expect(blame("")).toEqual([]);
});
