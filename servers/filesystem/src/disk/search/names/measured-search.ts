// Search by name with sizes and times: all matches are found, counted and sorted, and then returned in pages.
import type { BigIntStats } from "node:fs";
import { escapeControls, jsonStringBytes, yieldToEventLoop } from "@oarlock/domain-kit";
import type { Sandbox } from "../../access/sandbox.ts";
import { lookAt } from "../../access/entry-stat.ts";
import { DiskError } from "../../errors.ts";
import { cutPage, inOrder, largestFirst, type Ranked } from "../../tree/sorted-page.ts";
import { queryOf, searchFiles, type SearchOptions, type SearchResult } from "./name-search.ts";
import { REPLY_BYTES, SEARCH_LIMIT } from "../../text/reply-size.ts";

/** Of more matches some are neither sorted nor counted. */
const MAX_MATCHES = 100_000;
const STATS_PER_SLICE = 500;
/** Size and time in the text and in the structured result. */
const FACTS_BYTES = 200;

export type SortBy = "path" | "modified" | "size";

export interface MeasuredOptions extends SearchOptions {
  /** The newest or the largest first. */
  readonly sortBy: SortBy;
  /** Sizes and times go into the reply. */
  readonly showsFacts: boolean;
}

export interface MeasuredEntry {
  readonly path: string;
  readonly type: "file" | "directory" | "symlink" | "other";
  /** Bytes; of a file only. */
  readonly size?: number;
  /** ISO 8601. */
  readonly modified?: string;
}

export interface Totals {
  readonly files: number;
  readonly directories: number;
  readonly others: number;
  /** Of the files. */
  readonly bytes: number;
}

export interface MeasuredResult extends SearchResult {
  readonly entries: readonly MeasuredEntry[];
  /** Of all pages. */
  readonly totals: Totals;
}

interface Found extends Ranked {
  readonly entry: MeasuredEntry;
}

export async function searchMeasured(sandbox: Sandbox, path: string, options: MeasuredOptions): Promise<MeasuredResult> {
  const { limit = SEARCH_LIMIT, maxBytes = REPLY_BYTES, cursor, signal, sortBy, showsFacts } = options;
  const all = await searchFiles(sandbox, path, { ...options, limit: MAX_MATCHES, maxBytes: Number.POSITIVE_INFINITY, cursor: undefined });
  const found: Found[] = [];
  const totals = { files: 0, directories: 0, others: 0, bytes: 0 };
  for (const name of all.paths) {
    if (found.length % STATS_PER_SLICE === STATS_PER_SLICE - 1) await yieldToEventLoop(signal);
    const measured = measure(sandbox, name);
    count(totals, measured.entry);
    found.push({ ...measured, name, order: Buffer.from(name).toString("latin1"), size: sortBy === "size" ? measured.size : measured.time });
  }
  const compare = sortBy === "path" ? inOrder : largestFirst;
  found.sort(compare);
  const finish = ({ entry }: Found) => ({
    entry,
    bytes: 2 * jsonStringBytes(escapeControls(entry.path)) + jsonStringBytes(entry.path) + (showsFacts ? FACTS_BYTES : 0),
  });
  const query = [sortBy, ...queryOf(sandbox.look(path).path, options)];
  const page = cutPage(found, { cursors: sandbox.cursors, query }, compare, { limit, cursor, maxBytes }, finish);
  return {
    paths: page.entries.map((entry) => entry.path),
    entries: page.entries,
    totals,
    truncated: page.truncated || all.truncated,
    ...(page.nextCursor !== undefined && { nextCursor: page.nextCursor }),
    walked: all.walked,
  };
}

function count(totals: { -readonly [Key in keyof Totals]: number }, { type, size = 0 }: MeasuredEntry): void {
  totals.bytes += size;
  if (type === "file") totals.files += 1;
  else if (type === "directory") totals.directories += 1;
  else totals.others += 1;
}

/** `time` in microseconds; 0, without size and time, where the stat fails, for example for a name that is not UTF-8. */
function measure(sandbox: Sandbox, path: string): { entry: MeasuredEntry; size: number; time: number } {
  const stat = statOf(sandbox, path);
  if (stat === undefined) return { entry: { path, type: "other" }, size: 0, time: 0 };
  const type = stat.isFile() ? "file" : stat.isDirectory() ? "directory" : stat.isSymbolicLink() ? "symlink" : "other";
  const size = type === "file" ? Number(stat.size) : 0;
  const entry = { path, type, ...(type === "file" && { size }), modified: stat.mtime.toISOString() } as const;
  return { entry, size, time: Number(stat.mtimeNs / 1000n) };
}

function statOf(sandbox: Sandbox, path: string): BigIntStats | undefined {
  try {
    using entry = sandbox.entry(path);
    return lookAt(entry);
  } catch (error) {
    if (error instanceof DiskError) return undefined;
    throw error;
  }
}
