// The commands on a memory in Postgres.
import { existsSync } from "node:fs";
import type { CommandArguments } from "../../../commands/arguments.ts";
import { UsageError } from "../../../commands/context.ts";
import type { PostgresLocation } from "../../../postgres-location.ts";
import { forgottenReport } from "../../../graph/history/retention.ts";
import { PostgresGraph } from "../postgres-graph.ts";
import { exportNotes } from "../../notes/export-notes.ts";
import type { ProgressOutput } from "@oarlock/domain-kit";
import { importGraph, readImport } from "../../notes/imports/import-graph.ts";
import { exportFromPostgres } from "./export.ts";
import { importToPostgres } from "./import.ts";
import { verifyPostgres } from "./verify.ts";

export type Command = "import" | "export" | "verify" | "compact";

export interface PostgresCommand extends Omit<CommandArguments, "db" | "scope" | "output"> {
  readonly location: PostgresLocation;
  /** Where an export is written. */
  readonly outputFile: string | undefined;
  /** What the command says on stderr. */
  readonly output: ProgressOutput;
}

/** Returns the exit code. */
export async function runOnPostgres(command: Command, options: PostgresCommand): Promise<number> {
  const { location, keepHistoryMs } = options;
  const { writeLine } = options.output;
  if (command === "compact" && keepHistoryMs === undefined)
    throw new UsageError(
      "Command compact is for files, except to remove history (--keep-history DURATION): Postgres compacts its tables itself. To return space to the disk, run VACUUM FULL there",
    );
  const graph = new PostgresGraph({ location, readOnly: command !== "import" && command !== "compact", warn: writeLine });
  try {
    if (command === "import") return await importFile(graph, options);
    if (command === "export") return await exportFrom(graph, options);
    if (command === "verify") return await verifyPostgres(graph, writeLine);
    writeLine(forgottenReport(await graph.forgetHistory(Date.now() - (keepHistoryMs ?? Number.POSITIVE_INFINITY))));
    return 0;
  } finally {
    await graph.close();
  }
}

async function importFile(graph: PostgresGraph, options: PostgresCommand): Promise<number> {
  const { file: path = "", importFormat, isDryRun, output } = options;
  const imported = existsSync(path) ? await readImport(path, importFormat) : undefined;
  return imported === undefined ? await importToPostgres(graph, options) : await importGraph(graph, imported, { path, isDryRun, output });
}

async function exportFrom(graph: PostgresGraph, { format, file, outputFile, output }: PostgresCommand): Promise<number> {
  const folder = file === undefined || file === "" ? outputFile : file;
  if (format !== "markdown") return await exportFromPostgres(graph, { format, output: outputFile });
  if (folder === undefined) throw new UsageError("Format markdown needs a folder: export --format markdown DIR");
  return await exportNotes(graph, folder, output.writeLine);
}
