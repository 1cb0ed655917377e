// Refuses to store or write files whose filter does not run: git would take their content unconverted, without an error. With Git LFS
// that stores the content of a large file in the history, or writes a pointer in place of a file.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { clip, systemErrorCode } from "@oarlock/domain-kit";
import { GitError } from "../errors.ts";
import { gitFailure } from "../process/git-failure.ts";
import type { GitContext } from "../process/git-process.ts";
import { splitRecords } from "../process/nul-records.ts";
import { runRead } from "../process/read-command.ts";
import { withTemporaryIndex } from "../process/temporary-index.ts";
import type { Repository } from "../repository.ts";
import { nameFromText, nameToText } from "../text/file-names.ts";
import { pathArguments } from "./path-resolver.ts";
import { entryAt } from "./file-entry.ts";

/** What a command writes into the work tree: the differences between two states. */
export interface TreeWrite {
  /** Operands of `git diff`; where only one id is given, the work tree is the other side. */
  readonly operands: readonly string[];
  /** The commit whose attributes count afterwards, besides those of today. */
  readonly commit?: string | undefined;
  readonly paths?: readonly string[] | undefined;
}

/** Whether a file is stored in the repository or written into the work tree. */
type Act = "stored" | "written";

interface UnfilteredFile {
  readonly path: string;
  readonly filter: string;
}

const MAX_BYTES = 256 * 1024 * 1024;
const MAX_NAMED = 5;
const MAX_ATTRIBUTES_BYTES = 1024 * 1024;
const ATTRIBUTES_FILE = /(?:^|\/)\.gitattributes$/;
const DIFF_OPTIONS = ["--name-status", "-z", "--no-renames", "--no-ext-diff", "--no-textconv", "--no-relative", "--ignore-submodules=all"];
/** The tree without entries, which git knows in every repository. */
const EMPTY_TREE = {
  sha1: "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
  sha256: "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321",
} as const;

/** Everything of a commit, for {@link TreeWrite}. */
export const wholeTree = (commit: string): TreeWrite => ({
  operands: [commit.length === EMPTY_TREE.sha1.length ? EMPTY_TREE.sha1 : EMPTY_TREE.sha256, commit],
  commit,
});

/** Throws where files cannot be stored as their filters would store them. `paths`: relative to the top. */
export async function refuseUnfilteredFiles(repository: Repository, paths: readonly Buffer[], signal?: AbortSignal): Promise<void> {
  refuse(repository, await unfilteredFiles(repository, repository.context, paths, [], signal), "stored");
}

/** Throws where a command would write files into the work tree that their filters would convert. */
export async function refuseUnfilteredWrites(repository: Repository, writes: readonly TreeWrite[], signal?: AbortSignal): Promise<void> {
  for (const write of writes) refuse(repository, await unfilteredWrites(repository, write, signal), "written");
}

/** The files that a command writes although their filter does not run. */
export async function unfilteredWrites(repository: Repository, write: TreeWrite, signal?: AbortSignal): Promise<UnfilteredFile[]> {
  const { paths, changesAttributes } = await writtenPaths(repository, write, signal);
  if (paths.length === 0) return [];
  const today = await unfilteredFiles(repository, repository.context, paths, [], signal);
  if (today.length > 0 || !changesAttributes || write.commit === undefined) return today;
  return withIndexOf(repository, write.commit, signal, (context) => unfilteredFiles(repository, context, paths, ["--cached"], signal));
}

/**
 * The notice that changed files may be unchanged: git compared them without their filter. Undefined where all filters run. To save a
 * process, attributes are looked up only where a `.gitattributes` file of the work tree mentions filters.
 */
export async function unfilteredNotice(
  repository: Repository,
  paths: readonly string[],
  signal?: AbortSignal,
): Promise<string | undefined> {
  const folders = new Set(paths.flatMap(foldersAround));
  const mentions = [...folders].some((folder) => mentionsFilter(join(repository.state.top, folder, ".gitattributes")));
  if (!mentions && !mentionsFilter(join(repository.state.commonDir, "info/attributes"))) return undefined;
  const files = await unfilteredFiles(repository, repository.context, paths.map(nameFromText), [], signal);
  if (files.length === 0) return undefined;
  return `[compared unconverted, may be unchanged: ${describeUnfiltered(files)}. ${repository.filters.remedy(files[0]?.filter ?? "")}]`;
}

