// Checks what a patch would stage: each changed file may hold only lines of the staged version and of the work tree, in their order.
import { clip } from "@oarlock/domain-kit";
import { GitError } from "../errors.ts";
import { lastValue } from "../process/config-list.ts";
import { gitFailure } from "../process/git-failure.ts";
import type { GitContext } from "../process/git-process.ts";
import { splitRecords } from "../process/nul-records.ts";
import { runRead } from "../process/read-command.ts";
import type { Repository } from "../repository.ts";
import { enterableEntryAt } from "../safety/file-entry.ts";
import { absolutePath, pathArguments } from "../safety/path-resolver.ts";
import { crossesSymlink } from "../safety/symlink-checks.ts";
import { nameFromText, nameToText } from "../text/file-names.ts";
import { liesBetween, linesOf, parseRegions } from "./line-changes.ts";

interface StagedFile {
  readonly mode: string;
  readonly oid: string;
}

const MAX_LIST_BYTES = 512 * 1024 * 1024;
const MAX_FILE_BYTES = 64 * 1024 * 1024;
const PLAIN = ["--no-renames", "--no-ext-diff", "--no-textconv", "--no-relative"];
const ALL_LINES = ["--text", "--unified=1000000000", ...PLAIN];
const GITLINK = "160000";
/** A path and a stage, the key of a file in conflict. */
const CONFLICT_KEY = /^(.*)\0[123]$/s;
const FILE_MODES: ReadonlySet<string> = new Set(["100644", "100755"]);

export interface PatchedPaths {
  readonly paths: readonly string[];
  /** Those with further changes in the work tree. */
  readonly partial: readonly string[];
}

/** The paths that differ in an index to which the patch was applied. Throws a {@link GitError} for what the work tree does not hold. */
export async function checkPatched(repository: Repository, patched: GitContext, signal?: AbortSignal): Promise<PatchedPaths> {
  const before = await stagedFiles(repository, repository.context, signal);
  const after = await stagedFiles(repository, patched, signal);
  const paths = [...new Set([...before.keys(), ...after.keys()])].filter((path) => !isSame(before.get(path), after.get(path)));
  const [inConflict] = paths.flatMap((key) => CONFLICT_KEY.exec(key)?.[1] ?? []);
  if (inConflict !== undefined)
    throw new GitError(
      "conflict",
      `Refused: the patch creates a file that is in conflict: ${clip(inConflict)}. Nothing was staged. Resolve the conflict in the file, then name it in files.`,
    );
  for (const path of paths) if (after.get(path)?.mode === GITLINK && hasMode(repository, path, GITLINK)) await repository.openNested(path);
  const modes = await modesInWorkTree(repository, patched, paths, signal);
  for (const path of paths) {
    const file = after.get(path);
    if (file === undefined) requireGone(repository, path);
    else await requireInWorkTree(repository, patched, { path, file, before: before.get(path), workTreeMode: modes.get(path) }, signal);
  }
  return { paths, partial: paths.filter((path) => modes.has(path)) };
}

const isSame = (one: StagedFile | undefined, other: StagedFile | undefined): boolean =>
  one?.mode === other?.mode && one?.oid === other?.oid;

/** By path, and in a conflict by path and stage. */
async function stagedFiles(repository: Repository, context: GitContext, signal?: AbortSignal): Promise<Map<string, StagedFile>> {
  const args = ["ls-files", "--stage", "-z"];
  const result = await runRead(context, { args, signal, maxBytes: MAX_LIST_BYTES });
  if (result.exitCode !== 0 || result.isTruncated) throw gitFailure(repository, result, args);
  return new Map(
    splitRecords(result.stdout).map((record) => {
      const end = record.indexOf(9);
      const [mode = "", oid = "", stage = "0"] = record.toString("latin1", 0, end).split(" ");
      return [nameToText(record.subarray(end + 1)) + (stage === "0" ? "" : `\0${stage}`), { mode, oid }];
    }),
  );
}

