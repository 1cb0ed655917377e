// Edits of made-up texts, many of them, the same in every run: the two must find the same diff.
import { same, type Row } from "../row.ts";

const ROWS = process.env["OARLOCK_LONG"] === "1" ? 120 : 40;

/** Numbers below `below` that look like chance (mulberry32). */
function chance(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

const WORDS = ["alpha", "beta", "", "}", "  return x;", "\tif (y) {", "é", "x", "x", "end"];

function madeUp(seed: number): Row {
  const next = chance(seed);
  const lines = Array.from({ length: 1 + next(seed % 3 === 0 ? 200 : 30) }, () => WORDS[next(WORDS.length)] ?? "");
  const edits: { oldText: string; newText: string }[] = [];
  for (let count = 1 + next(4); count > 0; count--) {
    // A mark of its own makes each place the only one.
    const at = next(lines.length);
    const mark = `mark ${seed}.${count}`;
    lines.splice(at, 0, mark);
    const before = next(3) === 0 ? `${lines[at - 1] ?? ""}\n` : "";
    const fresh = Array.from({ length: next(4) }, () => WORDS[next(WORDS.length)] ?? "").join("\n");
    if (at > 0 && before !== "") edits.push({ oldText: `${before}${mark}`, newText: fresh });
    else edits.push({ oldText: mark, newText: fresh });
  }
  // An edit whose place another one has taken away would be refused.
  const text = lines.join("\n") + (next(2) === 0 ? "\n" : "");
  const usable = edits.filter(
    ({ oldText }, at) =>
      text.split(oldText).length === 2 && !edits.some((other, place) => place !== at && overlaps(text, oldText, other.oldText)),
  );
  return same(
    `made-up edit ${seed}`,
    { f: text },
    ["edit_file", { path: "{}/f", edits: usable.length > 0 ? usable : [{ oldText: text, newText: "all" }] }],
    ["read_text_file", { path: "{}/f" }],
  );
}

function overlaps(text: string, one: string, other: string): boolean {
  const [a, b] = [text.indexOf(one), text.indexOf(other)];
  return a < b + other.length && b < a + one.length;
}

export const madeUpEdits: readonly Row[] = Array.from({ length: ROWS }, (_, at) => madeUp(at + 1));
