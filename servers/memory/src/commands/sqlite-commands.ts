// The commands on a memory in SQLite.
import { readOnlyLocation } from "../configured-location.ts";
import { Snapshot } from "../graph/history/snapshot.ts";
import { checkWritable } from "../graph/location.ts";
import { Memory } from "../graph/memory.ts";
import { lastSeq } from "../graph/store/calls.ts";
import { semanticIndexOf } from "../open-graph.ts";
import { compact } from "./compact.ts";
import { fillSqlite, readRows } from "./copies/sqlite-rows.ts";
import type { CommandContext } from "./context.ts";
import { exportTo } from "./export.ts";
import { importJsonl } from "./import.ts";
import { forgetAuthor, removeFiles } from "./people/forget-sqlite.ts";
import type { Access, StoreCommands } from "./store-commands.ts";
import { verify } from "./verify.ts";

/** Only an import creates files. */
function memoryFor({ location, output: { writeLine: warn }, embeddings }: CommandContext, access: Access): Memory {
  const semanticIndex = embeddings === undefined ? undefined : semanticIndexOf(embeddings);
  if (access !== "import") return new Memory({ location: readOnlyLocation(location), readOnly: true, warn, semanticIndex });
  checkWritable(location);
  return new Memory({ location, warn });
}

export function sqliteCommands(context: CommandContext): StoreCommands {
  const withMemory = async <T>(access: Access, action: (memory: Memory) => Promise<T>): Promise<T> => {
    await using memory = memoryFor(context, access);
    return await action(memory);
  };
  return {
    onGraph: withMemory,
    importJsonl: (path, isDryRun) =>
      withMemory(isDryRun ? "dry-run" : "import", (memory) => {
        const records = () => memory.read((store) => new Snapshot(store, lastSeq(store)).records());
        return importJsonl(memory, { path, isDryRun, output: context.output, records });
      }),
    exportTo: (format, file) => withMemory("read", (memory) => exportTo(memory, context, format, file)),
    verify: () => verify(context),
    compact: (keepHistoryMs) => compact(context, keepHistoryMs),
    readRows: (action) => withMemory("read", (memory) => readRows(memory, action)),
    fill: (source) => fillSqlite(context, source),
    remove: () => removeFiles(context),
    forgetAuthor: (person) => forgetAuthor(context, person),
  };
}
