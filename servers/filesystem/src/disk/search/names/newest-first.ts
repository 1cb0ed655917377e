// Search by name, newest first: all matches are found and sorted by time of change, and then returned in pages.
import { escapeControls, jsonStringBytes, yieldToEventLoop } from "@oarlock/domain-kit";
import type { Sandbox } from "../../access/sandbox.ts";
import { DiskError } from "../../errors.ts";
import { cutPage, largestFirst, type Ranked } from "../../tree/sorted-page.ts";
import { queryOf, searchFiles, type SearchOptions, type SearchResult } from "./name-search.ts";
import { lookAt } from "../../access/entry-stat.ts";
import { REPLY_BYTES, SEARCH_LIMIT } from "../../text/reply-size.ts";

/** Of more matches the newest are not found. */
const MAX_MATCHES = 100_000;
const STATS_PER_SLICE = 500;

export async function searchNewest(sandbox: Sandbox, path: string, options: SearchOptions): Promise<SearchResult> {
  const { limit = SEARCH_LIMIT, maxBytes = REPLY_BYTES, cursor, signal } = options;
  const all = await searchFiles(sandbox, path, { ...options, limit: MAX_MATCHES, maxBytes: Number.POSITIVE_INFINITY, cursor: undefined });
  const found: Ranked[] = [];
  for (const name of all.paths) {
    if (found.length % STATS_PER_SLICE === STATS_PER_SLICE - 1) await yieldToEventLoop(signal);
    found.push({ name, order: Buffer.from(name).toString("latin1"), size: changed(sandbox, name) });
  }
  found.sort(largestFirst);
  const finish = ({ name }: Ranked) => ({ entry: name, bytes: 2 * jsonStringBytes(escapeControls(name)) + jsonStringBytes(name) });
  const query = ["newest", ...queryOf(sandbox.look(path).path, options)];
  const { entries, truncated, nextCursor } = cutPage(
    found,
    { cursors: sandbox.cursors, query },
    largestFirst,
    { limit, cursor, maxBytes },
    finish,
  );
  return {
    paths: entries,
    truncated: truncated || all.truncated,
    ...(nextCursor !== undefined && { nextCursor }),
    walked: all.walked,
  };
}

/** In microseconds; 0 where the stat fails, for example for a name that is not UTF-8. */
function changed(sandbox: Sandbox, path: string): number {
  try {
    using entry = sandbox.entry(path);
    return Number((lookAt(entry)?.mtimeNs ?? 0n) / 1000n);
  } catch (error) {
    if (error instanceof DiskError) return 0;
    throw error;
  }
}
