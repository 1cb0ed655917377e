// Search by name with sizes and times: all matches are found, counted and sorted, and then returned in pages.
import { lstatSync, type Stats } from "node:fs";
import { basename, dirname } from "node:path";
import { escapeControls, jsonStringBytes, systemErrorCode, yieldToEventLoop } from "@oarlock/domain-kit";
import type { FolderHandle, Sandbox } from "../../access/sandbox.ts";
import { DiskError } from "../../errors.ts";
import { linkEnd, type LinkEnd } from "../../access/link-end.ts";
import { cutPage, inOrder, largestFirst, type Ranked } from "../../tree/sorted-page.ts";
import { queryOf, searchFiles, type SearchOptions, type SearchResult } from "./name-search.ts";
import { REPLY_BYTES, SEARCH_LIMIT } from "../../text/reply-size.ts";

/** Of more matches some are neither sorted nor counted. */
const MAX_MATCHES = 100_000;
const STATS_PER_SLICE = 500;
/** Size and time in the text and in the structured result. */
const FACTS_BYTES = 200;

export type SortBy = "name" | "size" | "time";

export interface MeasuredOptions extends SearchOptions {
  /** By size the largest first, by time the newest. */
  readonly sortBy: SortBy;
  /** Sizes and times go into the reply. */
  readonly showsFacts: boolean;
}

export interface MeasuredEntry extends LinkEnd {
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
  /** Undefined where the stat fails, for example for a name that is not UTF-8. */
  readonly stat: Stats | undefined;
}

export async function searchMeasured(sandbox: Sandbox, path: string, options: MeasuredOptions): Promise<MeasuredResult> {
  const { limit = SEARCH_LIMIT, maxBytes = REPLY_BYTES, cursor, signal, sortBy, showsFacts } = options;
  const all = await searchFiles(sandbox, path, { ...options, limit: MAX_MATCHES, maxBytes: Number.POSITIVE_INFINITY, cursor: undefined });
  const found: Found[] = [];
  const totals = { files: 0, directories: 0, others: 0, bytes: 0 };
  using stats = new EntryStats(sandbox);
  for (const name of all.paths) {
    if (found.length % STATS_PER_SLICE === STATS_PER_SLICE - 1) await yieldToEventLoop(signal);
    const stat = stats.of(name);
    count(totals, stat);
    found.push({ name, order: Buffer.from(name).toString("latin1"), size: sortBy === "size" ? sizeOf(stat) : (stat?.mtimeMs ?? 0), stat });
  }
  const compare = sortBy === "name" ? inOrder : largestFirst;
  found.sort(compare);
  const finish = ({ name, stat }: Found) => ({
    entry: { ...entryOf(name, stat), ...(showsFacts && stat?.isSymbolicLink() === true && stats.endOf(name)) },
    bytes: 2 * jsonStringBytes(escapeControls(name)) + jsonStringBytes(name) + (showsFacts ? FACTS_BYTES : 0),
  });
  const query = [sortBy, ...queryOf(all.start, options)];
  const page = cutPage(found, { cursors: sandbox.cursors, query }, compare, { limit, cursor, maxBytes }, finish);
  return {
    start: all.start,
    paths: page.entries.map((entry) => entry.path),
    entries: page.entries,
    totals,
    truncated: page.truncated || all.truncated,
    ...(page.nextCursor !== undefined && { nextCursor: page.nextCursor }),
    walked: all.walked,
    links: all.links,
  };
}

type Counts = { -readonly [Key in keyof Totals]: number };

function count(totals: Counts, stat: Stats | undefined): void {
  totals.bytes += sizeOf(stat);
  if (stat?.isFile() === true) totals.files += 1;
  else if (stat?.isDirectory() === true) totals.directories += 1;
  else totals.others += 1;
}

/** Bytes of a file; 0 for everything else. */
const sizeOf = (stat: Stats | undefined): number => (stat?.isFile() === true ? stat.size : 0);

function entryOf(path: string, stat: Stats | undefined): MeasuredEntry {
  if (stat === undefined) return { path, type: "other" };
  const modified = stat.mtime.toISOString();
  if (stat.isFile()) return { path, type: "file", size: stat.size, modified };
  return { path, type: stat.isDirectory() ? "directory" : stat.isSymbolicLink() ? "symlink" : "other", modified };
}

/** Stats of entries that a walk has found. The entries of a directory come one after the other, so it is opened once for them. */
class EntryStats implements Disposable {
  readonly #sandbox: Sandbox;
  #path: string | undefined;
  #folder: FolderHandle | undefined;

  constructor(sandbox: Sandbox) {
    this.#sandbox = sandbox;
  }

  of(path: string): Stats | undefined {
    try {
      return lstatSync(this.#open(dirname(path)).at(basename(path)));
    } catch (error) {
      if (error instanceof DiskError || systemErrorCode(error) !== undefined) return undefined;
      throw error;
    }
  }

  endOf(path: string): LinkEnd {
    try {
      return linkEnd(this.#sandbox, this.#open(dirname(path)), basename(path));
    } catch (error) {
      if (error instanceof DiskError || systemErrorCode(error) !== undefined) return {};
      throw error;
    }
  }

  #open(path: string): FolderHandle {
    if (this.#folder !== undefined && this.#path === path) return this.#folder;
    this[Symbol.dispose]();
    this.#folder = this.#sandbox.folder(path);
    this.#path = path;
    return this.#folder;
  }

  [Symbol.dispose](): void {
    this.#folder?.[Symbol.dispose]();
    this.#folder = undefined;
  }
}
