// Branches: listing, creating, switching.
import { lineOf } from "../history/commit-record.ts";
import { eachRef } from "./ref-list.ts";
import { GitError, clip } from "../errors.ts";
import { failure } from "../process/git-failure.ts";
import type { Repository } from "../repository.ts";
import { checkRefName, nearestNames } from "./revision-syntax.ts";

export type BranchType = "local" | "remote" | "all";

export interface Branch {
  readonly name: string;
  readonly head: string;
  readonly upstream?: string;
  readonly ahead?: number;
  readonly behind?: number;
  readonly current: boolean;
  readonly remote: boolean;
  /** Checked out in another work tree. */
  readonly worktree?: string;
  readonly lastCommit: { readonly date: string; readonly subject: string };
}

export interface BranchOptions {
  readonly type: BranchType;
  readonly contains?: string | undefined;
  readonly notContains?: string | undefined;
  readonly merged?: string | undefined;
  readonly sort: "name" | "date";
  readonly limit: number;
  readonly signal?: AbortSignal | undefined;
}

const FIELDS =
  "%(refname)%00%(objectname)%00%(upstream:short)%00%(upstream:track,nobracket)%00%(HEAD)%00%(worktreepath)%00%(committerdate:iso-strict)%00%(contents:subject)%00%(symref)";

export async function listBranches(
  repository: Repository,
  options: BranchOptions,
): Promise<{ branches: Branch[]; broken: readonly string[]; more: boolean; detached: string | undefined }> {
  const { type, contains, notContains, merged, sort, limit, signal } = options;
  const { lines, broken, cut } = await eachRef(
    repository,
    [
      `--format=${FIELDS}`,
      `--count=${limit + 1}`,
      sort === "date" ? "--sort=-committerdate" : "--sort=refname",
      ...(contains === undefined ? [] : [`--contains=${contains}`]),
      ...(notContains === undefined ? [] : [`--no-contains=${notContains}`]),
      ...(merged === undefined ? [] : [`--merged=${merged}`]),
    ],
    [...(type === "remote" ? [] : ["refs/heads/"]), ...(type === "local" ? [] : ["refs/remotes/"])],
    signal,
  );
  const branches = lines.slice(0, limit).map((line) => branchOf(line, repository.facts.top));
  const head = repository.head();
  return { branches, broken, more: cut || lines.length > limit, detached: head.branch === undefined ? head.oid : undefined };
}

function branchOf(line: string, top: string): Branch {
  const [ref = "", head = "", upstream = "", track = "", isHead = "", worktree = "", date = "", subject = ""] = line.split("\0");
  const ahead = Number(/ahead (\d+)/.exec(track)?.[1] ?? 0);
  const behind = Number(/behind (\d+)/.exec(track)?.[1] ?? 0);
  return {
    name: ref.replace(/^refs\/(?:heads|remotes)\//, ""),
    head,
    ...(upstream !== "" && { upstream, ...(track !== "gone" && { ahead, behind }) }),
    current: isHead === "*",
    remote: ref.startsWith("refs/remotes/"),
    ...(worktree !== "" && worktree !== top && isHead !== "*" && { worktree }),
    lastCommit: { date, subject: lineOf(subject) },
  };
}

/** Creates a branch at a commit. */
export async function createBranch(repository: Repository, name: string, commit: string, signal?: AbortSignal): Promise<void> {
  checkRefName(name, "branch");
  const ran = await repository.try({ args: ["branch", "--no-track", "--", name, commit], signal });
  if (ran.code === 0) return;
  if (/already exists/.test(ran.stderr))
    throw new GitError("conflict", `A branch "${clip(name)}" exists already: take another name, or switch to it with git_checkout.`);
  throw failure(repository, ran, ["branch"]);
}

export interface Switched {
  readonly branch: string | undefined;
  readonly head: string | undefined;
}

export interface SwitchOptions {
  readonly create: boolean;
  readonly detach: boolean;
  readonly signal?: AbortSignal | undefined;
}

export async function switchTo(repository: Repository, name: string, { create, detach, signal }: SwitchOptions): Promise<Switched> {
  repository.needsWorkTree();
  const common = ["checkout", "--no-recurse-submodules", "--quiet"];
  let args: string[];
  if (create) {
    checkRefName(name, "branch");
    args = [...common, "--no-track", "-b", name];
  } else if (detach) args = [...common, "--detach", await repository.commit(name, signal)];
  else args = [...common, ...(await targetOf(repository, name, signal))];
  const ran = await repository.try({ args, signal });
  if (/already (?:checked out|used by worktree)/.test(ran.stderr)) throw inAnotherTree(name);
  if (ran.code !== 0) throw failure(repository, ran, args);
  const { branch } = repository.head();
  return { branch, head: await repository.headCommit(signal) };
}

/** Where that tree is may be none of the caller's business. */
export const inAnotherTree = (branch: string): GitError =>
  new GitError(
    "conflict",
    `The branch "${clip(branch)}" is checked out in another work tree: take another branch, or pass create with a new name.`,
  );

/** A branch of here; else a branch of the one remote that has it; else any commit, without a branch. */
async function targetOf(repository: Repository, name: string, signal?: AbortSignal): Promise<string[]> {
  if (name === "") throw new GitError("invalid", "The branch name is empty.");
  if (typeof (await local(repository, `refs/heads/${name}`, signal)) !== "string") return [name, "--"];
  if (/^[\w./-]+$/.test(name) && typeof (await local(repository, name, signal)) === "string") {
    const remotes = (await repository.refNames(signal, ["refs/remotes"])).filter((ref) => ref.slice(ref.indexOf("/") + 1) === name);
    if (remotes.length > 0) return [name, "--"];
    const near = nearestNames(name, await repository.refNames(signal));
    const hint = near.length > 0 ? ` Did you mean ${near.map((one) => `"${one}"`).join(", ")}?` : " git_branch lists what there is.";
    throw new GitError("not-found", `There is no branch "${clip(name)}".${hint} To create it, pass create.`);
  }
  return ["--detach", await repository.commit(name, signal)];
}

const local = (repository: Repository, name: string, signal?: AbortSignal) =>
  /[\n]/.test(name) ? ("missing" as const) : repository.object(name, undefined, signal);
