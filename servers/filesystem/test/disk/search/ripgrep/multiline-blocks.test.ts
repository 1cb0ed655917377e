// The reader of ripgrep's blocks: whatever the pieces in which its output comes, the lines are the same.
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { MultilineBlocks } from "../../../../src/disk/search/ripgrep/multiline-blocks.ts";
import type { SearchEvent } from "../../../../src/disk/search/contents/engine.ts";

const message = (type: string, data: object): string => `${JSON.stringify({ type, data })}\n`;

/** Names and lines that look like the marks for which the reader looks. */
const OUTPUT = Buffer.from(
  [
    message("begin", { path: { text: 'a"submatches":[' } }),
    message("context", { path: { text: "a" }, lines: { text: '"submatches":[{"match"\n' }, line_number: 1, submatches: [] }),
    message("match", {
      path: { text: "a" },
      lines: { text: 'x},"start":1,"end":2}\r\n"submatches":[]\nü foo\nbar\nlast\n' },
      line_number: 2,
      absolute_offset: 99,
      submatches: [
        { match: { text: "x" }, start: 0, end: 1 },
        { match: { text: '},"start":1,"end":2}' }, start: 1, end: 21 },
        { match: { text: "foo\nbar" }, start: 42, end: 49 },
      ],
    }),
    message("match", {
      path: { text: "a" },
      lines: { bytes: Buffer.from("gr\xfcn\nfoo\n", "latin1").toString("base64") },
      line_number: 9,
      submatches: [{ match: { bytes: "/G4K" }, start: 2, end: 5 }],
    }),
    message("end", { path: { text: "a" }, stats: {} }),
    message("summary", { stats: {} }),
  ].join(""),
);

const EXPECTED: readonly SearchEvent[] = [
  { type: "begin", file: 7 },
  { type: "context", number: 1, text: '"submatches":[{"match"' },
  { type: "match", number: 2, text: 'x},"start":1,"end":2}', column: 0, span: { endLine: 2, below: [] } },
  { type: "context", number: 3, text: '"submatches":[]' },
  { type: "match", number: 4, text: "ü foo", column: 2, span: { endLine: 5, below: ["bar"] } },
  { type: "context", number: 5, text: "bar" },
  { type: "context", number: 6, text: "last" },
  { type: "match", number: 9, text: "grün", column: 2, span: { endLine: 9, below: [] } },
  { type: "context", number: 10, text: "foo" },
  { type: "end", count: 3 },
];

function read(pieces: readonly Buffer[], enough = Infinity, contextLines = 2): SearchEvent[] {
  const taken: SearchEvent[] = [];
  const fileOf = (name: string) => (name === 'a"submatches":[' ? 7 : undefined);
  const blocks = new MultilineBlocks(fileOf, (event) => taken.push(event) >= enough, contextLines);
  for (const piece of pieces) if (blocks.push(piece)) break;
  return taken;
}

test("parses one piece and pieces of every size alike", () => {
  for (let size = 1; size <= OUTPUT.length; size++) {
    const pieces = Array.from({ length: Math.ceil(OUTPUT.length / size) }, (_, at) => OUTPUT.subarray(at * size, (at + 1) * size));
    expect(read(pieces)).toEqual(EXPECTED);
  }
});

test("parses pieces of random sizes alike", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: OUTPUT.length }), { maxLength: 12 }), (cuts) => {
      const at = [0, ...cuts.toSorted((a, b) => a - b), OUTPUT.length];
      expect(read(at.slice(1).map((end, index) => OUTPUT.subarray(at[index], end)))).toEqual(EXPECTED);
    }),
  );
});

test("stops when the receiver has enough", () => {
  for (let enough = 1; enough <= EXPECTED.length; enough++) expect(read([OUTPUT], enough)).toEqual(EXPECTED.slice(0, enough));
});

test.each([
  [0, []],
  [1, [2, 9]],
  [3, [2, 3, 4, 7, 8, 9]],
  [20, [2, 3, 4, 5, 6, 7, 8, 9]],
])("emits lines inside a match that may be context of another: with %i", (contextLines, numbers) => {
  for (const end of ["", "\n"]) {
    const text = `${Array.from({ length: 9 }, (_, at) => `line ${at + 1}`).join("\n")}${end}`;
    const hits = [{ match: { text }, start: 0, end: text.length }];
    const output = Buffer.from(message("match", { lines: { text }, line_number: 1, submatches: hits }));
    const [match, ...around] = read([output], Infinity, contextLines);
    expect(match).toMatchObject({ number: 1, text: "line 1", span: { endLine: 9 } });
    expect(around).toEqual(numbers.map((number) => ({ type: "context", number, text: `line ${number}` })));
  }
});
