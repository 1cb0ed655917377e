// The commands on a memory in SQLite.
import { readOnlyLocation } from "../configured-location.ts";
import { Memory } from "../graph/memory.ts";
import { semanticIndexOf } from "../open-graph.ts";
import { compact } from "./compact.ts";
import type { CommandContext } from "./context.ts";
import { exportTo } from "./export.ts";
import { importFrom, memoryForImport } from "./import.ts";
import type { StoreCommands } from "./store-commands.ts";
import { verify } from "./verify.ts";

export const sqliteCommands = (context: CommandContext): StoreCommands => ({
  async onGraph(access, action) {
    const { location, output, embeddings } = context;
    const semanticIndex = embeddings === undefined ? undefined : semanticIndexOf(embeddings);
    const memory =
      access === "read"
        ? new Memory({ location: readOnlyLocation(location), readOnly: true, warn: output.writeLine, semanticIndex })
        : memoryForImport(context, access === "dry-run");
    try {
      return await action(memory);
    } finally {
      await memory.close();
    }
  },
  importJsonl: (path, isDryRun) => importFrom(path, context, isDryRun),
  exportTo: (format, output) => exportTo(format, output, context),
  verify: () => verify(context),
  compact: (keepHistoryMs) => compact(context, keepHistoryMs),
});
