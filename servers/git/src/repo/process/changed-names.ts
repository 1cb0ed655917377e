// The names that a changing command is run with: branches, tags, commits, remotes and paths, resolved and checked by then. Messages are not
// among its arguments.
import type { GitCommand } from "./git-process.ts";

/** Commands whose first argument is a subcommand of their own. */
const WITH_SUBCOMMAND: ReadonlySet<string> = new Set(["remote", "stash", "worktree"]);
/** With these a command changes nothing. */
const TRIAL_OPTIONS: readonly string[] = ["--dry-run", "--check", "--numstat"];

/** The arguments in front of `--`, among which options are, and the names behind it, which may look like options. */
function split(args: GitCommand["args"]): { before: string[]; behind: string[] } {
  const texts = args.map(String);
  const end = texts.indexOf("--");
  return end === -1 ? { before: texts, behind: [] } : { before: texts.slice(0, end), behind: texts.slice(end + 1) };
}

/** Whether a command only shows what it would change. */
export const isTrial = ({ args }: Pick<GitCommand, "args">): boolean => {
  const { before } = split(args);
  return TRIAL_OPTIONS.some((option) => before.includes(option));
};

export function changedNames({ args, input }: Pick<GitCommand, "args" | "input">): string[] {
  const { before, behind } = split(args);
  const names = before.slice(WITH_SUBCOMMAND.has(before[0] ?? "") ? 2 : 1).filter((text) => !text.startsWith("-"));
  const paths = before.includes("--pathspec-file-nul") ? (input ?? "").toString().split("\0") : [];
  return [...names, ...behind, ...paths].filter((name) => name !== "");
}
