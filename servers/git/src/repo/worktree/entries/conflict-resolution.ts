// Resolves files in conflict by one side, or by given text: git stores the outcome in the index and writes it into the work tree.
import { clip } from "@oarlock/domain-kit";
import { GitError } from "../../errors.ts";
import { splitRecords } from "../../process/nul-records.ts";
import type { Repository } from "../../repository.ts";
import { enterableEntryAt } from "../../safety/file-entry.ts";
import { refuseUnfilteredFiles } from "../../safety/filter-check.ts";
import { absolutePath, pathArguments, pathInput, PATHS_FROM_INPUT, relativePath } from "../../safety/path-resolver.ts";
import { refuseSymlinkCrossing } from "../../safety/symlink-checks.ts";
import { readWorkTreeFile } from "../../safety/work-tree-file.ts";
import { nameFromText, nameToText } from "../../text/file-names.ts";
import { conflictRegions, type ConflictRegion } from "../conflicts.ts";
import { isAsMerged } from "./merged-file.ts";

export type Side = "ours" | "theirs";

export interface Resolution {
  readonly side?: Side | undefined;
  /** The text of the only file. */
  readonly content?: string | undefined;
}

export interface ResolvedFile {
  readonly path: string;
  /** Undefined where the side has deleted the file. */
  readonly entry: IndexEntry | undefined;
}

export interface ResolutionPlan {
  readonly files: readonly ResolvedFile[];
  readonly content: string | undefined;
  /** Files that were edited since the conflict: their contents would be lost. */
  readonly edited: readonly string[];
}

interface IndexEntry {
  readonly mode: string;
  readonly oid: string;
}

type Stages = ReadonlyMap<number, IndexEntry>;

const STAGE = { ours: 2, theirs: 3 } as const;
const MAX_FILES = 500;
const MAX_FILE_BYTES = 64 * 1024 * 1024;
const SUBMODULE = "160000";

/** What would be done. Throws for a file that is not in conflict. */
export async function planResolution(
  repository: Repository,
  files: readonly string[],
  { side, content }: Resolution,
  signal?: AbortSignal,
): Promise<ResolutionPlan> {
  repository.requireWorkTree();
  for (const file of files) refuseSymlinkCrossing(repository, relativePath(repository, file), file);
  const stages = await readStages(repository, files, signal);
  for (const file of files) requireInConflict(repository, file, [...stages.keys()]);
  if (stages.size > MAX_FILES) throw new GitError("too-large", `${stages.size} files are in conflict there: name at most ${MAX_FILES}.`);
  if (content !== undefined && stages.size !== 1)
    throw new GitError("invalid", "content resolves one file: name one file in files, and the others in calls of their own.");
  const resolved = [...stages].map(([path, of]) => ({ path, entry: side === undefined ? plainEntry(path, of) : of.get(STAGE[side]) }));
  const written = resolved.flatMap(({ path, entry }) => (entry === undefined ? [] : [nameFromText(path)]));
  await refuseUnfilteredFiles(repository, written, signal);
  return { files: resolved, content, edited: await editedFiles(repository, stages, signal) };
}

/** Puts the outcome into the index, then into the work tree: git itself writes and removes the files. */
export async function resolveConflicts(repository: Repository, { files, content }: ResolutionPlan, signal?: AbortSignal): Promise<void> {
  const deleted = files.filter(({ entry }) => entry === undefined).map(({ path }) => path);
  const kept = files.flatMap(({ path, entry }) => (entry === undefined ? [] : [{ path, ...entry }]));
  if (kept.length > 0) {
    const id = content === undefined ? undefined : await storeText(repository, kept[0]?.path ?? "", content, signal);
    const lines = kept.flatMap(({ path, mode, oid }) => [Buffer.from(`${mode} ${id ?? oid} 0\t`), nameFromText(path), Buffer.of(0)]);
    await repository.change({ args: ["update-index", "-z", "--index-info"], input: Buffer.concat(lines), signal });
    const input = pathInput(
      repository,
      kept.filter(({ mode }) => mode !== SUBMODULE).map(({ path }) => path),
    );
    const restore = ["restore", "--no-recurse-submodules", "--worktree", ...PATHS_FROM_INPUT];
    if (input.length > 0) await repository.change({ args: restore, input, signal });
  }
  if (deleted.length > 0)
    await repository.change({ args: ["rm", "--quiet", ...PATHS_FROM_INPUT], input: pathInput(repository, deleted), signal });
}

