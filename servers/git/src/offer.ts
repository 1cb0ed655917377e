// What the server offers: a table, loaded once the client has been greeted.
import type { ServerFeatures, ToolDefinition } from "@oarlock/server-kit";
import { lean } from "./lean.ts";
import { partsOf, type Given } from "./dependencies.ts";
import { stopped } from "./repo/process/git-process.ts";
import { Watcher } from "./repo/watch/watcher.ts";
import { commitMessage } from "./prompts/commit-message.ts";
import { releaseNotes } from "./prompts/release-notes.ts";
import { resolveConflicts } from "./prompts/resolve-conflicts.ts";
import { reviewChanges } from "./prompts/review-changes.ts";
import { summarizeHistory } from "./prompts/summarize-history.ts";
import { commit, diff } from "./resources/history.ts";
import { blob, tree } from "./resources/objects.ts";
import { refs, status } from "./resources/state.ts";
import { gitAdd } from "./tools/change/git-add.ts";
import { gitBlame } from "./tools/inspect/git-blame.ts";
import { gitBranch } from "./tools/inspect/git-branch.ts";
import { gitCheckout } from "./tools/change/git-checkout.ts";
import { gitClone } from "./tools/remote/git-clone.ts";
import { gitCommit } from "./tools/change/git-commit.ts";
import { gitCreateBranch } from "./tools/change/git-create-branch.ts";
import { gitDiff, gitDiffStaged, gitDiffUnstaged } from "./tools/inspect/git-diff.ts";
import { gitGrep } from "./tools/inspect/git-grep.ts";
import { gitInit } from "./tools/change/git-init.ts";
import { gitLog } from "./tools/inspect/git-log.ts";
import { gitMerge } from "./tools/integrate/git-merge.ts";
import { gitCherryPick, gitRevert } from "./tools/integrate/git-pick.ts";
import { gitRebase } from "./tools/integrate/git-rebase.ts";
import { gitReflog } from "./tools/inspect/git-reflog.ts";
import { gitRemote } from "./tools/remote/git-remote.ts";
import { gitReset } from "./tools/change/git-reset.ts";
import { gitRestore } from "./tools/change/git-restore.ts";
import { gitShow } from "./tools/inspect/git-show.ts";
import { gitStash } from "./tools/change/git-stash.ts";
import { gitStatus } from "./tools/inspect/git-status.ts";
import { gitTag } from "./tools/change/git-tag.ts";
import { gitFetch, gitPull, gitPush } from "./tools/remote/git-transfer.ts";
import { gitWorktree } from "./tools/change/git-worktree.ts";

export function offerOf(given: Given, isLean: boolean): ServerFeatures {
  const parts = partsOf(given);
  const watcher = new Watcher();
  const tools: ToolDefinition[] = [
    gitStatus(parts),
    gitDiffUnstaged(parts),
    gitDiffStaged(parts),
    gitDiff(parts),
    gitCommit(parts),
    gitAdd(parts),
    gitReset(parts),
    gitLog(parts),
    gitCreateBranch(parts),
    gitCheckout(parts),
    gitShow(parts),
    gitBranch(parts),
    gitBlame(parts),
    gitGrep(parts),
    gitStash(parts),
    gitWorktree(parts),
    gitTag(parts),
    gitRestore(parts),
    gitFetch(parts),
    gitPull(parts),
    gitPush(parts),
    gitClone(parts),
    gitRemote(parts),
    gitMerge(parts),
    gitRebase(parts),
    gitCherryPick(parts),
    gitRevert(parts),
    gitReflog(parts),
    gitInit(parts),
  ];
  return {
    tools: isLean ? tools.map(lean) : tools,
    resources: [status(parts, watcher), refs(parts, watcher), commit(parts), diff(parts), blob(parts), tree(parts)],
    prompts: [commitMessage(parts), reviewChanges(parts), summarizeHistory(parts), releaseNotes(parts), resolveConflicts(parts)],
    async close() {
      await watcher.close();
      parts.repositories.close();
      await stopped();
    },
  };
}
