// The names that a changing command is run with: branches, tags, commits, remotes and paths, resolved and checked by then. Messages are not
// among its arguments.
import type { GitCommand } from "./git-process.ts";

/** Commands whose first argument is a subcommand of their own. */
const WITH_SUBCOMMAND: ReadonlySet<string> = new Set(["remote", "stash", "worktree"]);
/** With these a command changes nothing. */
const CHECKING: ReadonlySet<string> = new Set(["--dry-run", "--check", "--numstat"]);

export function changedNames({ args, input }: Pick<GitCommand, "args" | "input">): string[] {
  const texts = args.map((arg) => arg.toString());
  if (texts.some((text) => CHECKING.has(text))) return [];
  const names = texts.slice(WITH_SUBCOMMAND.has(texts[0] ?? "") ? 2 : 1).filter((text) => !text.startsWith("-"));
  const paths = texts.includes("--pathspec-file-nul") ? (input ?? "").toString().split("\0") : [];
  return [...names, ...paths].filter((name) => name !== "");
}