/** The modes of files that differ from the index, as git takes them from the work tree; zeros for a missing one. */
async function modesInWorkTree(
  repository: Repository,
  context: GitContext,
  paths: readonly string[],
  signal?: AbortSignal,
): Promise<Map<string, string>> {
  if (paths.length === 0) return new Map();
  const args = ["diff", "--raw", "-z", "--ignore-submodules=dirty", ...PLAIN, ...pathArguments(repository, paths)];
  const result = await runRead(context, { args, signal, maxBytes: MAX_LIST_BYTES });
  if (result.exitCode !== 0) throw gitFailure(repository, result, args);
  const records = splitRecords(result.stdout);
  const modes = new Map<string, string>();
  for (let at = 0; at + 1 < records.length; at += 2)
    modes.set(nameToText(records[at + 1] ?? Buffer.alloc(0)), records[at]?.toString().split(" ")[1] ?? "");
  return modes;
}

function requireGone(repository: Repository, path: string): void {
  const stat = enterableEntryAt(absolutePath(repository, nameFromText(path)));
  if (stat !== undefined && !stat.isDirectory() && !crossesSymlink(repository, path))
    throw foreign(path, "removes a file that is in the work tree");
}

interface PatchedFile {
  readonly path: string;
  readonly file: StagedFile;
  readonly before: StagedFile | undefined;
  /** Undefined where the file is as in the work tree. */
  readonly workTreeMode: string | undefined;
}

async function requireInWorkTree(repository: Repository, patched: GitContext, one: PatchedFile, signal?: AbortSignal): Promise<void> {
  const { path, file, before, workTreeMode } = one;
  if (before === undefined && enterableEntryAt(absolutePath(repository, nameFromText(path))) === undefined)
    throw foreign(path, "adds a file that is not in the work tree", "Write it with a file tool first.");
  // git takes a submodule that is not checked out for unchanged, whatever its commit.
  if (file.mode === GITLINK && !hasMode(repository, path, GITLINK)) throw foreign(path, "stages a submodule that is not checked out");
  if (file.mode !== before?.mode && (file.mode !== (workTreeMode ?? file.mode) || !hasMode(repository, path, file.mode)))
    throw foreign(path, `gives a file the mode ${file.mode}, which it does not have in the work tree`);
  if (workTreeMode === undefined || file.oid === before?.oid) return;
  if (!FILE_MODES.has(file.mode) || !FILE_MODES.has(workTreeMode))
    throw foreign(path, "changes a symbolic link or a submodule otherwise than the work tree");
  const content = await repository.object(file.oid, MAX_FILE_BYTES, signal);
  if (typeof content === "string" || content.size > content.bytes.length)
    throw foreign(path, "changes a file that is too large to be checked");
  const isKnown = before !== undefined && FILE_MODES.has(before.mode);
  const regions = parseRegions(await comparison(repository, isKnown ? repository.context : patched, path, signal));
  // A new file: of it the patch may hold a part.
  const allowed = isKnown ? regions : regions.map((region) => ({ ...region, removed: new Map() }));
  if (!liesBetween(linesOf(content.bytes.toString("latin1")), allowed)) throw foreign(path, "holds a line that the work tree does not");
}

/** Whether the entry in the work tree has the mode, also where git does not look at it (core.fileMode, core.symlinks). */
function hasMode(repository: Repository, path: string, mode: string): boolean {
  const stat = enterableEntryAt(absolutePath(repository, nameFromText(path)));
  if (mode === GITLINK) return enterableEntryAt(absolutePath(repository, nameFromText(`${path}/.git`))) !== undefined;
  if (mode === "120000") return stat?.isSymbolicLink() === true;
  const isExecutable = mode === "100755";
  const ignoresMode = lastValue(repository.state.config, "core.filemode") === "false" && !isExecutable;
  return stat?.isFile() === true && (ignoresMode || ((stat.mode & 0o100) !== 0) === isExecutable);
}

/** The file in an index and in the work tree, as git would store it. */
async function comparison(repository: Repository, context: GitContext, path: string, signal?: AbortSignal): Promise<string> {
  const args = ["diff", ...ALL_LINES, ...pathArguments(repository, [path])];
  const result = await runRead(context, { args, signal, maxBytes: 3 * MAX_FILE_BYTES });
  if (result.exitCode !== 0) throw gitFailure(repository, result, args);
  if (result.isTruncated) throw foreign(path, "changes a file that is too large to be checked");
  return result.stdout.toString("latin1");
}

const TAKE_HUNKS = "A patch stages what the work tree holds: take its hunks from git_diff_unstaged.";

const foreign = (path: string, what: string, remedy = TAKE_HUNKS): GitError =>
  new GitError("conflict", `Refused: the patch ${what}: ${clip(path)}. Nothing was staged. ${remedy}`);
