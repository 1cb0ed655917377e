// Linked work trees of a repository. A new one must lie inside the sandbox, as the repository does.
import { existsSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { clip, escapeControls } from "@oarlock/domain-kit";
import { GitError } from "../errors.ts";
import { addNotice } from "../messages/notices.ts";
import { gitFailure } from "../process/git-failure.ts";
import { splitRecords } from "../process/nul-records.ts";
import { checkRefName } from "../refs/revision-syntax.ts";
import { unfinishedFolder } from "../remote/unfinished-folder.ts";
import type { Repository } from "../repository.ts";
import { refuseUnfilteredWrites, wholeTree } from "../safety/filter-check.ts";
import { isIgnored } from "../safety/git-directory/nested-repositories.ts";
import { requireReadableRef } from "../safety/git-directory/ref-files.ts";
import { isInside, realPath, type Sandbox } from "../safety/sandbox.ts";
import { nameFromText, nameToText } from "../text/file-names.ts";
import { inAnotherWorktree } from "./branch-switch.ts";

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

/** Shown in place of the path of a work tree outside the sandbox. */
const HIDDEN_PATH = "(outside the allowed repositories)";

export async function listWorktrees(repository: Repository, sandbox: Sandbox, signal?: AbortSignal): Promise<Worktree[]> {
  const { stdout } = await repository.read({ args: ["worktree", "list", "--porcelain", "-z"], signal });
  const worktrees: Worktree[] = [];
  let fields = new Map<string, string>();
  for (const record of splitRecords(stdout)) {
    const text = nameToText(record);
    if (text !== "") {
      const end = text.indexOf(" ");
      fields.set(end === -1 ? text : text.slice(0, end), end === -1 ? "" : text.slice(end + 1));
      continue;
    }
    if (fields.size > 0) worktrees.push(worktreeOf(fields, repository, sandbox));
    fields = new Map();
  }
  return worktrees;
}

function worktreeOf(fields: ReadonlyMap<string, string>, { state }: Repository, sandbox: Sandbox): Worktree {
  const path = fields.get("worktree") ?? "";
  const head = fields.get("HEAD");
  const branch = fields.get("branch")?.replace(/^refs\/heads\//, "");
  const locked = fields.get("locked");
  const prunable = fields.get("prunable");
  const isAllowed = sandbox.contains(realPath(path) ?? resolve(path));
  return {
    path: isAllowed ? path : HIDDEN_PATH,
    // Zeros stand for HEAD before the first commit.
    ...(head !== undefined && !/^0+$/.test(head) && { head }),
    ...(branch !== undefined && { branch }),
    detached: fields.has("detached"),
    bare: fields.has("bare"),
    ...(locked !== undefined && { locked }),
    ...(prunable !== undefined && { prunable: isAllowed ? prunable : "" }),
    current: realPath(path) === state.top,
  };
}

/** The real path of a folder that does not exist yet. Throws for one outside the sandbox. */
export function resolveNewFolder({ state }: Repository, sandbox: Sandbox, given: string): string {
  const full = isAbsolute(given) ? resolve(given) : resolve(state.top, given);
  // The nearest existing folder decides where the new one will be.
  let existing = dirname(full);
  const names = [basename(full)];
  while (!existsSync(existing) && dirname(existing) !== existing) {
    names.unshift(basename(existing));
    existing = dirname(existing);
  }
  const base = realPath(existing);
  const path = base === undefined ? undefined : join(base, ...names);
  const isInGit = [state.gitDir, state.commonDir].some((folder) => !state.isBare && path !== undefined && isInside(path, folder));
  if (path === undefined || !sandbox.contains(path) || isInGit || names.some((name) => /^\.git$/i.test(name)))
    throw new GitError(
      "denied",
      `Access denied - path outside the allowed repositories: ${clip(given)}. Give a folder inside the repository, such as ${clip(basename(full))}.`,
    );
  if (existsSync(path)) throw new GitError("conflict", `${clip(given)} already exists: give the path of a new folder.`);
  return path;
}

export interface NewWorktree {
  readonly path: string;
  /** A branch to check out, or with `create` to create. */
  readonly branch: string | undefined;
  readonly create: boolean;
  /** The start of a new branch; without `branch`, the commit to check out. */
  readonly commit: string | undefined;
}

export async function addWorktree(
  repository: Repository,
  { path, branch, create, commit }: NewWorktree,
  signal?: AbortSignal,
): Promise<void> {
  if (branch !== undefined) checkRefName(branch, "branch");
  else if (create) throw new GitError("invalid", "branch is missing: give the name of the branch to create.");
  if (branch !== undefined && !create && commit !== undefined)
    throw new GitError(
      "invalid",
      "An existing branch has its own commit: pass create together with revision, or leave out branch or revision.",
    );
  const start = commit ?? (await startOf(repository, branch, create, signal));
  if (branch !== undefined && !create) requireReadableRef(repository.state, branch);
  if (start !== undefined) await refuseUnfilteredWrites(repository, [wholeTree(start)], signal);
  const how = branch === undefined ? ["--detach"] : create ? ["--no-track", "-b", branch] : [];
  const what = branch === undefined || create ? (commit ?? "HEAD") : branch;
  const args = ["worktree", "add", "--no-guess-remote", ...how, "--", path, what];
  const result = await repository.tryChange({ args, signal, onKilled: unfinishedFolder(path) });
  if (result.exitCode === 0) return;
  const name = clip(branch ?? "");
  if (/already (?:checked out|used by worktree)/.test(result.stderr)) throw inAnotherWorktree(branch ?? "");
  if (branch !== undefined && /invalid reference/.test(result.stderr))
    throw new GitError("not-found", `There is no branch "${name}": git_branch lists the branches. To create it, pass create.`);
  if (/already exists/.test(result.stderr))
    throw new GitError("conflict", `Branch "${name}" already exists: leave out create to check it out.`);
  throw gitFailure(repository, result, ["worktree"]);
}

/** Adds a notice for a new work tree inside this one, whose files git takes for a repository of its own there. */
export async function noticeInnerWorktree(repository: Repository, path: string, signal?: AbortSignal): Promise<void> {
  const { top, isBare } = repository.state;
  if (isBare || !isInside(path, top)) return;
  const inner = relative(top, path).split(sep).join("/");
  if (await isIgnored(repository, inner, signal)) return;
  addNotice(
    `[it lies inside this work tree, where git_add ["."] would stage it as a link: put a line /${escapeControls(inner)}/ into .gitignore or .git/info/exclude]`,
  );
}

/** The commit of an existing branch, or of HEAD; undefined where git reports what is missing. */
async function startOf(
  repository: Repository,
  branch: string | undefined,
  create: boolean,
  signal?: AbortSignal,
): Promise<string | undefined> {
  const name = branch === undefined || create ? "HEAD" : `refs/heads/${branch}`;
  const found = await repository.object(name, undefined, signal);
  return typeof found === "string" ? undefined : found.oid;
}

/** Removes a work tree. Returns "changes" where it has changes and `force` is false: it is kept then. */
export async function removeWorktree(
  repository: Repository,
  path: string,
  force: boolean,
  signal?: AbortSignal,
): Promise<"removed" | "changes"> {
  const result = await repository.tryChange({
    args: ["worktree", "remove", ...(force ? ["--force"] : []), "--", nameFromText(path)],
    signal,
  });
  if (result.exitCode === 0) return "removed";
  if (!force && /contains modified or untracked files|containing submodules/.test(result.stderr)) return "changes";
  throw gitFailure(repository, result, ["worktree"]);
}

/**
 * Forgets work trees whose folders are gone; returns how many. Throws where one lies outside the sandbox: whether it is gone cannot be seen
 * from there, and with it git forgets what was staged in it.
 */
export async function pruneWorktrees(repository: Repository, sandbox: Sandbox, signal?: AbortSignal): Promise<number> {
  const worktrees = await listWorktrees(repository, sandbox, signal);
  if (worktrees.some(({ path, prunable }) => path === HIDDEN_PATH && prunable !== undefined))
    throw new GitError(
      "denied",
      `Access denied - a work tree of ${clip(repository.name)} lies outside the allowed repositories, so this server cannot tell whether it is gone. Name its folder with --repository too, or prune with git itself.`,
    );
  const { stdout, stderr } = await repository.change({ args: ["worktree", "prune", "--verbose"], signal });
  return (stdout.toString() + stderr).match(/^Removing /gm)?.length ?? 0;
}
