// What the server offers: a table, loaded once the client has been greeted.
import type { ServerFeatures, ToolDefinition } from "@oarlock/server-kit";
import { leanProcess } from "@oarlock/cli";
import type { Parts } from "./dependencies.ts";
import { exploreDatabase } from "./prompts/explore-database.ts";
import { mcpDemo } from "./prompts/mcp-demo.ts";
import { optimizeQuery } from "./prompts/optimize-query.ts";
import { report } from "./prompts/report.ts";
import type { NamedQuery } from "./queries/named-query.ts";
import { blob } from "./resources/value.ts";
import { memo } from "./resources/memo.ts";
import { schema } from "./resources/schema.ts";
import { rows, table } from "./resources/table.ts";
import { appendInsight } from "./tools/append-insight.ts";
import { backupDatabase } from "./tools/backup-database.ts";
import { checkDatabase } from "./tools/check-database.ts";
import { createTable } from "./tools/create-table.ts";
import { describeTable } from "./tools/describe-table.ts";
import { explainQuery } from "./tools/explain-query.ts";
import { exportQuery } from "./tools/export-query.ts";
import { importCsv } from "./tools/import-csv.ts";
import { listDatabases } from "./tools/list-databases.ts";
import { listTables } from "./tools/list-tables.ts";
import { readQuery } from "./tools/read-query.ts";
import { runTransaction } from "./tools/run-transaction.ts";
import { searchText } from "./tools/search-text.ts";
import { writeQuery } from "./tools/write-query.ts";

interface Kinds {
  readonly writes: boolean;
  readonly many: boolean;
}

const toolsOf = (parts: Parts, { writes, many }: Kinds): ToolDefinition[] => [
  readQuery(parts),
  ...(writes ? [writeQuery(parts), runTransaction(parts), createTable(parts)] : []),
  listTables(parts),
  describeTable(parts),
  explainQuery(parts),
  searchText(parts),
  checkDatabase(parts),
  ...(many ? [listDatabases(parts)] : []),
  appendInsight(parts),
  ...(writes ? [importCsv(parts)] : []),
  exportQuery(parts),
  backupDatabase(parts),
];

async function queryTools(parts: Parts, queries: readonly NamedQuery[]): Promise<ToolDefinition[]> {
  if (queries.length === 0) return [];
  const { namedQueries } = await import("./tools/query-tools.ts");
  const taken = toolsOf(parts, { writes: true, many: true }).map(({ name }) => name);
  return namedQueries(parts, queries, taken);
}

export async function offerOf(parts: Parts, kinds: Kinds, queries: readonly NamedQuery[] = []): Promise<ServerFeatures> {
  // A short query is mostly our own code: it is to be fast soon.
  leanProcess();
  return {
    tools: [...toolsOf(parts, kinds), ...(await queryTools(parts, queries))],
    resources: [memo(parts.insights, parts.maxResultBytes), schema(parts), rows(parts), table(parts), blob(parts)],
    prompts: [mcpDemo(), exploreDatabase(parts), optimizeQuery(parts), report(parts)],
  };
}
