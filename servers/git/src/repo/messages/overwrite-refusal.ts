// The refusal of git to overwrite files whose changes are not committed, with their names and the next step.
import { escapeControls } from "@oarlock/domain-kit";
import { GitError } from "../errors.ts";
import { firstNames } from "../text/first-names.ts";

const MAX_NAMED = 5;
/** The names stand below, each on a line of its own. */
const CHANGED = /local changes to the following files would be overwritten by [^\n]*:\n((?:[\t ]+[^\n]+\n?)+)/;
const UNTRACKED = /untracked working tree files would be (?:overwritten|removed) by [^\n]*:\n((?:[\t ]+[^\n]+\n?)+)/;
const UNNAMED =
  /your local changes would be overwritten|cannot [a-z ]+: (?:You have unstaged changes|Your index contains uncommitted changes)/;

/** Undefined for any other message. `remedy`: what to do about changed files. */
export function overwriteRefusal(
  stderr: string,
  remedy = "commit them, or put them aside with git_stash push, then repeat the call",
): GitError | undefined {
  const [changed, untracked] = [CHANGED, UNTRACKED].map((pattern) => namesIn(pattern.exec(stderr)?.[1]));
  const parts = [
    ...(changed !== undefined || UNNAMED.test(stderr) ? [`changes${changed === undefined ? "" : ` in ${changed}`}: ${remedy}`] : []),
    ...(untracked === undefined
      ? []
      : [`files that are not tracked, ${untracked}: rename them, or put them aside with git_stash push and include_untracked`]),
  ];
  return parts.length === 0 ? undefined : new GitError("conflict", `Nothing was changed, as it would overwrite ${parts.join("; and ")}.`);
}

function namesIn(list: string | undefined): string | undefined {
  const names = list
    ?.split("\n")
    .filter((line) => line !== "")
    .map((line) => escapeControls(line.trim()));
  if (names === undefined) return undefined;
  return firstNames(names, MAX_NAMED);
}
