// A page of matching lines: their context, the limit and the bytes.
import { expect, test } from "vitest";
import type { SearchEvent } from "../../../../src/disk/search/contents/engine.ts";
import { MatchPage } from "../../../../src/disk/search/contents/match-page.ts";

const begin: SearchEvent = { type: "begin", file: 0 };
const end: SearchEvent = { type: "end", count: 0 };
const match = (number: number, text = `m${number}`, column = 0): SearchEvent => ({ type: "match", number, text, column });
const context = (number: number): SearchEvent => ({ type: "context", number, text: `c${number}` });

/** The page, and after how many events it was complete. */
function fill(events: readonly SearchEvent[], { limit = 100, maxBytes = 1e6, contextLines = 0, linesBefore = 0 } = {}) {
  const page = new MatchPage({ limit, maxBytes, contextLines });
  const index = events.findIndex((event) => page.add(event, "/f", linesBefore));
  const matches = page.matches.map(({ line, before, after }) => [line, before, after]);
  return { page, matches, events: index === -1 ? undefined : index + 1 };
}

test("returns a match with the lines around it, also those of neighbours", () => {
  const events = [begin, context(1), context(2), match(3), context(4), match(5), context(6), context(7), end];
  expect(fill(events, { contextLines: 2 }).matches).toEqual([
    [3, ["c1", "c2"], ["c4", "m5"]],
    [5, ["m3", "c4"], ["c6", "c7"]],
  ]);
  expect(fill(events, { contextLines: 1 }).matches).toEqual([
    [3, ["c2"], ["c4"]],
    [5, ["c4"], ["c6"]],
  ]);
  expect(fill(events).matches).toEqual([
    [3, [], []],
    [5, [], []],
  ]);
});

test("leaves lines apart from a match out of its context", () => {
  const events = [begin, match(1), context(2), context(9), match(10), end];
  expect(fill(events, { contextLines: 1 }).matches).toEqual([
    [1, [], ["c2"]],
    [10, ["c9"], []],
  ]);
});

test("ends the context at the end of the file", () => {
  const events = [begin, match(1), end, begin, context(2), match(3), end, begin, match(4)];
  expect(fill(events, { contextLines: 2 }).matches).toEqual([
    [1, [], []],
    [3, ["c2"], []],
    [4, [], []],
  ]);
});

test("completes a full page with the context after its last match", () => {
  const events = [begin, match(1), match(2), context(3), context(4), end];
  expect(fill(events, { limit: 1, contextLines: 2 })).toMatchObject({ matches: [[1, [], ["m2", "c3"]]], events: 4 });
  expect(fill(events, { limit: 1 })).toMatchObject({ matches: [[1, [], []]], events: 3 });
  expect(fill([begin, match(1), match(2), end], { limit: 1, contextLines: 2 })).toMatchObject({ matches: [[1, [], ["m2"]]], events: 4 });
  expect(fill(events, { limit: 2 }).events).toBeUndefined();
});

test("leaves out matches of earlier pages, except as context", () => {
  const events = [begin, match(1), match(2), match(3), end];
  expect(fill(events, { linesBefore: 2, contextLines: 1 }).matches).toEqual([[3, ["m2"], []]]);
  expect(fill(events, { linesBefore: 3 }).matches).toEqual([]);
});

test("ends a page before it exceeds its bytes, after at least one match", () => {
  const events = [begin, match(1, "x".repeat(98)), match(2, "y".repeat(98)), end];
  // Each match takes 2 × 4 for its path, 2 × 100 for its text and 120.
  expect(fill(events, { maxBytes: 656 })).toMatchObject({ matches: [[1], [2]].map(([line]) => [line, [], []]), events: undefined });
  expect(fill(events, { maxBytes: 655 })).toMatchObject({ matches: [[1, [], []]], events: 3 });
  expect(fill(events, { maxBytes: 1 })).toMatchObject({ matches: [[1, [], []]], events: 3 });
});

test("leaves out context lines that do not fit", () => {
  const events = [begin, context(1), match(2, "x".repeat(98)), context(3), end];
  // A context line takes 4 for the path, 2 × 4 for its text and 20.
  expect(fill(events, { maxBytes: 328 + 64, contextLines: 1 }).matches).toEqual([[2, ["c1"], ["c3"]]]);
  expect(fill(events, { maxBytes: 328 + 63, contextLines: 1 }).matches).toEqual([[2, ["c1"], []]]);
  expect(fill(events, { maxBytes: 328 + 31, contextLines: 1 }).matches).toEqual([[2, [], []]]);
});

test("strips a byte order mark from the first line", () => {
  const { page } = fill([begin, match(1, "\ufeffone"), match(2, "\ufefftwo")]);
  expect(page.matches.map(({ text }) => text)).toEqual(["one", "\ufefftwo"]);
});

test("counts columns from 1, and names the last line of a match over several", () => {
  const span = { endLine: 3, below: ["b", "c"] };
  const { page } = fill([begin, match(1, "abc", 2), { type: "match", number: 1, text: "a", column: 0, span }, end]);
  expect(page.matches).toMatchObject([
    { column: 3, text: "abc" },
    { column: 1, text: "a\nb\nc", endLine: 3 },
  ]);
  expect(page.matches[0]).not.toHaveProperty("endLine");
});

test("begins the context after the last line of a match over several", () => {
  const span = { endLine: 2, below: ["m2"] };
  const events: SearchEvent[] = [begin, { type: "match", number: 1, text: "m1", column: 0, span }, context(2), context(3), context(4), end];
  expect(fill(events, { contextLines: 1 }).matches).toEqual([[1, [], ["c3"]]]);
});
