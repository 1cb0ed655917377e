// The reply to search_files: paths, sizes and times, or totals; an empty one counts what was looked at.
import { text, type Context } from "@oarlock/server-kit";
import { displayPathFrom } from "../disk/access/path-syntax.ts";
import type { Sandbox } from "../disk/access/sandbox.ts";
import { firstWider } from "../disk/search/names/wider-search.ts";
import { searchFiles, type SearchOptions, type SearchResult } from "../disk/search/names/name-search.ts";
import type { SortBy } from "../disk/search/names/measured-search.ts";
import { coverageText, measuredText, searchText, totalsText } from "../disk/search/names/search-text.ts";
import { warnOfUnreadable } from "./unreadable-directories.ts";

export interface FoundOptions extends SearchOptions {
  readonly sortBy: SortBy;
  /** With sizes and times. */
  readonly details: boolean;
  /** Only the totals; then `details` has no effect. */
  readonly countOnly: boolean;
}

export async function foundNames(sandbox: Sandbox, path: string, options: FoundOptions, ctx: Pick<Context, "log">) {
  const { sortBy, details, countOnly, cursor, respectGitignore = false } = options;
  const isPlain = sortBy === "name" && !details && !countOnly;
  const { content, result, more } = isPlain ? await plain(sandbox, path, options) : await measured(sandbox, path, options);
  warnOfUnreadable(result.walked, ctx);
  const { paths, truncated, nextCursor } = result;
  const structured = {
    content,
    paths: countOnly ? [] : [...paths],
    ...more,
    truncated: !countOnly && truncated,
    nextCursor,
  };
  if (paths.length > 0 || truncated || cursor !== undefined) return { content, structured };
  const wider = await firstWider(sandbox, path, options);
  const hint = wider && { ...wider, path: displayPathFrom(path, result.start)(wider.path) };
  return { content: [text(content), text(coverageText(result, respectGitignore, hint))], structured };
}

interface Found {
  readonly content: string;
  readonly result: SearchResult;
  readonly more: object;
}

async function plain(sandbox: Sandbox, path: string, options: SearchOptions): Promise<Found> {
  const found = await searchFiles(sandbox, path, options);
  const result = { ...found, paths: found.paths.map(displayPathFrom(path, found.start)) };
  return { content: searchText(result), result, more: {} };
}

async function measured(sandbox: Sandbox, path: string, { sortBy, details, countOnly, ...options }: FoundOptions): Promise<Found> {
  const { searchMeasured } = await import("../disk/search/names/measured-search.ts");
  const all = await searchMeasured(sandbox, path, { ...options, sortBy, showsFacts: details });
  const displayPath = displayPathFrom(path, all.start);
  const found = {
    ...all,
    paths: all.paths.map(displayPath),
    entries: all.entries.map((entry) => ({ ...entry, path: displayPath(entry.path) })),
  };
  const { entries, totals, walked, nextCursor: _, ...rest } = found;
  if (countOnly) return { content: totalsText(totals, walked), result: { ...rest, walked }, more: { totals } };
  if (details)
    return { content: measuredText(found, sortBy === "time" ? new Date() : undefined), result: found, more: { entries, totals } };
  return { content: searchText(found), result: found, more: {} };
}
