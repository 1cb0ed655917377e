// The tools of --toolsets minimal: enough for the twenty tasks that tooling/docs tests, in at most 1,200 tokens.
import type { MinimalTools } from "@oarlock/cli";

export const MINIMAL_TOOLS: MinimalTools = {
  git_status: {},
  git_diff_unstaged: {},
  git_diff: {},
  git_log: { arguments: ["revision", "paths", "start_timestamp", "end_timestamp", "author", "grep", "pickaxe"] },
  git_show: { arguments: ["path"] },
  git_blame: { arguments: ["start_line", "end_line"] },
  git_grep: { arguments: ["paths"] },
  git_add: { arguments: ["files", "patch"] },
  git_commit: { arguments: ["amend"] },
  git_reset: {
    arguments: ["mode", "revision"],
    description: "Unstage everything; revision HEAD~1 undoes the last commit: soft keeps its changes staged, hard discards all changes.",
  },
  git_checkout: { arguments: ["create"] },
  git_stash: { arguments: ["index"] },
};
