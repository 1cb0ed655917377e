// Requests that read data, and their replies.
import type { Params } from "../sql/parameters.ts";
import type { Format, KeyValue, RowLimits } from "./rows.ts";

export interface ReadRequest {
  readonly op: "read";
  readonly sql: string;
  readonly params?: Params | undefined;
  readonly limits: RowLimits;
  /** Rows of earlier pages. */
  readonly skip: number;
  /** The key of the last row of the page before, where it had one. */
  readonly after?: readonly KeyValue[] | undefined;
  /** Default: JSON. */
  readonly format?: Format | undefined;
  /** `sql` may be several statements. Default false. */
  readonly allowsSeveral?: boolean;
}

export interface PlanRequest {
  readonly op: "plan";
  readonly sql: string;
  readonly params?: Params | undefined;
}

export type PlanStep = {
  readonly detail: string;
  readonly steps?: PlanStep[];
};

export type PlanReply = {
  readonly plan: PlanStep[];
  /** The plan has more steps. */
  readonly truncated?: boolean;
  readonly fullScans: string[];
  readonly tempBTrees: string[];
  readonly indexes: string[];
  /** Indexes that help, each with the step that it leads to, the steps that all of them replace, and the plan with them. */
  readonly suggestions: { readonly sql: string; readonly step: string; readonly before: string[]; readonly after: string[] }[];
};

export interface SearchRequest {
  readonly op: "search";
  readonly text: string;
  /** Empty: all tables. */
  readonly tables: readonly string[];
  readonly maxMatches: number;
  /** Bytes of all matches as JSON. */
  readonly maxBytes: number;
  /** Where the page before ended. */
  readonly after?: SearchPosition | undefined;
}

/** A table and how far it was searched: up to a row id, or a number of matches where rows have no ids or are ranked. */
export interface SearchPosition {
  readonly table: string;
  /** Decimal text. */
  readonly rowid?: string;
  readonly skip?: number;
  /** A page before had a match. */
  readonly hadMatches?: boolean;
  /** Full-text tables that could not be read: what they index is not taken as found. */
  readonly failed?: readonly string[];
}

export type SearchMatch = {
  readonly table: string;
  /** Null where more than one column may hold the text. */
  readonly column: string | null;
  /** Decimal text past 2^53; null where rows have no id. */
  readonly rowid: number | string | null;
  readonly snippet: string;
  readonly rank?: number;
};

export type UnreadableTable = {
  readonly table: string;
  /** A sentence with the next step. */
  readonly reason: string;
};

/** A table, or a column of it, that was left out. */
export type NotSearched = {
  readonly table: string;
  readonly column?: string;
  readonly reason: string;
};

export interface SearchReply {
  readonly matches: SearchMatch[];
  readonly truncated: boolean;
  /** Tables that were not searched completely, those that cannot be read included. */
  readonly unfinished: string[];
  /** Tables that cannot be read. */
  readonly unreadable: UnreadableTable[];
  readonly notSearched: NotSearched[];
  /** Views that were left out because tables have matches, or because they read all rows before the first one. */
  readonly views: string[];
  /** Tables and views that were searched. */
  readonly searched: number;
  /** Words of the tables that are nearly those of a text without matches. */
  readonly near: readonly string[];
  /** The first rows that hold the nearest of them. */
  readonly nearMatches: SearchMatch[];
  /** Where the next page begins. Undefined where no further one can be read. */
  readonly next?: SearchPosition | undefined;
}

export interface ValueRequest {
  readonly op: "value";
  readonly table: string;
  readonly column: string;
  /** Decimal text. */
  readonly rowid: string;
  readonly maxBytes: number;
}

export type ValueReply = { readonly base64: string } | { readonly text: string };
