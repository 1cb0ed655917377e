// git_fetch: fetches branches and tags from a remote.
import { tool } from "@oarlock/server-kit";
import { escapeControls } from "@oarlock/domain-kit";
import { openRepository, type Dependencies } from "../../dependencies.ts";
import { fetchFrom } from "../../repo/remote/fetch.ts";
import { flag, object, optionalWord, repo_path } from "../../schema.ts";
import { listUpdates, updatesResult } from "./updates.ts";

export const gitFetch = (deps: Dependencies) =>
  tool({
    name: "git_fetch",
    title: "Fetch",
    description: "Fetch branches and tags from a remote.",
    toolset: "remote",
    input: () =>
      object({
        repo_path,
        remote: optionalWord("Its name, default that of the branch, or origin"),
        prune: flag("Remove branches that are gone there"),
        tags: flag("All tags"),
      }),
    output: updatesResult,
    // `prune` removes remote branches.
    hints: { readOnly: false, destructive: true, idempotent: true, openWorld: true },
    async run({ repo_path: repoPath, ...options }, ctx) {
      const repository = await openRepository(deps, ctx, repoPath);
      const report = (done: number, message: string): void => ctx.progress(done, undefined, message);
      const { remote, updates: all } = await fetchFrom(repository, deps.network, { ...options, report, signal: ctx.signal });
      const { lines, updates } = listUpdates(all);
      return {
        content: `Fetched from ${escapeControls(remote)}:${all.length === 0 ? " nothing new" : lines}`,
        structured: { remote, updates },
      };
    },
  });
