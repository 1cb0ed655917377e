// Requests about the schema and the state of a database, and their replies.
import type { RowLimits, RowsReply } from "./rows.ts";

export interface TablesRequest {
  readonly op: "tables";
  /** A part of the name, or a pattern with `*` and `?` for the whole name. */
  readonly pattern?: string | undefined;
  readonly includeViews: boolean;
  readonly detail: "names" | "summary" | "full";
  /** Only names after this one. A table may have the empty name. */
  readonly after?: string | undefined;
  readonly maxTables: number;
  readonly maxBytes: number;
}

export type TableSummary = {
  readonly name: string;
  readonly type: "table" | "view" | "virtual";
  readonly columns?: readonly string[];
  /** Why there are no columns. */
  readonly error?: string;
  readonly rowEstimate?: number;
  readonly strict?: boolean;
  readonly withoutRowid?: boolean;
  readonly sql?: string;
  readonly foreignKeys?: readonly string[];
  /** The first rows as lines of CSV. */
  readonly sample?: readonly string[];
  /** The different texts of columns whose texts repeat, in the first rows. */
  readonly values?: Readonly<Record<string, readonly string[]>>;
  /** Columns of points in time that are stored as numbers, with the expression that reads them. */
  readonly times?: Readonly<Record<string, string>>;
  /** Columns whose texts have several forms of dates or numbers, with the less usual ones and their share. */
  readonly forms?: Readonly<Record<string, string>>;
  /** The summary is larger than a reply and was truncated. */
  readonly truncated?: boolean;
};

export interface TablesReply {
  readonly tables: TableSummary[];
  readonly hasMore: boolean;
}

export interface DescribeRequest {
  readonly op: "describe";
  readonly table: string;
  /** Also finds a table whose name differs in letter case. Default false. */
  readonly ignoresCase?: boolean;
  readonly sampleRows: number;
  readonly limits: RowLimits;
  /** Bytes of the description as text: further columns come on further pages. Default: all columns. */
  readonly maxTextBytes?: number;
  /** The column that the page begins with. From the second page on it has columns only. Default 0. */
  readonly firstColumn?: number;
}

/** It stands in the structured content as it is, with further members. A later page has columns only. */
export interface TableDescription {
  readonly table: string;
  readonly type: TableSummary["type"];
  readonly columns: readonly { readonly name: string; readonly type: string; readonly [member: string]: unknown }[];
  readonly error?: string;
  readonly referencedBy?: readonly { readonly table: string; readonly columns: readonly string[] }[];
  readonly indexes?: readonly { readonly sql?: string }[];
  readonly triggers?: readonly { readonly sql: string }[];
  readonly rowEstimate?: number;
  readonly sql?: string;
  /** It has more than fits. */
  readonly truncated?: boolean;
}

export interface DescribeReply {
  readonly description: TableDescription;
  /** The column that the next page begins with. */
  readonly nextColumn?: number | undefined;
  readonly sample?: Pick<RowsReply, "columns" | "rowCount" | "clipped"> & { readonly truncated: boolean };
}

/** Tables in the order of their distance from given ones along foreign keys. */
export interface RelationsRequest {
  readonly op: "relations";
  readonly start: readonly string[];
  readonly maxTables: number;
  readonly maxBytes: number;
}

export type RelatedTable = {
  readonly name: string;
  readonly type: TableSummary["type"];
  readonly columns: readonly { readonly name: string; readonly type: string; readonly primaryKey?: true; readonly notNull?: true }[];
  readonly omittedColumns?: number;
  /** Why there are no columns. */
  readonly error?: string;
  /** A referenced column is null where the key refers to the primary key. */
  readonly foreignKeys: readonly { readonly columns: string[]; readonly table: string; readonly references: (string | null)[] }[];
};

export interface RelationsReply {
  readonly tables: RelatedTable[];
  /** Tables that do not fit. */
  readonly omitted: number;
}

export interface SchemaRequest {
  readonly op: "schema";
  readonly maxBytes: number;
}

/** The schema as an ER diagram in Mermaid. */
export interface DiagramRequest {
  readonly op: "diagram";
  readonly maxBytes: number;
}

export interface SchemaReply {
  readonly text: string;
  readonly truncated: boolean;
}

export const CHECKS = ["quick_check", "integrity_check", "foreign_keys", "indexes", "statistics", "size", "schema", "data"] as const;
export type CheckName = (typeof CHECKS)[number];

export interface CheckRequest {
  readonly op: "check";
  readonly checks: readonly CheckName[];
}

/** Findings by the name of the check, and `truncated: true` where a list was cut. */
export type CheckReply = Readonly<Record<string, unknown>>;

export interface VersionsRequest {
  readonly op: "versions";
}

/** Numbers that differ after a change. */
export interface VersionsReply {
  /** Changes when another connection has changed the data. */
  readonly data: number;
  readonly schema: number;
  /** The connection that counts `data`: counts of two connections cannot be compared. */
  readonly connection: number;
  /** The inode of the file, in decimal digits: another file under the same name is another database. */
  readonly file: string;
}

/** Opens the database for writing, which rolls back what a killed program left behind. */
export interface RecoverRequest {
  readonly op: "recover";
}

export interface RecoverReply {
  readonly tables: number;
}
