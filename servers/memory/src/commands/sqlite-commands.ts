// The commands on a memory in SQLite.
import { readOnlyLocation } from "../configured-location.ts";
import { Snapshot } from "../graph/history/snapshot.ts";
import { Memory } from "../graph/memory.ts";
import { lastSeq } from "../graph/store/calls.ts";
import { semanticIndexOf } from "../open-graph.ts";
import { compact } from "./compact.ts";
import { fillSqlite, readRows } from "./copies/sqlite-rows.ts";
import type { CommandContext } from "./context.ts";
import { exportTo } from "./export.ts";
import { importJsonl, memoryForImport } from "./import.ts";
import { forgetAuthor, removeFiles } from "./people/forget-sqlite.ts";
import type { Access, StoreCommands } from "./store-commands.ts";
import { verify } from "./verify.ts";

export function sqliteCommands(context: CommandContext): StoreCommands {
  const withMemory = async <T>(access: Access, action: (memory: Memory) => Promise<T>): Promise<T> => {
    const { location, output, embeddings } = context;
    const semanticIndex = embeddings === undefined ? undefined : semanticIndexOf(embeddings);
    await using memory =
      access === "read"
        ? new Memory({ location: readOnlyLocation(location), readOnly: true, warn: output.writeLine, semanticIndex })
        : memoryForImport(context, access === "dry-run");
    return await action(memory);
  };
  return {
    onGraph: withMemory,
    importJsonl: (path, isDryRun) =>
      withMemory(isDryRun ? "dry-run" : "import", (memory) => {
        const records = () => memory.read((store) => new Snapshot(store, lastSeq(store)).records());
        return importJsonl(memory, { path, isDryRun, output: context.output, records });
      }),
    exportTo: (format, output) => exportTo(format, output, context),
    verify: () => verify(context),
    compact: (keepHistoryMs) => compact(context, keepHistoryMs),
    readRows: (action) => readRows(context.location, context.output.writeLine, action),
    fill: (source) => fillSqlite(context, source),
    remove: () => removeFiles(context),
    forgetAuthor: (person) => forgetAuthor(context, person),
  };
}
