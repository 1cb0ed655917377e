// Requests that read or write files besides the database, and their replies.
import type { Params } from "../sql/parameters.ts";
import type { ChangePermission, NeededConfirmation } from "./change-messages.ts";
import type { TableChanges } from "./table-changes.ts";

export interface ImportRequest extends ChangePermission {
  readonly op: "import";
  readonly file: string;
  /** Size of the file, for progress. */
  readonly bytes: number;
  readonly table: string;
  /** Creates the table. */
  readonly create: boolean;
  readonly delimiter: string;
  readonly dryRun: boolean;
}

export interface ImportReply {
  readonly table: string;
  readonly rows: number;
  readonly columns: string[];
  /** Rows changed by foreign keys and triggers. */
  readonly alsoChanged?: number;
  readonly alsoChangedTables?: readonly TableChanges[];
  readonly confirmation?: NeededConfirmation;
}

export interface ExportRequest {
  readonly op: "export";
  readonly sql: string;
  readonly params?: Params | undefined;
  readonly format: "csv" | "json" | "jsonl";
  /** Must not exist. */
  readonly file: string;
}

export interface ExportReply {
  readonly rows: number;
  readonly bytes: number;
  /** The file contains U+FFFD, which the driver puts in place of invalid text. */
  readonly hasReplacementCharacter: boolean;
}

export interface BackupRequest {
  readonly op: "backup";
  /** Must not exist. */
  readonly file: string;
}

/** `total` is 0 where it is not known. */
export type ReportProgress = (done: number, total: number) => void;

export interface BackupReply {
  readonly pages: number;
}
