// One commit with its diff against its first parent, or a file or folder as it was in a revision.
import { COMMIT_FIELDS, COMMIT_FORMAT, commitOf, type Commit } from "./commit-record.ts";
import { Budget } from "../diff/patch-budget.ts";
import { DIFF_FORM, finished, formArguments, placeOf, readDiff, type Diff, type DiffFormat } from "../diff/diff.ts";
import { DiffStream } from "../diff/diff-parser.ts";
import { GitError, clip } from "../errors.ts";
import { failure } from "../process/git-failure.ts";
import { bytesOf, textOf } from "../text/file-names.ts";
import { argumentOf, relativePath } from "../safety/path-resolver.ts";
import type { Repository } from "../repository.ts";

export interface ShowOptions {
  readonly contextLines: number;
  readonly format: DiffFormat;
  readonly maxBytes: number;
  readonly maxWire: number;
  readonly cursor?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface Shown {
  readonly commit: Commit;
  readonly diff: Diff;
}

export async function showCommit(repository: Repository, hash: string, options: ShowOptions): Promise<Shown> {
  const { contextLines, format, signal } = options;
  const question = ["show", repository.facts.gitDir, hash, contextLines, format];
  const from = placeOf(question, options.cursor);
  const budget = new Budget(options.maxBytes, options.maxWire, from, false);
  const diff = new DiffStream(format === "patch" ? budget : undefined);
  const stream = new CommitStream(diff);
  const args = [
    "show",
    `--format=${COMMIT_FORMAT}`,
    "--no-show-signature",
    "--decorate=short",
    "--diff-merges=first-parent",
    ...DIFF_FORM,
    ...formArguments(format, contextLines),
    hash,
  ];
  const incomplete = await readDiff(repository, { args }, stream, signal);
  return { commit: commitOf(stream.fields.map(textOf)), diff: finished(diff.files, budget, question, incomplete) };
}

/** Takes the fields of the commit off before the diff begins. */
class CommitStream {
  readonly fields: Buffer[] = [];
  readonly #diff: DiffStream;
  #rest: Buffer = Buffer.alloc(0);

  constructor(diff: DiffStream) {
    this.#diff = diff;
  }

  push(chunk: Buffer): void {
    let data = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    this.#rest = Buffer.alloc(0);
    while (this.fields.length < COMMIT_FIELDS) {
      const end = data.indexOf(0);
      if (end === -1) {
        this.#rest = data;
        return;
      }
      this.fields.push(data.subarray(0, end));
      data = data.subarray(end + 1);
    }
    this.#diff.push(data);
  }

  end(): void {
    this.#diff.end();
  }
}

export interface ObjectAt {
  readonly oid: string;
  readonly path: string;
  readonly type: "blob" | "tree" | "commit";
  readonly size: number;
  /** As many bytes as were asked for. */
  readonly bytes: Buffer;
}

/** A path that is not there, one of a submodule, or one whose content only the remote has. */
async function whyAbsent(repository: Repository, commit: string, path: string, signal?: AbortSignal): Promise<GitError> {
  const ran = await repository.try({ args: ["ls-tree", "-z", commit, "--", argumentOf(repository, path)], signal });
  if (ran.code !== 0) return failure(repository, ran, ["ls-tree"]);
  const { stdout } = ran;
  if (stdout.length === 0) return new GitError("not-found", `There is no ${clip(path)} in ${commit.slice(0, 12)}.`);
  if (stdout.toString("latin1", 0, 6) === "160000")
    return new GitError("invalid", `${clip(path)} is a submodule: its files are in a repository of its own.`);
  return new GitError(
    "failed",
    `The content of ${clip(path)} is missing here: only the remote has it (a partial clone), and nothing is fetched on the way. Fetch it with git first.`,
  );
}

/** A name with a line break in it is no line to ask with: the id that the folder gives it is. */
async function idAt(repository: Repository, commit: string, path: string, signal?: AbortSignal): Promise<string | undefined> {
  const { stdout } = await repository.run({ args: ["ls-tree", "-z", commit, "--", argumentOf(repository, path)], signal });
  return /^\d+ (?:blob|tree) ([0-9a-f]+)\t/.exec(stdout.toString("latin1"))?.[1];
}

/** What stands at a path in a revision; `keep` bytes of it. */
export async function objectAt(
  repository: Repository,
  commit: string,
  path: string,
  keep: number,
  signal?: AbortSignal,
): Promise<ObjectAt> {
  const relative = relativePath(repository, path);
  const name = /[\n\r]/.test(relative)
    ? await idAt(repository, commit, relative, signal)
    : Buffer.concat([Buffer.from(`${commit}:`), relative === "." ? Buffer.alloc(0) : bytesOf(relative)]);
  const found = name === undefined ? "missing" : await repository.object(name, keep, signal);
  if (typeof found === "string") throw await whyAbsent(repository, commit, path, signal);
  // A link to a submodule's commit is not in the store; nothing else is at a path.
  const type = found.type === "tree" ? "tree" : found.type === "blob" ? "blob" : "commit";
  return { oid: found.oid, path: relative, type, size: found.size, bytes: found.bytes };
}

export interface TreeEntry {
  readonly mode: string;
  readonly type: "blob" | "tree" | "commit";
  readonly hash: string;
  readonly name: Buffer;
}

/** The entries of a tree object. */
export function entriesOfTree(bytes: Buffer, idBytes: number): TreeEntry[] {
  const entries: TreeEntry[] = [];
  let at = 0;
  while (at < bytes.length) {
    const blank = bytes.indexOf(0x20, at);
    const end = bytes.indexOf(0, blank);
    if (blank === -1 || end === -1 || end + 1 + idBytes > bytes.length) break;
    const mode = bytes.toString("latin1", at, blank);
    const type = mode === "40000" ? "tree" : mode === "160000" ? "commit" : "blob";
    entries.push({
      mode: mode.padStart(6, "0"),
      type,
      hash: bytes.toString("hex", end + 1, end + 1 + idBytes),
      name: bytes.subarray(blank + 1, end),
    });
    at = end + 1 + idBytes;
  }
  return entries;
}
