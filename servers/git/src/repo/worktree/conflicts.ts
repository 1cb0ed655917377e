// Files in conflict, with the line numbers of what each side has between the markers.
import { escapeControls } from "@oarlock/domain-kit";
import { firstNames } from "../text/first-names.ts";
import { GitError } from "../errors.ts";
import { addNotice } from "../messages/notices.ts";
import type { GitArgument } from "../process/git-process.ts";
import { splitRecords } from "../process/nul-records.ts";
import type { Repository } from "../repository.ts";
import { crossesSymlink } from "../safety/symlink-checks.ts";
import { decodeText, nameFromText, nameToText } from "../text/file-names.ts";
import { readStatus } from "./status.ts";
import { readWorkTreeFile } from "../safety/work-tree-file.ts";

/** An end before its start: no lines. */
export interface LineRange {
  readonly start: number;
  readonly end: number;
}

export interface ConflictRegion {
  readonly ours: LineRange;
  readonly base?: LineRange;
  readonly theirs: LineRange;
}

export interface Conflict {
  readonly path: string;
  readonly status: string;
  /** Empty where the file has no markers: one side deleted it, or it is binary. */
  readonly regions: readonly ConflictRegion[];
}

const TAB = 9;
const MAX_NAMED = 5;
const MAX_STATUS_ENTRIES = 10_000;
const MAX_FILES = 200;
const MAX_REGIONS = 100;
const MAX_MARKER_LENGTH = 1000;
const MAX_FILE_BYTES = 4 * 1024 * 1024;
const DEFAULT_MARKER_LENGTH = 7;
const NAMES_ONLY = ["--name-only", "-z", "--no-renames", "--no-ext-diff", "--no-textconv", "--ignore-submodules=all"];

export async function readConflicts(repository: Repository, signal?: AbortSignal): Promise<Conflict[]> {
  const { conflicts } = await readStatus(repository, MAX_STATUS_ENTRIES, signal);
  const files = conflicts.slice(0, MAX_FILES);
  const regions = await conflictRegions(
    repository,
    files.map(({ path }) => path),
    signal,
  );
  return files.map(({ path, status }, index) => ({ path, status, regions: regions[index] ?? [] }));
}

/** The regions between markers in each of the files. */
export async function conflictRegions(repository: Repository, paths: readonly string[], signal?: AbortSignal): Promise<ConflictRegion[][]> {
  const lengths = await markerLengths(repository, paths, signal);
  return paths.map((path, index) => regionsOf(repository, path, lengths[index]));
}

/** The paths that are in conflict in the index. `paths`: only these, as arguments of git. */
export async function unmergedPaths(repository: Repository, paths: readonly GitArgument[], signal?: AbortSignal): Promise<Set<string>> {
  const { stdout } = await repository.read({ args: ["ls-files", "--unmerged", "-z", ...paths], signal });
  return pathsOf(stdout);
}

/** The names behind the tabs of a list of index entries. */
const pathsOf = (entries: Buffer): Set<string> =>
  new Set(splitRecords(entries).map((record) => nameToText(record.subarray(record.indexOf(TAB) + 1))));

/** Adds a notice where files that were staged as resolved still hold markers. */
export async function noticeLeftMarkers(repository: Repository, resolved: readonly string[], signal?: AbortSignal): Promise<void> {
  const left = await leftMarkers(repository, resolved, signal);
  if (left !== undefined) addNotice(`[conflict markers are still in ${left}: edit, then stage again before you commit]`);
}

/** Throws where files that were in conflict are staged with their markers: an operation that continues would commit them. */
export async function refuseLeftMarkers(repository: Repository, signal?: AbortSignal): Promise<void> {
  // git keeps the versions of a resolved file, also behind a commit.
  const { stdout } = await repository.read({ args: ["ls-files", "--resolve-undo", "-z"], signal });
  const resolved = pathsOf(stdout);
  if (resolved.size === 0) return;
  const staged = await repository.read({ args: ["diff", "--cached", ...NAMES_ONLY], signal });
  const uncommitted = splitRecords(staged.stdout)
    .map(nameToText)
    .filter((path) => resolved.has(path));
  const left = await leftMarkers(repository, uncommitted, signal);
  if (left !== undefined)
    throw new GitError(
      "conflict",
      `Conflict markers are still in ${left}: edit, stage again with git_add, then continue. Where they belong to the file, git_commit commits it first.`,
    );
}

/** The files that hold markers, with their lines; undefined where there are none. */
async function leftMarkers(repository: Repository, resolved: readonly string[], signal?: AbortSignal): Promise<string | undefined> {
  const paths = resolved.slice(0, MAX_FILES);
  const regions = await conflictRegions(repository, paths, signal);
  const left = paths.flatMap((path, index) => {
    const [first] = regions[index] ?? [];
    return first === undefined ? [] : [`${escapeControls(path)} (line ${first.ours.start - 1})`];
  });
  if (left.length === 0) return undefined;
  return firstNames(left, MAX_NAMED);
}

/** The attribute `conflict-marker-size` of each file. */
async function markerLengths(repository: Repository, paths: readonly string[], signal?: AbortSignal): Promise<number[]> {
  if (paths.length === 0) return [];
  const input = Buffer.concat(paths.flatMap((path) => [nameFromText(path), Buffer.of(0)]));
  const { stdout } = await repository.read({ args: ["check-attr", "-z", "--stdin", "conflict-marker-size"], input, signal });
  // For each file its path, the name of the attribute and the value.
  const fields = splitRecords(stdout);
  return paths.map((_path, index) => {
    const length = Number.parseInt(fields[index * 3 + 2]?.toString() ?? "", 10);
    return length > 0 && length <= MAX_MARKER_LENGTH ? length : DEFAULT_MARKER_LENGTH;
  });
}

function regionsOf(repository: Repository, path: string, markerLength = DEFAULT_MARKER_LENGTH): ConflictRegion[] {
  const bytes = crossesSymlink(repository, path) ? undefined : readWorkTreeFile(repository, path, MAX_FILE_BYTES);
  if (bytes === undefined || bytes === "too-large") return [];
  return findRegions(decodeText(bytes), markerLength).slice(0, MAX_REGIONS);
}

function findRegions(text: string, markerLength: number): ConflictRegion[] {
  const marker = (letter: string): string => letter.repeat(markerLength);
  const regions: ConflictRegion[] = [];
  // Line numbers of the markers of the current region; 0 for none.
  let start = 0;
  let base = 0;
  let middle = 0;
  for (const [index, line] of text.split("\n").entries()) {
    const number = index + 1;
    if (line.startsWith(`${marker("<")} `)) [start, base, middle] = [number, 0, 0];
    else if (line.startsWith(`${marker("|")} `) && start > 0) base = number;
    else if (line.replace(/\r$/, "") === marker("=") && start > 0) middle = number;
    else if (line.startsWith(`${marker(">")} `) && middle > 0) {
      regions.push({
        ours: { start: start + 1, end: (base === 0 ? middle : base) - 1 },
        ...(base > 0 && { base: { start: base + 1, end: middle - 1 } }),
        theirs: { start: middle + 1, end: number - 1 },
      });
      [start, base, middle] = [0, 0, 0];
    }
  }
  return regions;
}
