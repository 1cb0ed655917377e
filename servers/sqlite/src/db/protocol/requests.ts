// What a database process can be asked to do, and what it answers.
import type { Params } from "../sql/parameters.ts";

export interface Column {
  readonly name: string;
  readonly declaredType: string | null;
}

/** How many rows may come back, and how heavy. */
export interface Room {
  /** The most rows. */
  readonly limit: number;
  /** The most bytes of all rows, as arrays and as objects together. */
  readonly bytes: number;
  /** Longer texts are cut to so many characters. */
  readonly cell: number;
  /** Longer BLOBs are cut to so many bytes. */
  readonly blob: number;
  /** A row without room is left out, the first one too: what was changed is not told by an error. */
  readonly noneIfTooLarge?: boolean;
}

/** A value that did not come whole. */
export interface Clipped {
  readonly row: number;
  readonly column: string;
  /** What it has in all: characters of a text, bytes of a BLOB. */
  readonly length: number;
}

/** How rows are written in the text of a reply. */
export const FORMATS = ["json", "csv", "markdown"] as const;
export type Format = (typeof FORMATS)[number];

export interface ReadAsked {
  readonly op: "read";
  readonly sql: string;
  readonly params?: Params | undefined;
  readonly room: Room;
  /** Rows that came with earlier pages. */
  readonly skip: number;
  /** Left out: JSON. */
  readonly format?: Format | undefined;
}

export interface RowsTold {
  /** JSON of the columns, which goes into a reply as it is. */
  readonly columns: string;
  readonly rowCount: number;
  /** There are more rows. */
  readonly more: boolean;
  readonly clipped: readonly Clipped[];
  /** Changes with the data of the file. */
  readonly stamp: string;
  readonly elapsedMs: number;
}

export interface WriteAsked {
  readonly op: "write";
  readonly sql: string;
  readonly params?: Params | undefined;
  readonly room: Room;
  readonly dryRun: boolean;
  /** More rows than this are not changed; it tells how many there would be. */
  readonly most: number | null;
  /** DROP is allowed. */
  readonly drop: boolean;
  /** Only one CREATE TABLE. */
  readonly createTable?: boolean;
}

export interface WriteTold {
  readonly verb: string;
  readonly changes: number;
  /** Rows that foreign keys and triggers changed besides. */
  readonly alsoChanged?: number;
  readonly lastInsertRowid: number | string | null;
  /** Undone: a dry run, or more changes than were agreed to. */
  readonly rolledBack: boolean;
  /** What has to be agreed to first. */
  readonly ask?: { readonly changes: number; readonly drop?: string };
  /** What RETURNING gave. */
  readonly returning?: RowsTold;
  /** What CREATE TABLE made. */
  readonly table?: string;
  /** What had this name already, and CREATE TABLE IF NOT EXISTS left it as it was. */
  readonly existed?: string;
}

export interface TablesAsked {
  readonly op: "tables";
  /** A part of the name, or with * and ? a pattern of all of it. */
  readonly pattern?: string | undefined;
  readonly views: boolean;
  readonly detail: "names" | "summary" | "full";
  /** Names that come behind this one; a table may have the empty name. */
  readonly after?: string | undefined;
  readonly limit: number;
  readonly bytes: number;
}

export interface TableTold {
  readonly name: string;
  readonly type: "table" | "view" | "virtual";
  readonly columns?: readonly string[];
  /** Why there are no columns. */
  readonly error?: string;
  readonly rowEstimate?: number;
  readonly strict?: boolean;
  readonly withoutRowid?: boolean;
  readonly sql?: string;
  /** It did not come whole. */
  readonly truncated?: boolean;
}

export interface TablesTold {
  readonly tables: readonly TableTold[];
  readonly more: boolean;
}

export interface DescribeAsked {
  readonly op: "describe";
  readonly table: string;
  readonly sampleRows: number;
  readonly room: Room;
}

export interface TransactionAsked {
  readonly op: "transaction";
  readonly statements: readonly { readonly query: string; readonly params?: Params | undefined }[];
  /** Of the rows of each statement. */
  readonly room: Room;
  readonly dryRun: boolean;
  readonly most: number | null;
  readonly drop: boolean;
}

