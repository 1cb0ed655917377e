// Requests that change data or the schema, and their replies.
import type { Params } from "../sql/parameters.ts";
import type { TableChanges } from "./table-changes.ts";
import type { Column, RowLimits, RowsReply, StatementRows } from "./rows.ts";

/** What the user has allowed. A change beyond it is rolled back, and the reply names the changes that need confirmation. */
export interface ChangePermission {
  /** Rows that may be updated, replaced or deleted, by triggers and foreign keys too; null: any number. */
  readonly maxChanges: number | null;
  readonly allowDrop: boolean;
}

export interface WriteRequest extends ChangePermission {
  readonly op: "write";
  readonly sql: string;
  readonly params?: Params | undefined;
  readonly limits: RowLimits;
  readonly dryRun: boolean;
  /** Refuses everything but one CREATE TABLE. Default false. */
  readonly createTableOnly?: boolean;
}

/** What the user must confirm before the change is made. */
export interface NeededConfirmation extends SideEffects {
  /** Rows that would change; 0 where their number is within the limit. */
  readonly changes: number;
  /** What would be removed for good, in words. */
  readonly drops?: string;
  /** Of each statement that changes rows. */
  readonly parts?: readonly StatementPart[];
}

/** What a statement does to the rows of the table that it names. */
export interface StatementPart {
  readonly verb: string;
  readonly table: string;
  readonly changes: number;
  /** Of the table, before. Only of a single UPDATE or DELETE. */
  readonly rows?: number;
}

/** What a change does besides the rows and objects that the statement names. */
export interface SideEffects {
  /** What a virtual table takes with it: tables, or rows of tables that SQLite takes for its own. In words. */
  readonly alsoRemoved?: readonly string[];
  /** The tables whose rows foreign keys and triggers change. */
  readonly alsoChangedTables?: readonly TableChanges[];
  /** What can no longer be used after the schema has changed: views, triggers, full-text tables … in words. */
  readonly broken?: readonly string[];
}

/** In words: "the column a of t" was "renamed to b". */
export interface SchemaChange {
  readonly object: string;
  /** A past participle. */
  readonly act: string;
}

/** The first rows of a table that a dry run would change. */
export interface ChangePreview {
  readonly table: string;
  readonly columns: readonly Column[];
  /** The present rows. Empty for rows that would be added. */
  readonly before: readonly unknown[][];
  /** The rows as they would be. Empty for rows that would be deleted. */
  readonly after: readonly unknown[][];
  /** All rows. Updated ones come first in `before` and in `after`, in one order. */
  readonly added: number;
  readonly updated: number;
  /** Replaced ones too. */
  readonly deleted: number;
  /** Updated rows whose values stay as they are; they are in neither list. */
  readonly unchanged?: number;
  readonly truncated: boolean;
}

export interface WriteReply extends SideEffects {
  readonly verb: string;
  readonly changes: number;
  /** Rows changed by foreign keys and triggers. */
  readonly alsoChanged?: number;
  readonly lastInsertRowid: number | string | null;
  /** The table of an UPDATE or DELETE without WHERE that has changed all of its rows, more than one. */
  readonly wholeTable?: string;
  /** What SQLite runs otherwise than most databases, a sentence each. */
  readonly slips?: readonly string[];
  /** True for a dry run, and where confirmation is needed. */
  readonly rolledBack: boolean;
  readonly confirmation?: NeededConfirmation;
  /** Of a dry run: the change itself would be made only after the user confirms it. */
  readonly needsConfirmation?: true;
  /** Of a dry run: the table that the statement names first, then those of triggers and foreign keys. */
  readonly previews?: readonly ChangePreview[];
  /** Rows of RETURNING. */
  readonly returning?: RowsReply;
  /** Of CREATE, ALTER and DROP. Its `isDone` is false where IF EXISTS or IF NOT EXISTS left the schema as it was. */
  readonly schemaChange?: SchemaChange & {
    readonly isDone: boolean;
    /** Of CREATE TABLE … AS. */
    readonly rows?: number;
    /** What a type does not do here, as a sentence. */
    readonly advice?: string;
    /** Of a DROP that loses no row: the statements that create its object again. */
    readonly recreating?: readonly string[];
  };
  /** The name in CREATE TABLE. */
  readonly table?: string;
  /** The type of what already had this name, where CREATE TABLE IF NOT EXISTS changed nothing. */
  readonly existingType?: string;
}

export interface TransactionRequest extends ChangePermission {
  readonly op: "transaction";
  readonly statements: readonly { readonly query: string; readonly params?: Params | undefined }[];
  /** For the rows of each statement. */
  readonly limits: RowLimits;
  readonly dryRun: boolean;
}

export type StatementResult = {
  readonly verb: string;
  readonly changes: number;
  readonly alsoChanged?: number;
  readonly alsoChangedTables?: readonly TableChanges[];
  readonly alsoRemoved?: readonly string[];
  readonly wholeTable?: string;
  readonly slips?: readonly string[];
  readonly schemaChange?: WriteReply["schemaChange"];
  readonly previews?: readonly ChangePreview[];
  readonly lastInsertRowid?: number | string | null;
  readonly rows?: StatementRows;
};

export interface TransactionReply extends Pick<WriteReply, "changes" | "rolledBack" | "confirmation" | "needsConfirmation" | "broken"> {
  readonly results: StatementResult[];
}
