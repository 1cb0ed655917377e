// The lines about files that a search has left out.
import { escapeControls } from "@oarlock/domain-kit";
import type { ContentsResult } from "./content-search.ts";
import type { Skipped } from "./skipped-files.ts";

/** Files with NUL bytes. */
const MAX_NAMED = 3;

/** The same with paths as the caller writes them. */
export const displayedSkipped = (skipped: Skipped, displayPath: (path: string) => string): Skipped => ({
  ...skipped,
  withNuls: skipped.withNuls.map(displayPath),
});

/** What an empty answer does not cover, and the argument that covers it. */
export function leftOutLines({ skipped, include = [] }: Pick<ContentsResult, "skipped" | "include">): string[] {
  if (skipped === undefined) return [];
  const { hidden, ignored, excluded, links, binary, withNuls, large, foreign, unreadable, isPart } = skipped;
  const named = [...withNuls.slice(0, MAX_NAMED).map(escapeControls), ...(withNuls.length > MAX_NAMED ? ["…"] : [])];
  const parts = [
    [hidden, "hidden (see includeHidden)"],
    [ignored, "ignored by .gitignore (see respectGitignore)"],
    [excluded, "by globs"],
    [links, links === 1 ? "link" : "links"],
    [binary, "binary"],
    [withNuls.length, `with NUL bytes (give the path: ${named.join(", ")})`],
    [large, "too large for matches across lines"],
    [foreign, "of other owners (--lockdown)"],
    [unreadable, "unreadable"],
  ] as const;
  const reasons = parts.filter(([count]) => count > 0).map(([count, reason]) => `${count} ${reason}`);
  const lines = reasons.length > 0 ? [`Left out${isPart ? ", at least" : ""}: ${reasons.join(", ")}.`] : [];
  const fixed = include.find((glob) => glob.includes("/") && !/^(?:\*\*)?\//.test(glob));
  if (excluded > 0 && fixed !== undefined) lines.push(`Globs with a slash begin at path: **/${fixed} is at any depth.`);
  return lines;
}