export interface TransactionTold extends Pick<WriteTold, "changes" | "rolledBack" | "ask"> {
  readonly results: readonly {
    readonly verb: string;
    readonly changes: number;
    readonly alsoChanged?: number;
    readonly lastInsertRowid?: number | string | null;
    readonly rows?: {
      readonly columns: readonly Column[];
      readonly rows: readonly unknown[][];
      readonly truncated: boolean;
      readonly clipped?: readonly Clipped[];
    };
  }[];
}

export interface PlanAsked {
  readonly op: "plan";
  readonly sql: string;
  readonly params?: Params | undefined;
}

export interface PlanStep {
  readonly detail: string;
  readonly steps?: readonly PlanStep[];
}

export interface PlanTold {
  readonly plan: readonly PlanStep[];
  /** There are more steps than are told. */
  readonly truncated?: boolean;
  readonly fullScans: readonly string[];
  readonly tempBTrees: readonly string[];
  readonly indexes: readonly string[];
  readonly suggestions: readonly { readonly sql: string; readonly step: string }[];
}

export interface SearchAsked {
  readonly op: "search";
  readonly text: string;
  /** None: all. */
  readonly tables: readonly string[];
  readonly limit: number;
}

export interface Match {
  readonly table: string;
  /** Null where more than one column may hold it. */
  readonly column: string | null;
  /** Past 2^53 in decimal digits. */
  readonly rowid: number | string | null;
  readonly snippet: string;
  readonly rank?: number;
}

export interface SearchTold {
  readonly matches: readonly Match[];
  readonly truncated: boolean;
  /** Tables that were not looked through to the end. */
  readonly unfinished: readonly string[];
}

export const CHECKS = ["quick_check", "integrity_check", "foreign_keys", "indexes", "statistics", "size"] as const;

export interface CheckAsked {
  readonly op: "check";
  readonly checks: readonly (typeof CHECKS)[number][];
}

export interface BlobAsked {
  readonly op: "blob";
  readonly table: string;
  readonly column: string;
  /** In decimal digits. */
  readonly rowid: string;
  readonly most: number;
}

export type BlobTold = { readonly base64: string } | { readonly text: string };

export interface SchemaAsked {
  readonly op: "schema";
  readonly bytes: number;
}

export interface SchemaTold {
  readonly text: string;
  readonly truncated: boolean;
}

export interface ImportAsked {
  readonly op: "import";
  readonly file: string;
  /** How large the file is. */
  readonly bytes: number;
  readonly table: string;
  /** The table is made. */
  readonly create: boolean;
  readonly delimiter: string;
  readonly dryRun: boolean;
}

export interface ImportTold {
  readonly table: string;
  readonly rows: number;
  readonly columns: readonly string[];
}

export interface ExportAsked {
  readonly op: "export";
  readonly sql: string;
  readonly params?: Params | undefined;
  readonly format: "csv" | "json" | "jsonl";
  /** Must not exist. */
  readonly file: string;
}

export interface ExportTold {
  readonly rows: number;
  readonly bytes: number;
  /** The file holds the sign that the driver has for bytes that are no text, U+FFFD. */
  readonly odd: boolean;
}

export interface BackupAsked {
  readonly op: "backup";
  /** Must not exist. */
  readonly file: string;
}

export interface BackupTold {
  readonly pages: number;
}

/** Small questions of the server itself. */
export interface PlainAsked {
  readonly op: "recover" | "versions";
}

/** Everything that a database process does. */
export type Asked =
  | ReadAsked
  | WriteAsked
  | TransactionAsked
  | TablesAsked
  | DescribeAsked
  | PlanAsked
  | SearchAsked
  | CheckAsked
  | BlobAsked
  | SchemaAsked
  | ImportAsked
  | ExportAsked
  | BackupAsked
  | PlainAsked;

/** A request that could not be begun at once. */
export interface Queued {
  /** How long others were served before it, in milliseconds. */
  readonly waitedMs?: number;
}

/** An error on its way from a database process: in words for the caller, or with a code of SQLite's. */
export interface Failed {
  readonly code: string;
  readonly message: string;
  /** The message is for the caller as it stands. */
  readonly expose: boolean;
}
