// compact: optimizes the indexes and makes the database as small as possible. History stays, unless a duration is given.
import { existsSync, statSync } from "node:fs";
import { toGraphError } from "../graph/errors.ts";
import { checkWritable } from "../graph/location.ts";
import { prunedReport } from "../graph/history/retention.ts";
import { Memory } from "../graph/memory.ts";
import { semanticIndexOf } from "../open-graph.ts";
import type { CommandContext } from "./context.ts";

const LOCK_TIMEOUT_MS = 10_000;

/** Returns the exit code. */
export async function compact({ location, output: { writeLine, step } }: CommandContext, keepHistoryMs?: number): Promise<number> {
  const { database } = location;
  if (!existsSync(database)) {
    writeLine(`Database ${database} does not exist yet.`);
    return 0;
  }
  checkWritable(location);
  try {
    await using memory = new Memory({ location, warn: writeLine, semanticIndex: semanticIndexOf(undefined) });
    const { store } = await memory.open();
    const before = sizeOf(database);
    if (keepHistoryMs !== undefined) writeLine(prunedReport(await memory.pruneHistory(Date.now() - keepHistoryMs)));
    const steps: readonly (readonly [name: string, run: () => unknown])[] = [
      ["optimize the text index", () => store.run("INSERT INTO trigram (trigram) VALUES ('optimize')")],
      ["optimize the index of short words", () => store.run("INSERT INTO gram (gram) VALUES ('optimize')")],
      ["rewrite the database", () => store.db.exec("VACUUM")],
      ["empty the log", () => store.db.pragma("wal_checkpoint(TRUNCATE)")],
    ];
    store.db.pragma(`busy_timeout = ${LOCK_TIMEOUT_MS}`);
    for (const [index, [name, run]] of steps.entries()) {
      step(name, index + 1, steps.length);
      run();
    }
    writeLine(`Compacted: ${before} before, ${sizeOf(database)} now.`);
    return 0;
  } catch (error) {
    throw toGraphError(error);
  }
}

/** With its log. */
function sizeOf(path: string): string {
  const files = [path, `${path}-wal`];
  const bytes = files.reduce((sum, file) => sum + (statSync(file, { throwIfNoEntry: false })?.size ?? 0), 0);
  return `${Math.ceil(bytes / 1024)} KB`;
}
