// What the server offers: a table, loaded once the client has been greeted.
import type { Offer } from "@oarlock/server-kit";
import type { Parts } from "./parts.ts";
import { exploreDatabase } from "./prompts/explore-database.ts";
import { mcpDemo } from "./prompts/mcp-demo.ts";
import { optimizeQuery } from "./prompts/optimize-query.ts";
import { report } from "./prompts/report.ts";
import { blob } from "./resources/blob.ts";
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

export function offerOf(parts: Parts, { writes, many }: { writes: boolean; many: boolean }): Offer {
  return {
    tools: [
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
    ],
    resources: [memo(parts.insights, parts.maxResultBytes), schema(parts), rows(parts), table(parts), blob(parts)],
    prompts: [mcpDemo(), exploreDatabase(parts), optimizeQuery(parts), report(parts)],
  };
}
