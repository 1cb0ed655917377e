// The unified diff of a file before and after an edit. Only the changed part is compared, so that the cost does not grow with the file.
import { setImmediate } from "node:timers/promises";
import type { StructuredPatch } from "diff";
import { escapeControls } from "@oarlock/domain-kit";
import { nativePaths } from "../../access/path-syntax.ts";
import { clipLongLines } from "./long-lines.ts";

type Hunk = StructuredPatch["hunks"][number];

/** Lines kept on both sides of the change: more than a hunk shows, so that the comparison sees its surroundings. */
const MARGIN = 32;
/** With more changed lines all old lines are shown before all new ones, because pairing them would take too long. */
const MAX_CHANGES = 2000;
/** So many characters are compared synchronously, however much they differ. */
const AT_ONCE = 256 * 1024;
/** So many changed lines of longer texts are compared synchronously too; with more, the library yields after every step, which is slower. */
const FEW_CHANGES = 600;
/** Lines shown on both sides of a change. */
const CONTEXT = 4;
const BLOCK = 4096;

export interface Compared {
  readonly diff: string;
  /** Changed lines, of the complete diff. */
  readonly additions: number;
  readonly deletions: number;
  /** Counted from 1; absent where the texts are the same. */
  readonly firstChangedLine?: number;
  /** Long lines are shown in part. */
  readonly hasCutLines?: true;
}

/** The diff of two texts with LF only. `linesBefore`: of the file, where the texts are a part of it. */
export async function unifiedDiff(path: string, before: string, after: string, linesBefore = 0): Promise<Compared> {
  const { structuredPatch, formatPatch, OMIT_HEADERS } = await import("diff");
  const name = escapeControls(path);
  const { head, from, oldTo, newTo } = changedStretch(before, after);
  const [old, next] = [before.slice(from, oldTo), after.slice(from, newTo)];
  const comparing = (maxEditLength: number, callback?: (patch: StructuredPatch | undefined) => void) =>
    callback === undefined
      ? structuredPatch(name, name, old, next, "original", "modified", { maxEditLength, context: CONTEXT })
      : structuredPatch(name, name, old, next, "original", "modified", { maxEditLength, context: CONTEXT, callback });
  let patch: StructuredPatch | undefined;
  if (old.length + next.length <= AT_ONCE) patch = comparing(MAX_CHANGES);
  else {
    const least = changedLines(old, next);
    await setImmediate();
    // Moved lines need more edits than that; the last line may differ in its newline only.
    if (least <= FEW_CHANGES) patch = comparing(least + 2);
    if (least <= MAX_CHANGES) patch ??= await new Promise<StructuredPatch | undefined>((done) => comparing(MAX_CHANGES, done));
  }
  const skipped = linesBefore + countNewlines(before, from);
  const hunks = patch === undefined ? [wholeHunk(old, next)] : patch.hunks;
  const moved = hunks.map((hunk) => ({
    ...hunk,
    oldStart: hunk.oldStart + skipped,
    newStart: hunk.newStart + skipped,
    lines: clipLongLines(hunk.lines),
  }));
  const hasCutLines = moved.some(({ lines }, at) => lines.some((line, index) => line !== hunks[at]?.lines[index]));
  const [additions, deletions] = ["+", "-"].map((sign) => countLines(hunks, sign)) as [number, number]; // one for each sign
  if (hunks.length === 0) return { diff: header(name), additions, deletions };
  const names = { oldFileName: name, newFileName: name, oldHeader: undefined, newHeader: undefined };
  const diff = header(name) + formatPatch({ ...names, hunks: moved }, OMIT_HEADERS);
  return {
    diff,
    additions,
    deletions,
    firstChangedLine: skipped + 1 + countNewlines(before.slice(from, head), head),
    ...(hasCutLines && { hasCutLines }),
  };
}

const countLines = (hunks: readonly Hunk[], sign: string): number =>
  hunks.reduce((sum, { lines }) => sum + lines.filter((line) => line.startsWith(sign)).length, 0);

