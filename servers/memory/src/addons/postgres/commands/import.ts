// import FILE on Postgres: adds the content of a JSONL or JSON file in one change. Existing entities stay and get the new observations.
import { counted } from "@oarlock/domain-kit";
import { countDifferences, findDifferences, type Differences } from "../../../graph/jsonl/differences.ts";
import { JsonlFile } from "../../../graph/jsonl/jsonl-file.ts";
import { mergeDifferences } from "../../../graph/jsonl/merge.ts";
import { Snapshot } from "../../../graph/history/snapshot.ts";
import type { SlicedChange } from "../../../graph/graph.ts";
import type { Totals } from "../../../graph/rows/rows.ts";
import type { PostgresGraph } from "../postgres-graph.ts";
import { openStore } from "../../../graph/store/open-store.ts";
import { runInSlices } from "../../../graph/store/time-slices.ts";
import type { ProgressOutput } from "@oarlock/domain-kit";
import { reported } from "../../../commands/progress.ts";
import { checkFile, describeImport, reportDamages } from "../../../commands/import.ts";

/** Returns the exit code: 2 where there is no such file, 1 where it has no readable record. */
export async function importToPostgres(
  graph: PostgresGraph,
  { file, isDryRun, output: { writeLine, report } }: { readonly file: string; readonly isDryRun: boolean; readonly output: ProgressOutput },
): Promise<number> {
  const problem = checkFile(file);
  if (problem !== undefined) {
    writeLine(`Error: ${problem}`);
    return 2;
  }
  const differences = await readFile(file);
  if (!reportDamages(differences, file, writeLine)) return 1;
  const before = await graph.read((rows) => rows.totals());
  const known = await graph.engine.transaction(
    {},
    async (sql) => await sql.all<{ line: string }>("select line from record where ended is null"),
  );
  const lines = new Set(known.map(({ line }) => line));
  const additions = { ...differences, newRecords: differences.newRecords.filter((line) => !lines.has(line)) };
  const change: SlicedChange<Totals> = function* (rows, call) {
    const total = countDifferences(additions);
    if (total > 0) yield* reported(mergeDifferences(rows, call, additions), (done) => report("Records imported", done, total));
    return rows.totals();
  };
  const after = await (isDryRun ? graph.dryRun(change) : graph.writeInSlices("import", change));
  if (additions.newRecords.length > 0) writeLine(`${counted(additions.newRecords.length, "record")} of unknown type kept unchanged`);
  writeLine(describeImport(before, after, isDryRun));
  return 0;
}

/** Compared with an empty graph, everything in the file is new. */
async function readFile(path: string): Promise<Differences> {
  const empty = await openStore(":memory:");
  const file = new JsonlFile(path);
  try {
    return await runInSlices(findDifferences(new Snapshot(empty, 0), file));
  } finally {
    file.close();
    empty.close();
  }
}
