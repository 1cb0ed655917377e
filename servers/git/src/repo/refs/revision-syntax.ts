// Revisions as callers write them: a grammar that no option passes, ranges, and object ids in their place before git acts on them.
import { GitError, clip } from "../errors.ts";
import { checkPattern } from "../safety/pattern-check.ts";

const LONGEST = 1000;

/** Throws on what cannot be a revision. */
export function checkRevision(text: string): void {
  if (text === "") throw new GitError("invalid", "The revision is empty: give a branch, tag, commit or expression such as HEAD~2.");
  if (text.length > LONGEST) throw new GitError("invalid", `The revision is longer than ${LONGEST} characters.`);
  if (text.startsWith("-")) throw new GitError("invalid", `A revision cannot begin with "-": ${clip(text)}`);
  // eslint-disable-next-line no-control-regex
  if (/[\u0000-\u001f\u007f]/.test(text)) throw new GitError("invalid", `The revision holds a control character: ${clip(text)}`);
  if (!text.isWellFormed()) throw new GitError("invalid", "The revision is not well-formed text.");
  if (text.includes("/")) checkPattern(text);
}

export interface Range {
  readonly from: string;
  readonly to: string;
  /** `a...b`: what `b` has since the two parted. */
  readonly symmetric: boolean;
}

/** `a..b` and `a...b`, where an empty side is HEAD; undefined for a single revision. */
export function rangeOf(text: string): Range | undefined {
  // What follows a colon is a path or a search, and may hold dots.
  const [, from, dots, to] = /^([^:]*?)(\.{2,3})(.*)$/.exec(text) ?? [];
  if (from === undefined || to === undefined) return undefined;
  return { from: from || "HEAD", to: to || "HEAD", symmetric: dots === "..." };
}

const FULL_ID = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;
export const isFullId = (text: string): boolean => FULL_ID.test(text);

/** Names that a branch or tag may have, as `git check-ref-format` decides. */
export function checkRefName(name: string, kind: string): void {
  const bad =
    name === "" ||
    name.length > 250 ||
    name.startsWith("-") ||
    name === "@" ||
    name === "HEAD" ||
    name.endsWith("/") ||
    name.endsWith(".") ||
    // eslint-disable-next-line no-control-regex
    /[\u0000-\u0020\u007f~^:?*[\\]|\.\.|@\{|\/\/|(?:^|\/)\.|\.lock(?:\/|$)|^\//.test(name) ||
    !name.isWellFormed();
  if (bad)
    throw new GitError(
      "invalid",
      `"${clip(name)}" cannot name a ${kind}: expected no blanks, no "..", none of ~ ^ : ? * [ \\ and no "-" at the start.`,
    );
}

/** The names most like `text`, for an error that helps. */
export function nearestNames(text: string, names: readonly string[]): string[] {
  const wanted = text.toLowerCase();
  const scored = names.map((name) => ({ name, far: distance(wanted, name.toLowerCase()) }));
  const limit = Math.max(2, Math.floor(text.length / 3));
  return scored
    .filter(({ name, far }) => far <= limit || name.toLowerCase().includes(wanted) || name.toLowerCase().endsWith(`/${wanted}`))
    .sort((a, b) => a.far - b.far)
    .slice(0, 3)
    .map(({ name }) => name);
}

/** Letters to change, add or take away; long names are cut, as they are compared with many. */
function distance(a: string, b: string): number {
  const [x, y] = [a.slice(0, 60), b.slice(0, 60)];
  let row = Array.from({ length: y.length + 1 }, (_, at) => at);
  for (let i = 1; i <= x.length; i++) {
    const next = [i];
    for (let j = 1; j <= y.length; j++)
      next.push(Math.min((next[j - 1] ?? 0) + 1, (row[j] ?? 0) + 1, (row[j - 1] ?? 0) + (x[i - 1] === y[j - 1] ? 0 : 1)));
    row = next;
  }
  return row.at(-1) ?? 0;
}
