// The operations of a database process: each request with its reply, from the server's call to the child's handler.
import type { DbErrorCode } from "../errors.ts";
import type { TransactionReply, TransactionRequest, WriteReply, WriteRequest } from "./change-messages.ts";
import type { BackupReply, BackupRequest, ExportReply, ExportRequest, ImportReply, ImportRequest } from "./file-messages.ts";
import type { PlanReply, PlanRequest, ReadRequest, SearchReply, SearchRequest, ValueReply, ValueRequest } from "./query-messages.ts";
import type { RowsReply } from "./rows.ts";
import type * as schema from "./schema-messages.ts";

interface Operations {
  read: { request: ReadRequest; reply: RowsReply };
  write: { request: WriteRequest; reply: WriteReply };
  transaction: { request: TransactionRequest; reply: TransactionReply };
  plan: { request: PlanRequest; reply: PlanReply };
  search: { request: SearchRequest; reply: SearchReply };
  value: { request: ValueRequest; reply: ValueReply };
  tables: { request: schema.TablesRequest; reply: schema.TablesReply };
  describe: { request: schema.DescribeRequest; reply: schema.DescribeReply };
  relations: { request: schema.RelationsRequest; reply: schema.RelationsReply };
  schema: { request: schema.SchemaRequest; reply: schema.SchemaReply };
  diagram: { request: schema.DiagramRequest; reply: schema.SchemaReply };
  check: { request: schema.CheckRequest; reply: schema.CheckReply };
  versions: { request: schema.VersionsRequest; reply: schema.VersionsReply };
  recover: { request: schema.RecoverRequest; reply: schema.RecoverReply };
  import: { request: ImportRequest; reply: ImportReply };
  export: { request: ExportRequest; reply: ExportReply };
  backup: { request: BackupRequest; reply: BackupReply };
}

export type OperationName = keyof Operations;
export type DbRequest<Op extends OperationName = OperationName> = Operations[Op]["request"];
export type ReplyTo<Request extends DbRequest> = Operations[Request["op"]]["reply"];

/** `queuedMs`: the time that it has waited for a free process. `reportsChanges`: its reply has the names of what it has changed. */
export type SentRequest = DbRequest & { readonly queuedMs?: number; readonly reportsChanges?: boolean };

/** What the reply has with `reportsChanges`. */
export interface ReportedChanges {
  readonly changed?: readonly string[];
}

/** An error as a database process sends it. */
export type SentError =
  /** The message is meant for the caller. */
  | { readonly isExposed: true; readonly code: DbErrorCode; readonly message: string }
  /** A bug in this server, or an SQLite error without an explanation here; the code is SQLite's or the operating system's. */
  | { readonly isExposed: false; readonly code: string; readonly message: string };
