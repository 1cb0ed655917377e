// Where the commits of a blame changed long lines.
import { GitError } from "../errors.ts";
import type { Repository } from "../repository.ts";
import { decodeText } from "../text/file-names.ts";
import { changedParts, LONG_LINE, type LinePart } from "../text/long-lines.ts";
import type { Hunk } from "./blame-parser.ts";
import type { Blame } from "./blame.ts";
import { readObjectAt } from "./object-at.ts";

/** Lines after them are shown from their first column on: each is compared with every line of an older file. */
const MAX_LINES = 20;
const MAX_FILE_BYTES = 4 * 1024 * 1024;
/** What git calls the lines of the work tree. */
const UNCOMMITTED = /^0+$/;

/** By the number of the line. A line that has no like in the version before is left out. `start`: the number of the first line. */
export async function changedColumns(
  repository: Repository,
  { hunks, lines, path }: Blame,
  start: number,
  signal?: AbortSignal,
): Promise<ReadonlyMap<number, LinePart>> {
  const found = new Map<number, LinePart>();
  let left = MAX_LINES;
  for (const hunk of hunks) {
    const long = lines
      .slice(hunk.startLine - start, hunk.endLine - start + 1)
      .flatMap((line, index) => (line.length > LONG_LINE ? [{ number: hunk.startLine + index, line }] : []))
      .slice(0, left);
    if (long.length === 0) continue;
    left -= long.length;
    const before = await longLinesBefore(repository, hunk, path, signal);
    for (const { number, line } of long) {
      const part = changedPart(before, line);
      if (part !== undefined) found.set(number, part);
    }
    if (left === 0) break;
  }
  return found;
}

/** The long lines of the file before the commit of a hunk; none where there was no such file. */
async function longLinesBefore(repository: Repository, { hash, oldPath }: Hunk, path: string, signal?: AbortSignal): Promise<string[]> {
  try {
    const commit = UNCOMMITTED.test(hash) ? "HEAD" : `${hash}^`;
    const { bytes } = await readObjectAt(repository, commit, oldPath ?? path, MAX_FILE_BYTES, signal);
    return decodeText(bytes)
      .split("\n")
      .filter(({ length }) => length > LONG_LINE);
  } catch (error) {
    if (error instanceof GitError) return [];
    throw error;
  }
}

/** What differs from the line that is most like it, if more than half is the same. */
function changedPart(before: readonly string[], line: string): LinePart | undefined {
  let best: LinePart | undefined;
  for (const old of before) {
    const [, part] = changedParts(old, line);
    if (part.length < (best?.length ?? line.length / 2)) best = part;
  }
  return best;
}
