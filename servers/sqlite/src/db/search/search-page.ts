// The matches of one reply, in the order of the tables, and what it leaves out.
import type { NotSearched, SearchMatch, SearchPosition, UnreadableTable } from "../protocol/query-messages.ts";
import type { TableEntry } from "../schema/table-list.ts";
import type { Found, ScanLimits, TableStart } from "./table-scan.ts";

interface PageLimits {
  readonly maxMatches: number;
  readonly maxBytes: number;
  /** The search ends after this time with what it has found. */
  readonly maxMs: number;
  readonly hadMatches: boolean;
  readonly failed: readonly string[];
}

export class SearchPage {
  readonly matches: SearchMatch[] = [];
  readonly unfinished: string[] = [];
  readonly unreadable: UnreadableTable[] = [];
  readonly notSearched: NotSearched[] = [];
  /** Tables and views that were searched, in part at least. */
  searched = 0;
  /** Where the next page begins. */
  next: SearchPosition | undefined;
  /** Tables that this page or one before could not read. */
  readonly failed: string[];
  readonly #limits: ScanLimits;
  readonly #hadMatches: boolean;
  #bytesLeft: number;

  constructor({ maxMatches, maxBytes, maxMs, hadMatches, failed }: PageLimits) {
    this.failed = [...failed];
    this.#limits = { left: maxMatches, until: performance.now() + maxMs };
    this.#bytesLeft = maxBytes;
    this.#hadMatches = hadMatches;
  }

  /** Whether this page or one before has a match. */
  get hasMatches(): boolean {
    return this.#hadMatches || this.matches.length > 0;
  }

  /** @param search Searches the table, or tells why it cannot be read. */
  add({ name }: TableEntry, start: TableStart, search: (limits: ScanLimits) => Found | UnreadableTable): void {
    if (this.#limits.left <= 0) this.next ??= this.#completed({ table: name });
    const outcome = this.next === undefined ? search(this.#limits) : undefined;
    if (outcome !== undefined && "reason" in outcome) {
      this.unreadable.push(outcome);
      this.failed.push(name);
    }
    const found = outcome === undefined || "reason" in outcome ? undefined : outcome;
    const fitting = this.#fitting(found?.matches ?? []);
    this.matches.push(...fitting);
    this.#limits.left -= fitting.length;
    this.notSearched.push(...(found?.notSearched ?? []));
    const isComplete = found?.isComplete === true && fitting.length === found.matches.length;
    if (!isComplete) this.unfinished.push(name);
    // A table that took the whole time without a match would take it on each page.
    const isEndless = found?.cannotGoOn === true && this.searched === 0;
    if (isEndless) this.notSearched.push({ table: name, reason: "searching it takes too long: use read_query with a narrower condition" });
    else if (found !== undefined && !isComplete) this.next = this.#completed(positionAfter(name, start, fitting, found));
    if (found !== undefined) this.searched += 1;
  }

  #completed(position: SearchPosition): SearchPosition {
    return { ...position, ...(this.hasMatches && { hadMatches: true }), ...(this.failed.length > 0 && { failed: this.failed }) };
  }

  /** The first matches that fit. The first one of a page always does. */
  #fitting(matches: readonly SearchMatch[]): SearchMatch[] {
    const fitting: SearchMatch[] = [];
    for (const match of matches) {
      const bytes = Buffer.byteLength(JSON.stringify(match));
      if (bytes > this.#bytesLeft && this.matches.length + fitting.length > 0) break;
      this.#bytesLeft -= bytes;
      fitting.push(match);
    }
    return fitting;
  }
}

/** After the last match of the page; without one, after the rows that were searched. */
function positionAfter(
  table: string,
  start: TableStart,
  fitting: readonly SearchMatch[],
  { matches, searchedTo, ranked = 0 }: Found,
): SearchPosition {
  const last = fitting.at(-1);
  const isCut = fitting.length < matches.length || searchedTo === undefined;
  if (!isCut) return { table, rowid: String(searchedTo) };
  if (last === undefined) return { table, ...start };
  if (last.rowid === null || fitting.length <= ranked) return { table, skip: (start.skip ?? 0) + fitting.length };
  return { table, rowid: String(last.rowid) };
}
