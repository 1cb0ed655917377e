/**
 * Breaks minified code into readable lines. For an uncaught error Node prints the line that threw; errors of an author are
 * thrown while a module loads.
 */
import { parseAst } from "rolldown/parseAst";

/** Length after which the next statement or member begins a new line. */
const LONG = 100;

/** Inserts line breaks only before statements and class members, where they never change the meaning. */
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
