// import FILE: adds the content of a JSONL or JSON file to the memory. Existing entities stay and get the new observations.
import { statSync } from "node:fs";
import { counted, type ProgressOutput } from "@oarlock/domain-kit";
import type { Graph, SlicedChange } from "../graph/graph.ts";
import { Snapshot } from "../graph/history/snapshot.ts";
import { countDifferences, findDifferences, type Differences } from "../graph/jsonl/differences.ts";
import { JsonlFile } from "../graph/jsonl/jsonl-file.ts";
import { mergeDifferences } from "../graph/jsonl/merge.ts";
import type { Totals } from "../graph/rows/rows.ts";
import { openStore } from "../graph/store/open-store.ts";
import { runInSlices } from "../graph/store/time-slices.ts";
import { reported } from "./progress.ts";

const MAX_LISTED_LINES = 20;

interface ImportOptions {
  readonly path: string;
  readonly isDryRun: boolean;
  readonly output: ProgressOutput;
  /** The records of unknown types that the memory has. */
  readonly records: () => Promise<readonly { readonly line: string }[]>;
}

/** Returns the exit code: 2 where there is no such file, 1 where it has no readable record. */
export async function importJsonl(graph: Graph, { path, isDryRun, output, records }: ImportOptions): Promise<number> {
  const { writeLine, report } = output;
  const problem = checkFile(path);
  if (problem !== undefined) {
    writeLine(`Error: ${problem}`);
    return 2;
  }
  const before = await graph.read((rows) => rows.totals());
  const differences = await readFile(path, report);
  const { newRecords } = differences;
  if (!reportDamages(differences, path, writeLine)) return 1;
  if (newRecords.length > 0) writeLine(`${counted(newRecords.length, "record")} of unknown type kept unchanged`);
  const known = new Set((await records()).map(({ line }) => line));
  differences.newRecords = newRecords.filter((line) => !known.has(line));
  const change: SlicedChange<Totals> = function* (rows, call) {
    const total = countDifferences(differences);
    if (total > 0) yield* reported(mergeDifferences(rows, call, differences), (done) => report("Records imported", done, total));
    return rows.totals();
  };
  const after = await (isDryRun ? graph.dryRun(change) : graph.writeInSlices("import", change));
  writeLine(describeImport(before, after, isDryRun));
  return 0;
}

function describeImport(before: Totals, after: Totals, isDryRun: boolean): string {
  const added = { entities: after.entities - before.entities, relations: after.relations - before.relations };
  if (isDryRun) return `Dry run: ${describeTotals(added)} would be imported. Nothing was changed.`;
  return `Imported ${describeTotals(added)}. The memory now has ${describeTotals(after)}.`;
}

export const describeTotals = ({ entities, relations }: Totals): string =>
  `${counted(entities, "entity", "entities")} and ${counted(relations, "relation")}`;

/** The file is read twice, so it must be a regular file. */
function checkFile(path: string): string | undefined {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return `File ${path} not found. Name an existing file.`;
  if (stat.isDirectory()) return `File ${path} is a directory. Name a file in it.`;
  return stat.isFile() ? undefined : `File ${path} is not a regular file. Save its content to a regular file and import that.`;
}

/** Reports lines that are left out. False where there is no other line. */
function reportDamages(differences: Differences, path: string, writeLine: (line: string) => void): boolean {
  const { damages } = differences;
  for (const { number, reason } of damages.slice(0, MAX_LISTED_LINES)) writeLine(`line ${number} left out: ${reason}`);
  if (damages.length > MAX_LISTED_LINES) writeLine(`and ${damages.length - MAX_LISTED_LINES} more lines`);
  if (damages.length === 0 || countDifferences(differences) > 0) return true;
  writeLine(`Error: File ${path} has no readable record. Name a file of entities and relations, such as export writes.`);
  return false;
}

/** Compared with an empty graph, everything in the file is new. */
async function readFile(path: string, report: ProgressOutput["report"]): Promise<Differences> {
  using empty = await openStore(":memory:");
  using file = new JsonlFile(path);
  return await runInSlices(findDifferences(new Snapshot(empty, 0), file), { onProgress: (lines) => report("Lines read", lines) });
}
