// git_worktree: list, add, remove and prune further work trees of a repository.
import { resolve } from "node:path";
import { tool, type InteractiveContext } from "@oarlock/server-kit";
import { GitError, clip } from "../../repo/errors.ts";
import { shown } from "../../repo/text/file-names.ts";
import type { Repository } from "../../repo/repository.ts";
import type { Area } from "../../repo/safety/sandbox.ts";
import { addWorktree, listWorktrees, newFolder, pruneWorktrees, removeWorktree, type Worktree } from "../../repo/worktree/worktrees.ts";
import type { Parts } from "../../dependencies.ts";
import { mayDiscard } from "../../confirmation.ts";
import { choice, file, flag, maybe, object, repo_path, result, z } from "../../schema.ts";

export const gitWorktree = (parts: Parts) =>
  tool({
    name: "git_worktree",
    title: "Work trees",
    description: "List, add, remove or prune work trees. One with changes is removed after a yes.",
    input: () =>
      object({
        repo_path,
        action: choice(["list", "add", "remove", "prune"], "What to do"),
        path: z.optional(file("Folder of the work tree")),
        branch: maybe("add: branch to check out"),
        create: flag("add: create the branch"),
        revision: maybe("add: commit to begin at"),
      }),
    output: () => result({ worktrees: z.array(z.looseObject({ path: z.string(), current: z.boolean() })), done: z.boolean() }),
    hints: { readOnly: false, destructive: true, idempotent: false, openWorld: false },
    async run({ repo_path: where, action, path, branch, create, revision }, ctx) {
      const area = await parts.areas.of(ctx);
      const repository = await parts.repositories.open(area, where, ctx.signal);
      const { signal } = ctx;
      let done = `Work trees of ${repository.name}:`;
      if (action === "add") {
        const folder = newFolder(repository, area, needed(path));
        const commit = revision === undefined ? undefined : await repository.commit(revision, signal);
        await addWorktree(repository, { path: folder, branch, create, commit }, signal);
        done = `Added a work tree at ${shown(folder)}`;
      } else if (action === "remove") {
        await remove(parts, repository, area, needed(path), ctx);
        done = `Removed the work tree at ${shown(needed(path))}`;
      } else if (action === "prune") done = `Pruned ${await pruneWorktrees(repository, signal)} work trees that are gone`;
      const worktrees = await listWorktrees(repository, area, signal);
      return {
        content: `${done}\n${worktrees.map(line).join("\n")}`,
        structured: { worktrees: worktrees.map((worktree) => ({ ...worktree })), done: true },
      };
    },
  });

function needed(path: string | undefined): string {
  if (path === undefined) throw new GitError("invalid", "path is missing: the folder of the work tree.");
  return path;
}

async function remove(parts: Parts, repository: Repository, area: Area, path: string, ctx: InteractiveContext): Promise<void> {
  const known = await listWorktrees(repository, area, ctx.signal);
  // As `add` takes it: a path from the top of the repository, or a whole one.
  const full = resolve(repository.facts.top, path);
  const found = known.find((worktree) => worktree.path === path || worktree.path === full);
  if (found === undefined) throw new GitError("not-found", `There is no work tree at ${clip(path)}; action list shows them.`);
  // Nothing could be told of it afterwards.
  if (found.current && repository.facts.gitDir !== repository.facts.commonDir)
    throw new GitError(
      "invalid",
      `${clip(path)} is the work tree that this call is about: give another one of the repository as repo_path.`,
    );
  if ((await removeWorktree(repository, found.path, false, ctx.signal)) === undefined) return;
  await mayDiscard(parts, ctx, `Remove the work tree ${path} with changes that are not committed`);
  await removeWorktree(repository, found.path, true, ctx.signal);
}

function line({ path, branch, head, bare, current, locked, prunable }: Worktree): string {
  const at = bare ? "bare" : (branch ?? `detached at ${head?.slice(0, 7) ?? "nothing"}`);
  const marks = [...(locked === undefined ? [] : ["locked"]), ...(prunable === undefined ? [] : ["gone"])];
  return `${current ? "*" : " "} ${shown(path)} (${[at, ...marks].join(", ")})`;
}