/** The id of a text, stored as `git add` would store it: with the line ends that the attributes of the file ask for. */
async function storeText(repository: Repository, path: string, content: string, signal?: AbortSignal): Promise<string> {
  const file = Buffer.concat([Buffer.from("--path="), nameFromText(path)]);
  const { stdout } = await repository.change({ args: ["hash-object", "-w", "--stdin", file], input: content, signal });
  return stdout.toString().trim();
}

/** The versions of each file in conflict, by stage. */
async function readStages(repository: Repository, files: readonly string[], signal?: AbortSignal): Promise<Map<string, Stages>> {
  const { stdout } = await repository.read({ args: ["ls-files", "--unmerged", "-z", ...pathArguments(repository, files)], signal });
  const stages = new Map<string, Map<number, IndexEntry>>();
  for (const record of splitRecords(stdout)) {
    const [mode = "", oid = "", stage = ""] = record.toString("latin1", 0, record.indexOf(9)).split(" ");
    const path = nameToText(record.subarray(record.indexOf(9) + 1));
    stages.set(path, (stages.get(path) ?? new Map<number, IndexEntry>()).set(Number(stage), { mode, oid }));
  }
  return stages;
}

function requireInConflict(repository: Repository, file: string, conflicting: readonly string[]): void {
  const path = relativePath(repository, file);
  if (conflicting.some((one) => one === path || one.startsWith(`${path}/`)) || (path === "." && conflicting.length > 0)) return;
  throw new GitError(
    "invalid",
    `${clip(path === "." ? "No file" : path)} is${path === "." ? "" : " not"} in conflict: git_status lists the files that are. Write other files with a file tool, and stage them without resolution and content.`,
  );
}

function plainEntry(path: string, stages: Stages): IndexEntry {
  const entry = stages.get(STAGE.ours) ?? stages.get(STAGE.theirs) ?? stages.get(1);
  if (entry?.mode.startsWith("100") === true) return entry;
  throw new GitError(
    "invalid",
    `${clip(path)} is a link or a submodule: content replaces plain files only. Choose a side with resolution.`,
  );
}

/** A file is untouched where it equals one side, or holds what the merge wrote. */
async function editedFiles(repository: Repository, stages: ReadonlyMap<string, Stages>, signal?: AbortSignal): Promise<string[]> {
  const paths = [...stages.keys()];
  const regions = await conflictRegions(repository, paths, signal);
  const edited: string[] = [];
  for (const [at, path] of paths.entries())
    if (!(await isUntouched(repository, path, { stages: stages.get(path) ?? new Map(), regions: regions[at] ?? [] }, signal)))
      edited.push(path);
  return edited;
}

interface InConflict {
  readonly stages: Stages;
  readonly regions: readonly ConflictRegion[];
}

async function isUntouched(repository: Repository, path: string, { stages, regions }: InConflict, signal?: AbortSignal): Promise<boolean> {
  const entry = enterableEntryAt(absolutePath(repository, nameFromText(path)));
  if (entry === undefined || entry.isDirectory()) return true;
  const bytes = readWorkTreeFile(repository, path, MAX_FILE_BYTES);
  if (bytes === undefined || bytes === "too-large") return false;
  const [base, ours, theirs] = [1, STAGE.ours, STAGE.theirs].map((stage) => stages.get(stage)?.oid);
  if (regions.length > 0 && ours !== undefined && theirs !== undefined)
    return await isAsMerged(repository, bytes, regions, { base, ours, theirs }, signal);
  const file = Buffer.concat([Buffer.from("--path="), nameFromText(path)]);
  const { stdout } = await repository.read({ args: ["hash-object", "--stdin", file], input: bytes, signal });
  const id = stdout.toString().trim();
  return [...stages.values()].some(({ oid }) => oid === id);
}
