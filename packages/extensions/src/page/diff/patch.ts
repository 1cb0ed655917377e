/** The hunks of a patch, also of one that was cut. */
import { parsePatch, type StructuredPatch } from "diff";

export type Hunk = StructuredPatch["hunks"][number];

/** One line of a hunk. */
export interface DiffLine {
  readonly sign: " " | "-" | "+";
  /** Line numbers before and after the change, where the line exists there. */
  readonly old?: number;
  readonly new?: number;
  readonly text: string;
  /** The changed line on the other side. */
  readonly partner?: DiffLine;
  /** The file ends here without a newline. */
  readonly isUnended?: boolean;
}

/** The hunks of a patch of git or of a unified diff. Throws an Error on text that is neither. */
export const hunksOf = (patch: string): Hunk[] => parsePatch(completed(patch)).flatMap(({ hunks }) => hunks);

const PATCH_START = /^(?:diff --|Index: |===|--- |@@ )/;

/** Divides a patch that begins in the middle of a hunk, as a later page of a diff does, before its first whole hunk. */
export function splitLaterPart(patch: string): { readonly start: string; readonly rest: string } {
  if (PATCH_START.test(patch)) return { start: "", rest: patch };
  const at = patch.search(/^@@ /m);
  return at === -1 ? { start: patch, rest: "" } : { start: patch.slice(0, at), rest: patch.slice(at) };
}

const HUNK_START = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/;

/** A cut patch with the line counts of what is there in its last hunk: the parser refuses others. */
function completed(patch: string): string {
  const at = patch.startsWith("@@ ") ? 0 : patch.lastIndexOf("\n@@ ") + 1;
  const lines = patch.slice(at).replace(/\n$/, "").split("\n");
  const [, oldStart, newStart] = HUNK_START.exec(lines[0] ?? "") ?? [];
  if (oldStart === undefined || lines.some((line, index) => index > 0 && !/^[ +\-\\]/.test(line))) return patch;
  const count = (signs: string): number => lines.slice(1).filter((line) => signs.includes(line[0] ?? "")).length;
  const header = `@@ -${oldStart},${count(" -")} +${newStart},${count(" +")} @@`;
  return `${patch.slice(0, at)}${[header, ...lines.slice(1)].join("\n")}\n`;
}

interface MutableLine extends DiffLine {
  partner?: DiffLine;
  isUnended?: boolean;
}

/** The lines of a hunk. A removed line and the added line in its place are partners. */
export function linesOf({ oldStart, newStart, lines }: Hunk): DiffLine[] {
  const found: MutableLine[] = [];
  let [before, after] = [oldStart, newStart];
  for (const line of lines) {
    const text = line.slice(1);
    const last = found.at(-1);
    if (line.startsWith("\\")) {
      if (last !== undefined) last.isUnended = true;
    } else if (line.startsWith("-")) found.push({ sign: "-", old: before++, text });
    else if (line.startsWith("+")) found.push({ sign: "+", new: after++, text });
    else found.push({ sign: " ", old: before++, new: after++, text });
  }
  pair(found);
  return found;
}

function pair(lines: readonly MutableLine[]): void {
  let removed: MutableLine[] = [];
  let isAdding = false;
  for (const line of lines) {
    if (line.sign === " " || (line.sign === "-" && isAdding)) [removed, isAdding] = [[], false];
    if (line.sign === "-") removed.push(line);
    if (line.sign !== "+") continue;
    isAdding = true;
    const partner = removed.shift();
    if (partner !== undefined) [line.partner, partner.partner] = [partner, line];
  }
}

/** The two sides of a row. */
export interface Sides {
  readonly left: DiffLine | undefined;
  readonly right: DiffLine | undefined;
}

/** Lines side by side: each removed line beside its partner. */
export function sidesOf(lines: readonly DiffLine[]): Sides[] {
  return lines.flatMap((line): Sides[] => {
    if (line.sign === " ") return [{ left: line, right: line }];
    if (line.sign === "-") return [{ left: line, right: line.partner }];
    return line.partner === undefined ? [{ left: undefined, right: line }] : [];
  });
}
