// search_files by time of change, newest first: all that match are found, looked at once each, and come in pages.
import { setImmediate } from "node:timers/promises";
import { escapeControls, jsonStringBytes } from "@oarlock/domain-kit";
import type { Area } from "../../access/area.ts";
import { DiskError } from "../../errors.ts";
import { cutPage, largestFirst, type Ranked } from "../../tree/sorted-page.ts";
import { questionOf, searchFiles, type SearchOptions, type SearchResult } from "./name-search.ts";
import { lookAt } from "../../access/entry-stat.ts";
import { REPLY_BYTES, SEARCH_LIMIT } from "../../text/reply-size.ts";

/** Of more matches than this the newest cannot be told. */
const MOST_MATCHES = 100_000;
const AT_ONCE = 500;

export async function searchNewest(area: Area, path: string, options: SearchOptions): Promise<SearchResult> {
  const { limit = SEARCH_LIMIT, maxBytes = REPLY_BYTES, cursor, signal } = options;
  const all = await searchFiles(area, path, { ...options, limit: MOST_MATCHES, maxBytes: Number.POSITIVE_INFINITY, cursor: undefined });
  const found: Ranked[] = [];
  for (const name of all.paths) {
    if (found.length % AT_ONCE === AT_ONCE - 1) await setImmediate(undefined, { signal });
    found.push({ name, order: Buffer.from(name).toString("latin1"), size: changed(area, name) });
  }
  found.sort(largestFirst);
  const finish = ({ name }: Ranked) => ({ made: name, bytes: 2 * jsonStringBytes(escapeControls(name)) + jsonStringBytes(name) });
  const question = ["newest", ...questionOf(area.look(path).path, options)];
  const { entries, truncated, nextCursor } = cutPage(found, question, largestFirst, { limit, cursor, maxBytes }, finish);
  return {
    paths: entries,
    truncated: truncated || all.truncated,
    ...(nextCursor !== undefined && { nextCursor }),
    walked: all.walked,
  };
}

/** In microseconds; 0 for what cannot be looked at, a name that is not UTF-8 for one. */
function changed(area: Area, path: string): number {
  try {
    using entry = area.entry(path);
    return Number((lookAt(entry)?.mtimeNs ?? 0n) / 1000n);
  } catch (error) {
    if (error instanceof DiskError) return 0;
    throw error;
  }
}
