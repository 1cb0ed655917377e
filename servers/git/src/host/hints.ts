// Which tools hosts treat specially, for the clients that read hints.
import type { HostHints } from "@oarlock/extensions/host-hints";

/** `allowDiscard`: no call asks the user. */
export const hostHintsOf = ({ allowDiscard }: { readonly allowDiscard: boolean }): HostHints => ({
  alwaysLoad: ["git_status", "git_diff", "git_log", "git_commit"],
  boundedResults: ["git_diff", "git_diff_unstaged", "git_diff_staged", "git_show", "git_log", "git_blame", "git_grep"],
  destroys: allowDiscard ? [] : ["git_reset", "git_restore"],
});
