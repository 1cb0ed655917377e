// The tools, in the order of tools/list. The only place that registers them; what else a new tool needs is in DESIGN.md.
import type { ToolDefinition } from "@oarlock/server-kit";
import type { Dependencies } from "../dependencies.ts";
import { loggedTool } from "./change-log.ts";
import { noticedTool } from "./noticed-tool.ts";
import { gitAdd } from "./change/git-add.ts";
import { gitBranch } from "./change/git-branch.ts";
import { gitCheckout } from "./change/git-checkout.ts";
import { gitCommit } from "./change/git-commit.ts";
import { gitCreateBranch } from "./change/git-create-branch.ts";
import { gitInit } from "./change/git-init.ts";
import { gitReset } from "./change/git-reset.ts";
import { gitRestore } from "./change/git-restore.ts";
import { gitStash } from "./change/git-stash.ts";
import { gitTag } from "./change/git-tag.ts";
import { gitUntrack } from "./change/git-untrack.ts";
import { gitWorktree } from "./change/git-worktree.ts";
import { gitBisect } from "./inspect/git-bisect.ts";
import { gitBlame } from "./inspect/git-blame.ts";
import { gitDiff, gitDiffStaged, gitDiffUnstaged } from "./inspect/git-diff.ts";
import { gitGrep } from "./inspect/git-grep.ts";
import { gitLog } from "./inspect/git-log.ts";
import { gitReflog } from "./inspect/git-reflog.ts";
import { gitShortlog } from "./inspect/git-shortlog.ts";
import { gitShow } from "./inspect/git-show.ts";
import { gitStatus } from "./inspect/git-status.ts";
import { gitCherryPick, gitRevert } from "./integrate/git-cherry-pick.ts";
import { gitMerge } from "./integrate/git-merge.ts";
import { gitRebase } from "./integrate/git-rebase.ts";
import { gitClone } from "./remote/git-clone.ts";
import { gitFetch } from "./remote/git-fetch.ts";
import { gitPull } from "./remote/git-pull.ts";
import { gitPush } from "./remote/git-push.ts";
import { gitRemote } from "./remote/git-remote.ts";
import { viewBlame } from "./view/view-blame.ts";
import { viewDiff } from "./view/view-diff.ts";
import { viewLog } from "./view/view-log.ts";

const TOOLS: readonly ((deps: Dependencies) => ToolDefinition)[] = [
  gitStatus,
  gitDiffUnstaged,
  gitDiffStaged,
  gitDiff,
  gitCommit,
  gitAdd,
  gitUntrack,
  gitReset,
  gitLog,
  gitCreateBranch,
  gitCheckout,
  gitMerge,
  gitShow,
  gitBranch,
  gitBlame,
  gitGrep,
  gitReflog,
  gitStash,
  gitWorktree,
  gitTag,
  gitRestore,
  gitFetch,
  gitPull,
  gitPush,
  gitClone,
  gitRemote,
  gitRebase,
  gitCherryPick,
  gitRevert,
  gitShortlog,
  gitBisect,
  gitInit,
];

export const allTools = (deps: Dependencies): ToolDefinition[] => TOOLS.map((create) => loggedTool(noticedTool(create(deps))));

/** The tools that only views call. Their results stay whole with --lean. */
export const viewTools = (deps: Dependencies): ToolDefinition[] => [viewDiff(deps), viewLog(deps), viewBlame(deps)];
