// Files in conflict, and where in them: the line numbers of what either side has between the markers.
import { lstatSync, readFileSync } from "node:fs";
import { leadsThroughLink } from "./links.ts";
import { bytesOf, textOf } from "./names.ts";
import { placeOf } from "./paths.ts";
import type { Repository } from "./repository.ts";
import { statusOf } from "./status.ts";

export interface Lines {
  readonly start: number;
  readonly end: number;
}

export interface Region {
  readonly ours: Lines;
  readonly base?: Lines;
  readonly theirs: Lines;
}

export interface Conflict {
  readonly path: string;
  readonly status: string;
  /** None where the file has no markers: deleted by one side, or binary. */
  readonly regions: readonly Region[];
}

const MOST_FILES = 200;
const MOST_REGIONS = 100;
const LARGEST = 4 * 1024 * 1024;

export async function conflictsIn(repository: Repository, signal?: AbortSignal): Promise<Conflict[]> {
  const { conflicts } = await statusOf(repository, 10_000, signal);
  return conflicts.slice(0, MOST_FILES).map(({ path, status }) => ({ path, status, regions: regionsOf(repository, path) }));
}

function regionsOf(repository: Repository, path: string): Region[] {
  const full = placeOf(repository, bytesOf(path));
  const stat = lstatSync(full, { throwIfNoEntry: false });
  if (stat === undefined || !stat.isFile() || stat.size > LARGEST || leadsThroughLink(repository, path)) return [];
  const found: Region[] = [];
  let ours = 0;
  let base = 0;
  let middle = 0;
  textOf(readFileSync(full))
    .split("\n")
    .forEach((line, at) => {
      const number = at + 1;
      if (line.startsWith("<<<<<<< ")) [ours, base, middle] = [number, 0, 0];
      else if (line.startsWith("||||||| ") && ours > 0) base = number;
      else if (/^=======\r?$/.test(line) && ours > 0) middle = number;
      else if (line.startsWith(">>>>>>> ") && middle > 0) {
        const oursEnd = (base === 0 ? middle : base) - 1;
        // Lines between the markers; an end before its start means none.
        found.push({
          ours: { start: ours + 1, end: oursEnd },
          ...(base > 0 && { base: { start: base + 1, end: middle - 1 } }),
          theirs: { start: middle + 1, end: number - 1 },
        });
        [ours, base, middle] = [0, 0, 0];
      }
    });
  return found.slice(0, MOST_REGIONS);
}
