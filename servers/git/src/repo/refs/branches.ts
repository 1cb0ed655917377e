// Branches: listing, creating, renaming and deleting.
import { clip } from "@oarlock/domain-kit";
import { GitError } from "../errors.ts";
import { truncateLine } from "../history/commit-record.ts";
import { gitFailure, missingObjectOf } from "../process/git-failure.ts";
import { addressIn, HIDDEN } from "../lockdown/trusted-authors.ts";
import type { Repository } from "../repository.ts";
import { isByteName, nameFromText } from "../text/file-names.ts";
import { dateOf, hasRef, listRefNames, listRefs, suggestNames } from "./ref-list.ts";
import { checkRefName } from "./revision-syntax.ts";

export type BranchType = "local" | "remote" | "all";

export interface Branch {
  readonly name: string;
  readonly head: string;
  readonly upstream?: string;
  readonly ahead?: number;
  readonly behind?: number;
  readonly current: boolean;
  readonly remote: boolean;
  /** The folder of another work tree that has it checked out. */
  readonly worktree?: string;
  readonly lastCommit: { readonly date: string; readonly subject: string };
}

export interface BranchOptions {
  readonly type: BranchType;
  /** Commit ids that the branches must or must not contain, or must or must not be merged into. */
  readonly contains?: string | undefined;
  readonly notContains?: string | undefined;
  readonly merged?: string | undefined;
  readonly notMerged?: string | undefined;
  readonly sort: "name" | "date";
  readonly limit: number;
  readonly signal?: AbortSignal | undefined;
}

export interface BranchList {
  readonly branches: Branch[];
  /** Full names of branches whose commit is missing. */
  readonly broken: readonly string[];
  readonly hasMore: boolean;
  /** The commit at a detached HEAD. */
  readonly detached: string | undefined;
}

const FIELDS =
  "%(refname)%00%(objectname)%00%(upstream:short)%00%(upstream:track,nobracket)%00%(HEAD)%00%(worktreepath)%00%(committerdate:iso-strict)%00%(contents:subject)%00%(authoremail)%00%(symref)";

export async function listBranches(repository: Repository, options: BranchOptions): Promise<BranchList> {
  const { type, contains, notContains, merged, notMerged, sort, limit, signal } = options;
  const { lines, broken, isTruncated } = await listRefs(
    repository,
    [
      `--format=${FIELDS}`,
      `--count=${limit + 1}`,
      sort === "date" ? "--sort=-committerdate" : "--sort=refname",
      ...(contains === undefined ? [] : [`--contains=${contains}`]),
      ...(notContains === undefined ? [] : [`--no-contains=${notContains}`]),
      ...(merged === undefined ? [] : [`--merged=${merged}`]),
      ...(notMerged === undefined ? [] : [`--no-merged=${notMerged}`]),
    ],
    [...(type === "remote" ? [] : ["refs/heads/"]), ...(type === "local" ? [] : ["refs/remotes/"])],
    signal,
  );
  const branches = lines.slice(0, limit).map((line) => parseBranch(line, repository));
  const head = repository.head();
  const detached = head.branch === undefined ? head.oid : undefined;
  return { branches, broken, hasMore: isTruncated || lines.length > limit, detached };
}

function parseBranch(line: string, { state, isTrusted }: Repository): Branch {
  const [ref = "", head = "", upstream = "", track = "", headMark = "", worktree = "", date = "", subject = "", email = ""] =
    line.split("\0");
  const ahead = Number(/ahead (\d+)/.exec(track)?.[1] ?? 0);
  const behind = Number(/behind (\d+)/.exec(track)?.[1] ?? 0);
  return {
    name: ref.replace(/^refs\/(?:heads|remotes)\//, ""),
    head,
    ...(upstream !== "" && { upstream, ...(track !== "gone" && { ahead, behind }) }),
    current: headMark === "*",
    remote: ref.startsWith("refs/remotes/"),
    ...(worktree !== "" && worktree !== state.top && headMark !== "*" && { worktree }),
    lastCommit: { date: dateOf(date), subject: isTrusted?.(addressIn(email)) === false ? HIDDEN : truncateLine(subject) },
  };
}

/** Creates a branch at a commit. */
export async function createBranch(repository: Repository, name: string, commit: string, signal?: AbortSignal): Promise<void> {
  checkRefName(name, "branch");
  const taken = `Branch "${clip(name)}" already exists: choose another name, or switch to it with git_checkout.`;
  await repository.create({ args: ["branch", "--no-track", "--", name, commit], signal }, taken);
}

/** The commit of a local branch. Throws where there is no such branch. */
export async function resolveBranch(repository: Repository, name: string, signal?: AbortSignal): Promise<string> {
  // A name that is not UTF-8 is given as lists write it.
  if (!isByteName(name)) checkRefName(name, "branch");
  const found = await repository.object(nameFromText(`refs/heads/${name}`), undefined, signal);
  if (typeof found !== "string") return found.oid;
  const near = suggestNames(name, await listRefNames(repository, signal, ["refs/heads"]));
  if (await hasRef(repository, ["refs/heads/"], name, signal)) throw missingObjectOf(name);
  const hint = near.length > 0 ? `did you mean ${near.map((one) => `"${one}"`).join(", ")}?` : "git_branch lists the branches.";
  throw new GitError("not-found", `There is no branch "${clip(name)}": ${hint}`);
}

/** Deletes a branch. Returns "unmerged" where it has commits that are not merged and `force` is false: it is kept then. */
export async function deleteBranch(
  repository: Repository,
  name: string,
  force: boolean,
  signal?: AbortSignal,
): Promise<"deleted" | "unmerged"> {
  const result = await repository.tryChange({
    args: ["branch", "--delete", ...(force ? ["--force"] : []), "--", nameFromText(name)],
    signal,
  });
  if (result.exitCode === 0) return "deleted";
  if (!force && /is not fully merged/.test(result.stderr)) return "unmerged";
  // The message of git names the folder of the work tree, which may lie outside the sandbox.
  if (/checked out at|used by worktree/.test(result.stderr)) {
    const isHere = repository.head().branch === name;
    const remedy = isHere ? ": switch to another branch with git_checkout first" : " in another work tree, which git_worktree lists";
    throw new GitError("conflict", `Branch "${clip(name)}" is checked out${remedy}.`);
  }
  throw gitFailure(repository, result, ["branch"]);
}

/** How many commits of a branch no other branch, remote branch or tag has. */
export async function countUnmerged(repository: Repository, name: string, hash: string, signal?: AbortSignal): Promise<number> {
  const others = [nameFromText(`--exclude=${name}`), "--branches", "--remotes", "--tags"];
  const { stdout } = await repository.read({ args: ["rev-list", "--count", hash, "--not", ...others], signal });
  return Number(stdout.toString());
}

/** Renames a local branch. */
export async function renameBranch(repository: Repository, from: string, name: string, signal?: AbortSignal): Promise<void> {
  checkRefName(name, "branch");
  // A branch without commits is not an object yet; git renames it too.
  if (repository.head().branch !== from) await resolveBranch(repository, from, signal);
  const taken = `Branch "${clip(name)}" already exists: choose another name.`;
  await repository.create({ args: ["branch", "--move", "--", nameFromText(from), name], signal }, taken);
}
