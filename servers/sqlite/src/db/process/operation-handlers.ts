// The handler of each operation, run in the database process.
import { checkHealth } from "../analysis/health-check.ts";
import { explainPlan } from "../analysis/query-plan.ts";
import { searchText } from "../search/text-search.ts";
import { importCsv } from "../csv/csv-import.ts";
import { exportRows } from "../csv/row-export.ts";
import { backUp } from "../engine/backup.ts";
import { runChange } from "../change/change.ts";
import type { Engine } from "../engine/engine.ts";
import { retryWhileBusy } from "../engine/lock-retry.ts";
import { runQueries } from "../engine/several-queries.ts";
import { readValue } from "../engine/single-value.ts";
import { runTransaction } from "../change/transaction.ts";
import type { DbRequest, OperationName, ReplyTo } from "../protocol/operations.ts";
import type { RecoverReply, VersionsReply } from "../protocol/schema-messages.ts";
import { erDiagram } from "../schema/diagram/er-diagram.ts";
import { schemaText } from "../schema/schema-text.ts";
import { describeTable } from "../schema/table-description.ts";
import { relatedTables } from "../schema/table-relations.ts";
import { listTables } from "../schema/table-summaries.ts";
import type { ReplyOutput } from "./reply-output.ts";

type Handlers = {
  readonly [Op in OperationName]: (engine: Engine, request: DbRequest<Op>, output: ReplyOutput) => Promise<ReplyTo<DbRequest<Op>>>;
};

const HANDLERS: Handlers = {
  read: async (engine, request, output) => runQueries(engine, request, output),
  write: async (engine, request, output) => runChange(engine, request, output),
  transaction: async (engine, request) => runTransaction(engine, request),
  plan: async (engine, request) => retryWhileBusy(() => explainPlan(engine, request)),
  search: async (engine, request) => retryWhileBusy(() => searchText(engine, request)),
  value: async (engine, request) => retryWhileBusy(() => readValue(engine, request)),
  tables: async (engine, request) => listTables(engine, request),
  describe: async (engine, request, output) => describeTable(engine, request, output),
  relations: async (engine, request) => relatedTables(engine, request),
  schema: async (engine, request) => retryWhileBusy(() => schemaText(engine, request)),
  diagram: async (engine, request) => retryWhileBusy(() => erDiagram(engine, request)),
  check: async (engine, request) => retryWhileBusy(() => checkHealth(engine, request)),
  versions: async (engine) => retryWhileBusy(() => versionsOf(engine)),
  recover: async (engine) => retryWhileBusy(() => recover(engine)),
  import: (engine, request, output) => importCsv(engine, request, output.progress),
  export: async (engine, request, output) => exportRows(engine, request, output.progress),
  backup: (engine, request, output) => backUp(engine, request, output.progress),
};

export function handleRequest(engine: Engine, request: DbRequest, output: ReplyOutput): Promise<unknown> {
  // TypeScript does not see that the handler found by `op` takes this very request.
  const handler = HANDLERS[request.op] as (engine: Engine, request: DbRequest, output: ReplyOutput) => Promise<unknown>;
  return handler(engine, request, output);
}

const versionsOf = ({ db, inode }: Engine): VersionsReply => ({
  data: Number(db.pragma("data_version", { simple: true })),
  schema: Number(db.pragma("schema_version", { simple: true })),
  connection: process.pid,
  file: inode,
});

/** The first read of a connection that may write rolls back what a killed program left behind. */
const recover = ({ db }: Engine): RecoverReply => ({
  tables: Number(db.prepare("SELECT count(*) FROM sqlite_schema").pluck().get()),
});
