/** What a run of vitest leaves behind, one JSON text a line: the files that it means to run, each file that has ended, and the end of the run. */
import { existsSync, readFileSync } from "node:fs";

/** Environment variable with the path of the records. */
export const RECORDS_VARIABLE = "OARLOCK_TEST_RECORDS";

export interface FileRecord {
  /** Relative to the root of the repository. */
  readonly file: string;
  readonly project: string;
  readonly passed: number;
  /** Failed tests; 1 for a file that failed without one, such as one that cannot be loaded. */
  readonly failed: number;
  /** The reason of each skipped test; empty where it states none. */
  readonly skipped: readonly string[];
  /** Processor time, that of ended child processes included. Undefined for a file that ended before its hooks ran. */
  readonly cpuSeconds?: number;
  /** From the start of the file to its end. */
  readonly wallSeconds?: number;
}

export type RunRecord = { readonly planned: readonly string[] } | { readonly errors: number } | FileRecord;

export interface RunOutcome {
  readonly files: readonly FileRecord[];
  /** Planned files that have not ended. */
  readonly notRun: readonly string[];
  readonly errors: number;
}

export function readRecords(path: string): RunOutcome {
  const lines = existsSync(path) ? readFileSync(path, "utf8").split("\n") : [];
  // What stands behind the last line break was cut off when the run was stopped.
  const records = lines.slice(0, -1).map((line) => JSON.parse(line) as RunRecord); // written by our own reporter
  const files = records.filter((record) => "file" in record);
  const ended = new Set(files.map(({ file }) => file));
  const planned = records.flatMap((record) => ("planned" in record ? record.planned : []));
  const errors = records.reduce((sum, record) => sum + ("errors" in record ? record.errors : 0), 0);
  return { files, notRun: planned.filter((file) => !ended.has(file)), errors };
}
