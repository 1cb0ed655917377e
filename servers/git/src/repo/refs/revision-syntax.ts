// The syntax of revisions, ranges and ref names as callers write them. No accepted text can be taken for an option by git.
import { clip } from "@oarlock/domain-kit";
import { GitError } from "../errors.ts";
import { checkPattern } from "../safety/pattern-check.ts";

const MAX_REVISION_LENGTH = 1000;
const MAX_REF_LENGTH = 250;
// oxlint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u001f\u007f]/;

/** Throws for a text that cannot be a revision. */
export function checkRevision(text: string): void {
  if (text === "") throw new GitError("invalid", "The revision is empty: give a branch, a tag, a commit or an expression such as HEAD~2.");
  if (text.length > MAX_REVISION_LENGTH)
    throw new GitError("invalid", `The revision is longer than ${MAX_REVISION_LENGTH} characters. Give a commit id.`);
  if (text.startsWith("-")) throw new GitError("invalid", `A revision cannot begin with "-": ${clip(text)}`);
  if (CONTROL.test(text)) throw new GitError("invalid", `A revision cannot hold a control character: ${clip(text)}`);
  if (!text.isWellFormed()) throw new GitError("invalid", "A revision must be well-formed text.");
  // With a slash it may be a search (`:/text`).
  if (text.includes("/")) checkPattern(text);
}

export interface RevisionRange {
  readonly from: string;
  readonly to: string;
  /** `a...b`: from the merge base of both. */
  readonly isSymmetric: boolean;
}

/** `a..b` and `a...b`, where an empty side is HEAD; undefined for a single revision. */
export function parseRange(text: string): RevisionRange | undefined {
  // After a colon comes a path or a search, which may hold dots.
  const [, from, dots, to] = /^([^:]*?)(\.{2,3})(.*)$/.exec(text) ?? [];
  if (from === undefined || to === undefined) return undefined;
  return { from: from || "HEAD", to: to || "HEAD", isSymmetric: dots === "..." };
}

/** The names in a revision or range that git looks up, without what stands behind them, such as `~2`, `^{tree}`, `@{1}` or `:path`. */
export function refNamesIn(text: string): string[] {
  const [names = ""] = text.split(":", 1);
  return names
    .split(/\.{2,}/)
    .map((part) => part.replace(/^\^/, "").replace(/(?:[~^]|@\{).*$/s, ""))
    .filter((name) => name !== "" && name !== "@");
}

/** Whether a text is a complete object id, in SHA-1 or SHA-256. */
export const isFullId = (text: string): boolean => /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(text);

/** Whether a branch, tag or remote can have a name, by the rules of `git check-ref-format`. */
export const isRefName = (name: string): boolean =>
  name !== "" &&
  name.length <= MAX_REF_LENGTH &&
  !name.startsWith("-") &&
  name !== "@" &&
  name !== "HEAD" &&
  !name.endsWith("/") &&
  !name.endsWith(".") &&
  // oxlint-disable-next-line no-control-regex
  !/[\u0000-\u0020\u007f~^:?*[\\]|\.\.|@\{|\/\/|(?:^|\/)\.|\.lock(?:\/|$)|^\//.test(name) &&
  name.isWellFormed();

/** Throws for a name that a branch, tag or remote cannot have. */
export function checkRefName(name: string, kind: string): void {
  if (isRefName(name)) return;
  throw new GitError(
    "invalid",
    `"${clip(name)}" cannot name a ${kind}: expected no blanks, no "..", none of ~ ^ : ? * [ \\ and no "-" at the start.`,
  );
}
