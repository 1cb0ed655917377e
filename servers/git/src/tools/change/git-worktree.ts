// git_worktree: lists, adds, removes and prunes linked work trees.
import { resolve } from "node:path";
import { tool, type InteractiveContext } from "@oarlock/server-kit";
import { clip, escapeControls } from "@oarlock/domain-kit";
import { confirmDiscard } from "../../confirmation.ts";
import type { Dependencies } from "../../dependencies.ts";
import { GitError } from "../../repo/errors.ts";
import { resolveCommit } from "../../repo/refs/revision-resolver.ts";
import { noticeUnnamedCommits } from "../../repo/refs/unnamed-commits.ts";
import type { Repository } from "../../repo/repository.ts";
import { refusedSettings } from "../../repo/safety/repository-state.ts";
import type { Sandbox } from "../../repo/safety/sandbox.ts";
import {
  addWorktree,
  listWorktrees,
  noticeInnerWorktree,
  pruneWorktrees,
  removeWorktree,
  resolveNewFolder,
  type Worktree,
} from "../../repo/worktree/worktrees.ts";
import { choice, file, flag, items, object, optionalWord, repo_path, result, z } from "../../schema.ts";
import { hintsOf } from "../read-only-variant.ts";
import { toObjects } from "../structured.ts";

export const gitWorktree = (deps: Dependencies) =>
  tool({
    name: "git_worktree",
    title: "Work trees",
    description: deps.readOnly
      ? "List the work trees of a repository."
      : "List, add, remove or prune work trees. One with changes is removed after the user confirmed.",
    input: () =>
      object({
        repo_path,
        action: choice(deps.readOnly ? ["list"] : ["list", "add", "remove", "prune"], "What to do"),
        path: z.optional(file("Its folder, from the top")),
        branch: optionalWord("add: branch to check out"),
        create: flag("add: create the branch"),
        revision: optionalWord("add: commit to start at"),
      }),
    output: () => result({ worktrees: items(), done: z.boolean() }),
    hints: hintsOf(deps, { destructive: true, idempotent: false }),
    async run({ repo_path: repoPath, action, path, revision, ...options }, ctx) {
      const sandbox = await deps.sandboxes.forRequest(ctx);
      const repository = await deps.repositories.open(sandbox, repoPath, ctx.signal);
      let title = `Work trees of ${repository.name}:`;
      if (action === "add") {
        const folder = resolveNewFolder(repository, sandbox, required(path));
        const commit = revision === undefined ? undefined : await resolveCommit(repository, revision, ctx.signal);
        await addWorktree(repository, { path: folder, ...options, branch: options.branch, commit }, ctx.signal);
        await noticeInnerWorktree(repository, folder, ctx.signal);
        title = `Added a work tree at ${escapeControls(folder)}: give this folder as repo_path to work in it`;
      } else if (action === "remove") {
        const { head, detached } = await remove(deps, repository, sandbox, required(path), ctx);
        if (detached && head !== undefined) await noticeUnnamedCommits(repository, head, "left behind:", ctx.signal);
        title = `Removed the work tree at ${escapeControls(required(path))}`;
      } else if (action === "prune")
        title = `Pruned ${await pruneWorktrees(repository, sandbox, ctx.signal)} work trees whose folders are gone`;
      const worktrees = await listWorktrees(repository, sandbox, ctx.signal);
      return { content: [title, ...worktrees.map(worktreeLine)].join("\n"), structured: { worktrees: toObjects(worktrees), done: true } };
    },
  });

function required(path: string | undefined): string {
  if (path === undefined) throw new GitError("invalid", "path is missing: give the folder of the work tree.");
  return path;
}

async function remove(
  deps: Dependencies,
  repository: Repository,
  sandbox: Sandbox,
  path: string,
  ctx: InteractiveContext,
): Promise<Worktree> {
  const worktrees = await listWorktrees(repository, sandbox, ctx.signal);
  // Relative to the top of the repository, as for `add`, or absolute.
  const full = resolve(repository.state.top, path);
  const found = worktrees.find((worktree) => worktree.path === path || worktree.path === full);
  if (found === undefined) throw new GitError("not-found", `There is no work tree at ${clip(path)}: action list shows the work trees.`);
  // After that the reply could not list the work trees.
  if (found.current && repository.state.gitDir !== repository.state.commonDir)
    throw new GitError("invalid", `${clip(path)} is the work tree of this call: give another one of the repository as repo_path.`);
  // git compares its files with its own index, and reads its configuration.
  if (found.prunable === undefined && found.locked === undefined)
    refuseOwnFilters(await deps.repositories.open(sandbox, found.path, ctx.signal), repository);
  if ((await removeWorktree(repository, found.path, false, ctx.signal)) === "removed") return found;
  await confirmDiscard(deps, ctx, `Remove the work tree ${path} with changes that are not committed`);
  await removeWorktree(repository, found.path, true, ctx.signal);
  return found;
}

/** The git that looks into another work tree gets the settings of the repository of this call: they do not switch off what only that one has. */
function refuseOwnFilters({ name, filters }: Repository, from: Repository): void {
  const own = filters.switchedOff.filter((key) => !from.filters.switchedOff.includes(key));
  if (own.length > 0) throw refusedSettings(name, "could run something", own);
}

function worktreeLine({ path, branch, head, bare, current, locked, prunable }: Worktree): string {
  const at = bare ? "bare" : ((branch && escapeControls(branch)) ?? `detached at ${head?.slice(0, 7) ?? "nothing"}`);
  const marks = [...(locked === undefined ? [] : ["locked"]), ...(prunable === undefined ? [] : ["gone"])];
  return `${current ? "*" : " "} ${escapeControls(path)} (${[at, ...marks].join(", ")})`;
}