// The library would quote a name with spaces or letters beyond ASCII; the reference server prints it unchanged, and always absolute.
function header(name: string): string {
  if (!nativePaths.path.isAbsolute(name)) return `--- ${name}\n+++ ${name}\n`;
  return `Index: ${name}\n${"=".repeat(67)}\n--- ${name}\toriginal\n+++ ${name}\tmodified\n`;
}

/** The part in which two texts differ, with complete lines and the margin. */
function changedStretch(before: string, after: string): { head: number; from: number; oldTo: number; newTo: number } {
  const least = Math.min(before.length, after.length);
  let head = 0;
  // Blocks first: comparing strings is many times faster than comparing characters.
  while (head + BLOCK <= least && before.slice(head, head + BLOCK) === after.slice(head, head + BLOCK)) head += BLOCK;
  while (head < least && before.charCodeAt(head) === after.charCodeAt(head)) head += 1;
  let tail = 0;
  const endsAlike = (from: number) =>
    before.slice(before.length - from - BLOCK, before.length - from) === after.slice(after.length - from - BLOCK, after.length - from);
  while (tail + BLOCK <= least - head && endsAlike(tail)) tail += BLOCK;
  while (tail < least - head && before.charCodeAt(before.length - 1 - tail) === after.charCodeAt(after.length - 1 - tail)) tail += 1;
  let from = head;
  for (let line = 0; line <= MARGIN && from > 0; line += 1) from = from < 2 ? 0 : before.lastIndexOf("\n", from - 2) + 1;
  let oldTo = before.length - tail;
  for (let line = 0; line <= MARGIN && oldTo < before.length; line += 1) oldTo = before.indexOf("\n", oldTo) + 1 || before.length;
  return { head, from, oldTo, newTo: after.length - (before.length - oldTo) };
}

/** The number of lines that only one text has, wherever they are. A diff has at least so many changes, and counting needs no pairing. */
function changedLines(old: string, next: string): number {
  const left = new Map<string, number>();
  const lines = old.split("\n");
  for (const line of lines) left.set(line, (left.get(line) ?? 0) + 1);
  let [kept, added] = [0, 0];
  for (const line of next.split("\n")) {
    const count = left.get(line) ?? 0;
    if (count === 0) added += 1;
    else {
      left.set(line, count - 1);
      kept += 1;
    }
    if (added > MAX_CHANGES) return added;
  }
  return added + lines.length - kept;
}

function countNewlines(text: string, to: number): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at !== -1 && at < to; at = text.indexOf("\n", at + 1)) count += 1;
  return count;
}

/** All old lines before all new ones, with context around them: without context `git apply` takes the hunk for the whole file. */
function wholeHunk(old: string, next: string): Hunk {
  const [before, after] = [linesOf(old), linesOf(next)];
  const least = Math.min(before.length, after.length);
  let head = 0;
  while (head < least && before[head] === after[head]) head += 1;
  let tail = 0;
  while (tail < least - head && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  const from = Math.max(0, head - CONTEXT);
  const more = Math.min(tail, CONTEXT);
  const [oldEnd, newEnd] = [before.length - tail, after.length - tail];
  return {
    oldStart: from + 1,
    oldLines: oldEnd + more - from,
    newStart: from + 1,
    newLines: newEnd + more - from,
    lines: [
      ...marked(" ", before.slice(from, head)),
      ...marked("-", before.slice(head, oldEnd)),
      ...marked("+", after.slice(head, newEnd)),
      ...marked(" ", before.slice(oldEnd, oldEnd + more)),
    ],
  };
}

/** Each with its newline, where it has one. */
const linesOf = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];

const marked = (sign: string, lines: readonly string[]): string[] =>
  lines.flatMap((line) => (line.endsWith("\n") ? [sign + line.slice(0, -1)] : [sign + line, "\\ No newline at end of file"]));
