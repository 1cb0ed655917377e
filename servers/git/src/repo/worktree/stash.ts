// Work put aside: git's stash.
import { lineOf } from "../history/commit-record.ts";
import { GitError } from "../errors.ts";
import { failure, plain } from "../process/git-failure.ts";
import { identityOf } from "./committer-identity.ts";
import { textOf } from "../text/file-names.ts";
import { records } from "../process/nul-records.ts";
import { FROM_INPUT, pathInput } from "../safety/path-resolver.ts";
import type { Repository } from "../repository.ts";
import type { HostEnvironment } from "../process/user-config.ts";

export interface Stash {
  readonly index: number;
  readonly hash: string;
  readonly date: string;
  readonly message: string;
}

export async function listStashes(
  repository: Repository,
  most: number,
  signal?: AbortSignal,
): Promise<{ stashes: Stash[]; more: boolean }> {
  const { stdout } = await repository.run({
    args: ["stash", "list", "-z", `--max-count=${most + 1}`, "--format=%H%x00%cI%x00%gs"],
    signal,
  });
  const fields = records(stdout).map(textOf);
  const stashes: Stash[] = [];
  for (let at = 0; at + 2 < fields.length; at += 3)
    stashes.push({ index: stashes.length, hash: fields[at] ?? "", date: fields[at + 1] ?? "", message: lineOf(fields[at + 2] ?? "") });
  return { stashes: stashes.slice(0, most), more: stashes.length > most };
}

/** The commit of one stash. */
export async function stashCommit(repository: Repository, index: number, signal?: AbortSignal): Promise<string> {
  const found = await repository.object(`refs/stash@{${index}}`, undefined, signal);
  if (typeof found !== "string") return found.oid;
  const { stashes } = await listStashes(repository, 100, signal);
  throw new GitError(
    "not-found",
    stashes.length === 0 ? "Nothing is stashed." : `There is no stash ${index}: there are ${stashes.length}, from 0.`,
  );
}

/** What shows a stash: where untracked files were put aside they stand in a third parent of its own, which only git's command puts in. */
export async function stashCompared(repository: Repository, hash: string, signal?: AbortSignal): Promise<string[]> {
  const untracked = await repository.object(`${hash}^3`, undefined, signal);
  return typeof untracked === "string" ? ["diff", `${hash}^1`, hash] : ["stash", "show", "--include-untracked", hash];
}

export interface PushOptions {
  readonly message?: string | undefined;
  readonly includeUntracked: boolean;
  readonly keepIndex: boolean;
  readonly paths: readonly string[];
  readonly host: HostEnvironment;
  readonly signal?: AbortSignal | undefined;
}

/** False when there was nothing to put aside. */
export async function pushStash(repository: Repository, options: PushOptions): Promise<boolean> {
  repository.needsWorkTree();
  const { message, includeUntracked, keepIndex, paths, host, signal } = options;
  // A stash is made under a name of its own where nobody said who commits.
  const env = await identityOf(repository, host).catch(() => ({}));
  const { stdout } = await repository.run({
    args: [
      "stash",
      "push",
      ...(includeUntracked ? ["--include-untracked"] : []),
      ...(keepIndex ? ["--keep-index"] : []),
      ...(message === undefined ? [] : [`--message=${message}`]),
      ...(paths.length > 0 ? FROM_INPUT : []),
    ],
    ...(paths.length > 0 && { input: pathInput(repository, paths) }),
    // Without paths git names the top by magic to itself, and would not find it among literal names.
    env: { ...env, ...(paths.length === 0 && { GIT_LITERAL_PATHSPECS: "0" }) },
    signal,
  });
  return !/No local changes to save/.test(stdout.toString());
}

/** Brings changes back; `pop` also drops the stash, unless there were conflicts. */
export async function applyStash(repository: Repository, how: "apply" | "pop", index: number, signal?: AbortSignal): Promise<void> {
  repository.needsWorkTree();
  await stashCommit(repository, index, signal);
  const ran = await repository.try({ args: ["stash", how, "--quiet", `stash@{${index}}`], signal });
  if (ran.code === 0) return;
  const conflicts = (ran.stdout.toString().match(/^CONFLICT .*$/gm) ?? []).slice(0, 50).join("\n");
  if (/would be overwritten/.test(ran.stderr))
    throw new GitError(
      "conflict",
      `The stash was not applied: it would overwrite changes that are not committed. Commit or stash them first. git says: ${plain(repository, ran.stderr)}`,
    );
  // The rest of it is applied by then.
  if (/could not restore untracked files/.test(ran.stderr)) {
    const first = conflicts === "" ? "" : "Resolve the conflicts and stage the files with git_add. ";
    throw new GitError(
      "conflict",
      `Only changes of tracked files were applied; untracked files of the stash, which is kept, would have overwritten others. ${first}Before the stash is dropped, bring what is missing with git_show and a path from revision stash@{${index}}^3. git says: ${plain(repository, ran.stderr)}\n${conflicts}`.trimEnd(),
    );
  }
  if (conflicts !== "")
    throw new GitError(
      "conflict",
      `The stash was applied with conflicts, and is kept. Resolve them, stage the files with git_add, then drop the stash.\n${conflicts}`,
    );
  throw failure(repository, ran, ["stash"]);
}

export async function dropStash(repository: Repository, index: number, signal?: AbortSignal): Promise<void> {
  await repository.run({ args: ["stash", "drop", "--quiet", `stash@{${index}}`], signal });
}
