/**
 * Minified code in lines that can be looked at: what Node shows of an error that nobody caught is the line that threw, and the
 * mistakes of an author are thrown while a module is loaded.
 */
import { parseAst } from "rolldown/parseAst";

/** As long as a line gets before the next statement or member begins another one. */
const LONG = 100;

/** Line breaks go where a statement or a member of a class begins, and nowhere else: nothing else is sure to be the same after it. */
export function breakLines(code: string): string {
  const places = [...startsIn(parseAst(code))].toSorted((a, b) => a - b);
  let from = 0;
  const lines: string[] = [];
  for (const at of places) {
    if (at - Math.max(from, code.lastIndexOf("\n", at) + 1) < LONG) continue;
    lines.push(code.slice(from, at));
    from = at;
  }
  return [...lines, code.slice(from)].join("\n");
}

function* startsIn(node: unknown): Generator<number> {
  if (typeof node !== "object" || node === null) return;
  for (const [key, value] of Object.entries(node)) {
    if (key === "body" && Array.isArray(value)) for (const { start } of value as { start: number }[]) yield start; // as ESTree has it
    yield* startsIn(value);
  }
}
