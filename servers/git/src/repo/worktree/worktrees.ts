// Further work trees of a repository. A new one has to lie inside the allowed area, as the repository does.
import { existsSync, realpathSync } from "node:fs";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import { inAnotherTree } from "../refs/branches.ts";
import { GitError, clip } from "../errors.ts";
import { failure } from "../process/git-failure.ts";
import { textOf } from "../text/file-names.ts";
import { records } from "../process/nul-records.ts";
import type { Repository } from "../repository.ts";
import { checkRefName } from "../refs/revision-syntax.ts";
import { isInside, type Area } from "../safety/sandbox.ts";

export interface Worktree {
  readonly path: string;
  readonly head?: string;
  readonly branch?: string;
  readonly detached: boolean;
  readonly bare: boolean;
  readonly locked?: string;
  readonly prunable?: string;
  readonly current: boolean;
}

/** Those outside the area are not told by their paths. */
export const OUTSIDE = "(outside the allowed repositories)";

export async function listWorktrees(repository: Repository, area: Area, signal?: AbortSignal): Promise<Worktree[]> {
  const { stdout } = await repository.run({ args: ["worktree", "list", "--porcelain", "-z"], signal });
  const found: Worktree[] = [];
  let fields = new Map<string, string>();
  for (const record of records(stdout)) {
    const text = textOf(record);
    if (text !== "") {
      const end = text.indexOf(" ");
      fields.set(end === -1 ? text : text.slice(0, end), end === -1 ? "" : text.slice(end + 1));
      continue;
    }
    if (fields.size > 0) found.push(worktreeOf(fields, repository, area));
    fields = new Map();
  }
  return found;
}

function worktreeOf(fields: ReadonlyMap<string, string>, { facts }: Repository, area: Area): Worktree {
  const path = fields.get("worktree") ?? "";
  const head = fields.get("HEAD");
  const branch = fields.get("branch")?.replace(/^refs\/heads\//, "");
  const locked = fields.get("locked");
  const prunable = fields.get("prunable");
  const inside = area.inside(realOf(path) ?? resolve(path));
  return {
    path: inside ? path : OUTSIDE,
    // Before the first commit git writes zeros.
    ...(head !== undefined && !/^0+$/.test(head) && { head }),
    ...(branch !== undefined && { branch }),
    detached: fields.has("detached"),
    bare: fields.has("bare"),
    ...(locked !== undefined && { locked }),
    ...(prunable !== undefined && { prunable: inside ? prunable : "" }),
    current: realOf(path) === facts.top,
  };
}

function realOf(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}

/** The real path that a new folder will have; it must not be there yet. */
export function newFolder({ facts }: Repository, area: Area, given: string): string {
  const full = isAbsolute(given) ? resolve(given) : resolve(facts.top, given);
  // The nearest folder above that exists decides where it will be.
  let above = dirname(full);
  const names = [basename(full)];
  while (!existsSync(above) && dirname(above) !== above) {
    names.unshift(basename(above));
    above = dirname(above);
  }
  const base = realOf(above);
  const path = base === undefined ? undefined : join(base, ...names);
  const inGit = [facts.gitDir, facts.commonDir].some((dir) => !facts.bare && path !== undefined && isInside(path, dir));
  if (path === undefined || !area.inside(path) || inGit || names.some((name) => /^\.git$/i.test(name)))
    throw new GitError("denied", `Access denied - path outside the allowed repositories: ${clip(given)}`);
  if (existsSync(path)) throw new GitError("conflict", `There is something at ${clip(given)} already: give a path that is free.`);
  return path;
}

export interface NewWorktree {
  readonly path: string;
  /** A branch to check out, or with `create` to make. */
  readonly branch: string | undefined;
  readonly create: boolean;
  /** Where a new branch begins, or what is checked out without a branch. */
  readonly commit: string | undefined;
}

export async function addWorktree(
  repository: Repository,
  { path, branch, create, commit }: NewWorktree,
  signal?: AbortSignal,
): Promise<void> {
  if (branch !== undefined) checkRefName(branch, "branch");
  else if (create) throw new GitError("invalid", "branch is missing: the name of the one to create.");
  if (branch !== undefined && !create && commit !== undefined)
    throw new GitError(
      "invalid",
      "A branch that is there begins where it is: pass create with revision, or leave one of branch and revision out.",
    );
  const how = branch === undefined ? ["--detach"] : create ? ["--no-track", "-b", branch] : [];
  const what = branch === undefined || create ? (commit ?? "HEAD") : branch;
  const args = ["worktree", "add", "--no-guess-remote", ...how, "--", path, what];
  const ran = await repository.try({ args, signal });
  if (ran.code === 0) return;
  if (/already (?:checked out|used by worktree)/.test(ran.stderr)) throw inAnotherTree(branch ?? "");
  if (branch !== undefined && /invalid reference/.test(ran.stderr))
    throw new GitError("not-found", `There is no branch "${clip(branch)}"; git_branch lists what there is. To create it, pass create.`);
  if (/already exists/.test(ran.stderr))
    throw new GitError("conflict", `A branch "${clip(branch ?? "")}" exists already: leave create out to check it out.`);
  throw failure(repository, ran, ["worktree"]);
}

/** What stands in the way of removing a work tree without force; undefined when it was removed. */
export async function removeWorktree(
  repository: Repository,
  path: string,
  force: boolean,
  signal?: AbortSignal,
): Promise<"changes" | undefined> {
  const ran = await repository.try({ args: ["worktree", "remove", ...(force ? ["--force"] : []), "--", path], signal });
  if (ran.code === 0) return undefined;
  if (!force && /contains modified or untracked files|containing submodules/.test(ran.stderr)) return "changes";
  throw failure(repository, ran, ["worktree"]);
}

export async function pruneWorktrees(repository: Repository, signal?: AbortSignal): Promise<number> {
  const { stdout, stderr } = await repository.run({ args: ["worktree", "prune", "--verbose"], signal });
  return (stdout.toString() + stderr).match(/^Removing /gm)?.length ?? 0;
}