/** `a/b/c.txt` → ``, `a`, `a/b` */
const foldersAround = (path: string): string[] => path.split("/").map((_name, index, names) => names.slice(0, index).join("/"));

/** A file that this user may not read has no attributes for git either. */
function mentionsFilter(file: string): boolean {
  try {
    const stat = entryAt(file);
    return stat?.isFile() === true && stat.size <= MAX_ATTRIBUTES_BYTES && readFileSync(file, "latin1").includes("filter");
  } catch (error) {
    if (systemErrorCode(error) === "EACCES") return false;
    throw error;
  }
}

/** The paths that a command writes, without those that it removes. */
async function writtenPaths(repository: Repository, { operands, paths = [], commit }: TreeWrite, signal?: AbortSignal) {
  const args = ["diff", ...DIFF_OPTIONS, ...operands, ...pathArguments(repository, paths)];
  const result = await repository.tryRead({ args, signal, maxBytes: MAX_BYTES });
  // A commit without a parent, or without a common ancestor.
  if (result.exitCode !== 0 && commit !== undefined && operands[0] !== wholeTree(commit).operands[0])
    return writtenPaths(repository, wholeTree(commit), signal);
  if (result.exitCode !== 0) throw gitFailure(repository, result, args);
  const records = splitRecords(result.stdout);
  const written: Buffer[] = [];
  let changesAttributes = false;
  for (let at = 0; at + 1 < records.length; at += 2) {
    const path = records[at + 1] ?? Buffer.alloc(0);
    changesAttributes ||= ATTRIBUTES_FILE.test(path.toString("latin1"));
    if (records[at]?.toString() !== "D") written.push(path);
  }
  return { paths: written, changesAttributes };
}

/** Those of the files whose attributes name a filter that does not run. */
async function unfilteredFiles(
  repository: Repository,
  context: GitContext,
  paths: readonly Buffer[],
  options: readonly string[],
  signal?: AbortSignal,
): Promise<UnfilteredFile[]> {
  if (paths.length === 0) return [];
  const input = Buffer.concat(paths.flatMap((path) => [path, Buffer.of(0)]));
  const args = ["check-attr", ...options, "-z", "--stdin", "filter"];
  const result = await runRead(context, { args, input, signal, maxBytes: MAX_BYTES });
  if (result.exitCode !== 0) throw gitFailure(repository, result, args);
  // For each file its path, the name of the attribute and the value.
  const fields = splitRecords(result.stdout);
  return paths.flatMap((path, index) => {
    const filter = fields[index * 3 + 2]?.toString() ?? "unspecified";
    const isNone = filter === "unspecified" || filter === "unset" || filter === "set" || repository.filters.names.has(filter);
    return isNone ? [] : [{ path: nameToText(path), filter }];
  });
}

/** Attributes of a commit can be read only from an index; this one is temporary. */
async function withIndexOf<T>(
  repository: Repository,
  commit: string,
  signal: AbortSignal | undefined,
  work: (context: GitContext) => Promise<T>,
): Promise<T> {
  return withTemporaryIndex(repository.context, async (context) => {
    const args = ["read-tree", commit];
    const result = await runRead(context, { args, signal });
    if (result.exitCode !== 0) throw gitFailure(repository, result, args);
    return await work(context);
  });
}

function refuse({ filters }: Repository, files: readonly UnfilteredFile[], act: Act): void {
  const [first] = files;
  if (first === undefined) return;
  throw new GitError(
    "unsafe",
    `Refused: ${describeUnfiltered(files)}, which does not run here: ${ACT_WORDS[act]}. ${filters.remedy(first.filter)}`,
  );
}

const ACT_WORDS = {
  stored: "the content would be stored unconverted",
  written: "it would be written unconverted, with Git LFS as a pointer",
} as const;

/** `a.bin, b.bin and 3 more have the filter lfs` */
export function describeUnfiltered(files: readonly UnfilteredFile[]): string {
  const names = files.slice(0, MAX_NAMED).map(({ path }) => clip(path));
  const more = files.length > MAX_NAMED ? ` and ${files.length - MAX_NAMED} more` : "";
  const filters = [...new Set(files.map(({ filter }) => clip(filter, 40)))].slice(0, MAX_NAMED);
  return `${names.join(", ")}${more} ${files.length === 1 ? "has" : "have"} the filter ${filters.join(", ")}`;
}
