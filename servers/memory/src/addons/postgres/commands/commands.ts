// The commands on a memory in Postgres.
import type { ProgressOutput } from "@oarlock/domain-kit";
import { UsageError } from "../../../commands/context.ts";
import { importJsonl } from "../../../commands/import.ts";
import { FORGOTTEN, type StoreCommands } from "../../../commands/store-commands.ts";
import { prunedReport } from "../../../graph/history/retention.ts";
import type { PostgresLocation } from "../../../postgres-location.ts";
import { PostgresGraph } from "../postgres-graph.ts";
import { exportFromPostgres } from "./export.ts";
import { dropMemory } from "./memories.ts";
import { fillPostgres, readPostgresRows } from "./rows.ts";
import { verifyPostgres } from "./verify.ts";

export function postgresCommands(location: PostgresLocation, output: ProgressOutput): StoreCommands {
  const { writeLine } = output;
  const withGraph = async <T>(readOnly: boolean, action: (graph: PostgresGraph) => Promise<T>): Promise<T> => {
    const graph = new PostgresGraph({ location, readOnly, warn: writeLine });
    try {
      return await action(graph);
    } finally {
      await graph.close();
    }
  };
  return {
    onGraph: (access, action) => withGraph(access === "read", action),
    importJsonl: (path, isDryRun) =>
      withGraph(false, (graph) => {
        const select = "select line from record where ended is null";
        const records = () => graph.engine.transaction({}, (sql) => sql.all<{ line: string }>(select));
        return importJsonl(graph, { path, isDryRun, output, records });
      }),
    exportTo: (format, file) => withGraph(true, (graph) => exportFromPostgres(graph, { format, output: file })),
    readRows: (action) => withGraph(true, (graph) => readPostgresRows(graph, action)),
    fill: (source) => withGraph(false, (graph) => fillPostgres(graph, source)),
    remove: () =>
      withGraph(true, async (graph) => {
        await graph.engine.transaction({ isChange: true }, (sql) => dropMemory(sql, location.schema));
        return [`schema ${location.schema}`];
      }),
    forgetAuthor: (person) =>
      withGraph(true, (graph) =>
        graph.engine.transaction({ isChange: true }, (sql) => sql.run("update call set client = $1 where client = $2", FORGOTTEN, person)),
      ),
    verify: () => withGraph(true, (graph) => verifyPostgres(graph, writeLine)),
    async compact(keepHistoryMs) {
      if (keepHistoryMs === undefined)
        throw new UsageError(
          "Command compact is for files, except to remove history (--keep-history DURATION): Postgres compacts its tables itself. To return space to the disk, run VACUUM FULL there",
        );
      return await withGraph(false, async (graph) => {
        writeLine(prunedReport(await graph.pruneHistory(Date.now() - keepHistoryMs)));
        return 0;
      });
    },
  };
}
