// The lines of short conflicts, so that a reply shows what to resolve.
import type { Repository } from "../../repository.ts";
import { crossesSymlink } from "../../safety/symlink-checks.ts";
import { readWorkTreeFile } from "../../safety/work-tree-file.ts";
import { decodeText } from "../../text/file-names.ts";
import type { Conflict } from "../conflicts.ts";

/** A conflict with the whole file where it is short, otherwise with the regions between markers, where these are short. */
export interface ShownConflict extends Conflict {
  readonly excerpt?: { readonly text: string; readonly isWhole: boolean };
}

const MAX_FILE_BYTES = 4 * 1024 * 1024;
/** Of all conflicts of a reply. */
const MAX_LINES = 30;
const MAX_CHARACTERS = 3000;

/** With --lockdown no lines are quoted: whose lines they are is not known. */
export function withLines(repository: Repository, conflicts: readonly Conflict[]): ShownConflict[] {
  if (repository.isTrusted !== undefined) return [...conflicts];
  let [linesLeft, charactersLeft] = [MAX_LINES, MAX_CHARACTERS];
  return conflicts.map((conflict) => {
    const { lines, isWhole } = linesOf(repository, conflict, linesLeft);
    const text = lines.join("\n");
    if (lines.length === 0 || lines.length > linesLeft || text.length > charactersLeft) return conflict;
    linesLeft -= lines.length;
    charactersLeft -= text.length;
    return { ...conflict, excerpt: { text, isWhole } };
  });
}

function linesOf(repository: Repository, { path, regions }: Conflict, most: number): { lines: string[]; isWhole: boolean } {
  const bytes = regions.length === 0 || crossesSymlink(repository, path) ? undefined : readWorkTreeFile(repository, path, MAX_FILE_BYTES);
  if (bytes === undefined || bytes === "too-large") return { lines: [], isWhole: false };
  const all = decodeText(bytes).replace(/\n$/, "").split("\n");
  if (all.length <= most) return { lines: all, isWhole: true };
  // The markers are part of the lines to resolve.
  return { lines: regions.flatMap(({ ours, theirs }) => all.slice(ours.start - 2, theirs.end + 1)), isWhole: false };
}
