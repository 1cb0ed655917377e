// The tools, resources and prompts of the server, loaded after the client's first message.
import { leanProcess } from "@oarlock/cli";
import { leanTool, type ServerFeatures, type ToolDefinition } from "@oarlock/server-kit";
import { CHECKS } from "./db/protocol/schema-messages.ts";
import type { Dependencies } from "./dependencies.ts";
import { exploreDatabase } from "./prompts/explore-database.ts";
import { mcpDemo } from "./prompts/mcp-demo.ts";
import { optimizeQuery } from "./prompts/optimize-query.ts";
import { report } from "./prompts/report.ts";
import type { NamedQuery } from "./queries/named-query.ts";
import { memo } from "./resources/memo.ts";
import { diagram, schema } from "./resources/schema.ts";
import { firstRows, table } from "./resources/table.ts";
import { value } from "./resources/value.ts";
import { appendInsight } from "./tools/append-insight.ts";
import { backupDatabase } from "./tools/files/backup-database.ts";
import { checkDatabase } from "./tools/check-database.ts";
import { createTable } from "./tools/create-table.ts";
import { describeTable } from "./tools/describe-table.ts";
import { explainQuery } from "./tools/explain-query.ts";
import { exportQuery } from "./tools/files/export-query.ts";
import { importCsv } from "./tools/files/import-csv.ts";
import { listDatabases } from "./tools/list-databases.ts";
import { listTables } from "./tools/list-tables.ts";
import { readQuery } from "./tools/read-query.ts";
import { runTransaction } from "./tools/run-transaction.ts";
import { searchText } from "./tools/search-text.ts";
import { viewRows } from "./tools/view-rows.ts";
import { viewSchema } from "./tools/view-schema.ts";
import { writeQuery } from "./tools/write-query.ts";

interface ServedDatabases {
  readonly hasSeveral: boolean;
  readonly isLean: boolean;
}

/** Members of structured content that repeat the text of the reply. Counts and cursors are kept. */
const REPEATED_MEMBERS: ReadonlySet<string> = new Set([
  ...["rows", "columns", "returning", "results", "further", "sample", "tables", "matches", "plan", "suggestions", "databases", "sql"],
  ...["foreignKeys", "referencedBy", "indexes", "triggers", ...CHECKS],
]);

const toolsFor = (deps: Dependencies, { hasSeveral }: Omit<ServedDatabases, "isLean">): ToolDefinition[] => [
  readQuery(deps),
  writeQuery(deps),
  runTransaction(deps),
  createTable(deps),
  listTables(deps),
  describeTable(deps),
  explainQuery(deps),
  searchText(deps),
  checkDatabase(deps),
  ...(hasSeveral ? [listDatabases(deps)] : []),
  appendInsight(deps),
  importCsv(deps),
  exportQuery(deps),
  backupDatabase(deps),
];

/** Only views call these, so their results stay whole with --lean. */
const viewToolsFor = (deps: Dependencies): ToolDefinition[] => [viewRows(deps), viewSchema(deps)];

async function queryToolsFor(deps: Dependencies, queries: readonly NamedQuery[]): Promise<ToolDefinition[]> {
  if (queries.length === 0) return [];
  const { queryTools } = await import("./tools/query-tools.ts");
  const takenNames = [...toolsFor(deps, { hasSeveral: true }), ...viewToolsFor(deps)].map(({ name }) => name);
  return queryTools(deps, queries, takenNames);
}

export async function createFeatures(
  deps: Dependencies,
  served: ServedDatabases,
  queries: readonly NamedQuery[] = [],
): Promise<ServerFeatures> {
  leanProcess();
  const tools = [...toolsFor(deps, served), ...(await queryToolsFor(deps, queries))];
  return {
    tools: [...(served.isLean ? tools.map((tool) => leanTool(tool, REPEATED_MEMBERS)) : tools), ...viewToolsFor(deps)],
    resources: [memo(deps), schema(deps), diagram(deps), firstRows(deps), table(deps), value(deps)],
    prompts: [mcpDemo(), exploreDatabase(deps), optimizeQuery(deps), report(deps)],
  };
}
