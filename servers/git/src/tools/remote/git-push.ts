// git_push: pushes a branch to a remote; with force after the user confirmed.
import { tool } from "@oarlock/server-kit";
import { escapeControls } from "@oarlock/domain-kit";
import { confirmDiscard } from "../../confirmation.ts";
import { openRepository, type Dependencies } from "../../dependencies.ts";
import { pushTo, selectBranch } from "../../repo/remote/push.ts";
import { selectRemote } from "../../repo/remote/remotes.ts";
import { flag, object, optionalWord, repo_path } from "../../schema.ts";
import { listUpdates, updatesResult } from "./updates.ts";

export const gitPush = (deps: Dependencies) =>
  tool({
    name: "git_push",
    title: "Push",
    description: "Push a branch to a remote. force replaces the remote branch, unless others changed it, after the user confirmed.",
    toolset: "remote",
    input: () =>
      object({
        repo_path,
        remote: optionalWord("Its name"),
        branch: optionalWord("Branch, default the current one"),
        force: flag("Replace the remote branch, with lease"),
        set_upstream: flag("Follow it from now on"),
        tags: flag("Also annotated tags on it"),
      }),
    output: updatesResult,
    hints: { readOnly: false, destructive: true, idempotent: true, openWorld: true },
    async run({ repo_path: repoPath, remote: name, force, set_upstream: setUpstream, ...options }, ctx) {
      const repository = await openRepository(deps, ctx, repoPath);
      if (force) {
        const { name: target } = selectRemote(repository, name, deps.network.protocols);
        const branch = await selectBranch(repository, options.branch, ctx.signal);
        await confirmDiscard(
          deps,
          ctx,
          `Replace the branch ${branch} of the remote ${target}, and with it commits that only the remote has`,
        );
      }
      const report = (done: number, message: string): void => ctx.progress(done, undefined, message);
      const policies = { network: deps.network, programs: deps };
      const pushed = await pushTo(repository, policies, { remote: name, force, setUpstream, ...options, report, signal: ctx.signal });
      const { remote, branch } = pushed;
      const { lines, updates } = listUpdates(pushed.updates);
      return { content: `Pushed ${escapeControls(branch)} to ${escapeControls(remote)}:${lines}`, structured: { remote, branch, updates } };
    },
  });
