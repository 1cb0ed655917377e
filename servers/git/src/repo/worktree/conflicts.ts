// Files in conflict, and where in them: the line numbers of what either side has between the markers.
import { lstatSync, readFileSync } from "node:fs";
import { leadsThroughLink } from "../safety/symlink-checks.ts";
import { bytesOf, textOf } from "../text/file-names.ts";
import { records } from "../process/nul-records.ts";
import { placeOf } from "../safety/path-resolver.ts";
import type { Repository } from "../repository.ts";
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
const LONGEST_MARKER = 1000;
const LARGEST = 4 * 1024 * 1024;

export async function conflictsIn(repository: Repository, signal?: AbortSignal): Promise<Conflict[]> {
  const { conflicts } = await statusOf(repository, 10_000, signal);
  const found = conflicts.slice(0, MOST_FILES);
  const sizes = await markerSizes(
    repository,
    found.map(({ path }) => path),
    signal,
  );
  return found.map(({ path, status }, at) => ({ path, status, regions: regionsOf(repository, path, sizes[at]) }));
}

/** What git makes a marker of, unless an attribute says otherwise. */
const USUAL = 7;

/** How many letters the markers of each file have: the attribute `conflict-marker-size`. */
async function markerSizes(repository: Repository, paths: readonly string[], signal?: AbortSignal): Promise<number[]> {
  if (paths.length === 0) return [];
  const input = Buffer.concat(paths.flatMap((path) => [bytesOf(path), Buffer.of(0)]));
  const { stdout } = await repository.run({ args: ["check-attr", "-z", "--stdin", "conflict-marker-size"], input, signal });
  // A path, the name of the attribute and its value, for each.
  const fields = records(stdout);
  return paths.map((_path, at) => {
    const size = Number.parseInt(fields[at * 3 + 2]?.toString() ?? "", 10);
    return size > 0 && size <= LONGEST_MARKER ? size : USUAL;
  });
}

function regionsOf(repository: Repository, path: string, size = USUAL): Region[] {
  const full = placeOf(repository, bytesOf(path));
  const stat = lstatSync(full, { throwIfNoEntry: false });
  if (stat === undefined || !stat.isFile() || stat.size > LARGEST || leadsThroughLink(repository, path)) return [];
  const found: Region[] = [];
  const [opens, parts, closes] = ["<", "|", ">"].map((letter) => `${letter.repeat(size)} `) as [string, string, string];
  const halves = "=".repeat(size);
  let ours = 0;
  let base = 0;
  let middle = 0;
  textOf(readFileSync(full))
    .split("\n")
    .forEach((line, at) => {
      const number = at + 1;
      if (line.startsWith(opens)) [ours, base, middle] = [number, 0, 0];
      else if (line.startsWith(parts) && ours > 0) base = number;
      else if ((line === halves || line === `${halves}\r`) && ours > 0) middle = number;
      else if (line.startsWith(closes) && middle > 0) {
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
