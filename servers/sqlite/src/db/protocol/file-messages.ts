// Requests that read or write files besides the database, and their replies.
import type { FolderReference } from "@oarlock/domain-kit";
import type { Params } from "../sql/parameters.ts";
import type { ChangePermission, NeededConfirmation } from "./change-messages.ts";
import type { RowsReply } from "./rows.ts";
import type { TableChanges } from "./table-changes.ts";

/** A file in the folder for files. The process opens that folder only if it is still the one that the server has checked. */
export interface FilePlace {
  readonly folder: FolderReference;
  readonly name: string;
}

export interface ImportRequest extends ChangePermission {
  readonly op: "import";
  readonly file: FilePlace;
  /** Size of the file, for progress. */
  readonly bytes: number;
  readonly table: string;
  /** Creates the table. */
  readonly create: boolean;
  /** What the caller knows about the file; the rest is detected. */
  readonly delimiter?: string | undefined;
  readonly encoding?: string | undefined;
  readonly skipLines?: number | undefined;
  readonly header?: boolean | undefined;
  /** What stands before decimals: columns with decimals become numbers. */
  readonly decimal?: "." | "," | undefined;
  /** Columns of such dates become texts in the order year, month, day. */
  readonly dateFormat?: string | undefined;
  /** Leaves rows out that repeat the header. Default false. */
  readonly skipRepeatedHeaders?: boolean | undefined;
  /** Leaves rows out that have more values than the header has names. Default false: they are an error. */
  readonly skipLongRows?: boolean | undefined;
  /** Bare fields that mean NULL. Default none. */
  readonly nulls?: readonly string[] | undefined;
  readonly dryRun: boolean;
}

/** How the file was read. */
export interface DetectedCsv {
  readonly encoding: string;
  readonly delimiter: string;
  readonly quote: string;
  readonly skippedLines: number;
  /** False where the file has no line with the names of columns. */
  readonly header: boolean;
}

export interface NumbersRead {
  readonly count: number;
  readonly least: number;
  readonly most: number;
  readonly sum: number;
}

export interface ImportReply {
  readonly table: string;
  readonly rows: number;
  readonly columns: string[];
  /** Of each column; empty where it has none. */
  readonly types: string[];
  readonly detected: DetectedCsv;
  /** What must be known about values, one sentence each. */
  readonly notes: string[];
  /** Of a dry run that creates the table: its first rows as CSV. */
  readonly firstRows?: string;
  /** Of a dry run: columns of texts that were read with the decimal mark that was given. */
  readonly sums?: Readonly<Record<string, NumbersRead>>;
  /** The beginning of the lines before the table. */
  readonly skippedText?: string;
  /** Rows changed by foreign keys and triggers. */
  readonly alsoChanged?: number;
  readonly alsoChangedTables?: readonly TableChanges[];
  readonly confirmation?: NeededConfirmation;
  /** Of a dry run: the import itself would be made only after the user confirms it. */
  readonly needsConfirmation?: true;
}

export interface ExportRequest {
  readonly op: "export";
  readonly sql: string;
  readonly params?: Params | undefined;
  readonly format: "csv" | "json" | "jsonl";
  /** Must not exist. */
  readonly file: FilePlace;
}

export interface ExportReply extends Pick<RowsReply, "texts" | "missingCollation"> {
  readonly rows: number;
  readonly bytes: number;
  /** The file contains U+FFFD, which the driver puts in place of invalid text. */
  readonly hasReplacementCharacter: boolean;
  /** A spreadsheet would take texts or names of the file for formulas. */
  readonly hasFormulas: boolean;
}

export interface BackupRequest {
  readonly op: "backup";
  /** Must not exist. */
  readonly file: FilePlace;
  /** A folder of this user's own, for the copy that SQLite makes. */
  readonly scratchFolder: string;
  /** Without free room in its pages. Default false. */
  readonly compact?: boolean;
}

/** `total` is 0 where it is not known. */
export type ReportProgress = (done: number, total: number) => void;

export interface BackupReply {
  /** Of the copy. */
  readonly pages: number;
  /** Of the database, where the copy is compact. */
  readonly pagesBefore?: number;
}
