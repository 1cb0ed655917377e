// Runs a command: import, export, verify or compact. Loaded only when one of them is given.
import { existsSync } from "node:fs";
import { checkPostgres, configuredLocation, isInPostgres, readOnlyLocation } from "../configured-location.ts";
import { GraphError } from "../graph/errors.ts";
import { LocationError } from "../graph/location.ts";
import { Memory } from "../graph/memory.ts";
import { scopedLocation } from "../scopes/scoped-location.ts";
import { parseArguments, type CommandArguments, type ExportFormat } from "./arguments.ts";
import { compact } from "./compact.ts";
import { UsageError, type CommandContext } from "./context.ts";
import { exportNotes } from "../addons/notes/export-notes.ts";
import { exportTo } from "./export.ts";
import { FormatError } from "../addons/notes/imports/imported-graph.ts";
import { IMPORT_FORMATS } from "../addons/notes/imports/detect.ts";
import { importFrom, memoryForImport } from "./import.ts";
import { importGraph, readImport } from "../addons/notes/imports/import-graph.ts";
import { ProgressOutput } from "@oarlock/domain-kit";
import { verify } from "./verify.ts";

const USAGE = `Usage: oarlock-memory COMMAND [--db FILE] [--scope NAME]
  import FILE|DIR [--format NAME] [--dry-run]     add the content of a file or of a folder of notes; what exists stays
  export [--jsonl|--json|--dot] [--output FILE]   write the current graph
  export --format markdown DIR                    write it as Markdown notes with wiki links
  verify                                  check the database and the JSONL file; exit code 1 when something is wrong
  compact [--keep-history DURATION]       make the database as small as possible; DURATION removes older history first
Formats of import, found by the content: ${IMPORT_FORMATS.join(", ")}.
Without --db: OARLOCK_DB, MEMORY_FILE_PATH, or the user's data folder. Without a command the server is started.
`;

const COMMANDS = ["import", "export", "verify", "compact"] as const;
export type Command = (typeof COMMANDS)[number];

const EXIT = { internal: 1, usage: 2, environment: 3 } as const;

const output = new ProgressOutput(process.stderr);
const { writeLine } = output;

const isCommand = (word: string): word is Command => (COMMANDS as readonly string[]).includes(word);

/** Returns the exit code. */
export async function run(command: string, args: readonly string[]): Promise<number> {
  // A reader such as `head` may close a pipe early. What else goes wrong is reported where something is written.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);
  try {
    if (args.includes("--help") || args.includes("-h")) {
      process.stdout.write(USAGE);
      return 0;
    }
    if (!isCommand(command)) {
      writeLine(`Error: Unknown command ${JSON.stringify(command)}: ${COMMANDS.join(", ")} are expected. See oarlock-memory --help.`);
      return EXIT.usage;
    }
    return await runCommand(command, args);
  } catch (error) {
    if (error instanceof UsageError) {
      writeLine(`Error: ${error.message}. See oarlock-memory ${command} --help.`);
      return EXIT.usage;
    }
    writeLine(`Error: ${error instanceof Error ? error.message : String(error)}`);
    if (error instanceof FormatError) return EXIT.internal;
    if (error instanceof LocationError) return error.isEnvironment ? EXIT.environment : EXIT.usage;
    return error instanceof GraphError ? EXIT.environment : EXIT.internal;
  } finally {
    output.end();
  }
}

async function runCommand(command: Command, args: readonly string[]): Promise<number> {
  const { file = "", db, scope, output: outputFile, format, importFormat, isDryRun, keepHistoryMs } = parseArguments(command, args);
  const variable = process.env["OARLOCK_DB"];
  // As for the server: an empty variable must not lead to another memory than the one that was meant.
  if (db === undefined && variable?.trim() === "") throw new UsageError("Variable OARLOCK_DB is empty: name a file or unset it");
  const location = scopedLocation(configuredLocation(db ?? variable, process.env), scope);
  if (isInPostgres(location)) {
    // Only an import creates a memory.
    await checkPostgres(location, command !== "import");
    const commands = await import("../addons/postgres/commands/commands.ts");
    return await commands.runOnPostgres(command, { file, outputFile, format, importFormat, isDryRun, keepHistoryMs, location, output });
  }
  const context = { location, output };
  switch (command) {
    case "import":
      return await importFile(file, context, { importFormat, isDryRun });
    case "export":
      return await exportFrom(format, file === "" ? outputFile : file, context);
    case "verify":
      return verify(context);
    case "compact":
      return await compact(context, keepHistoryMs);
  }
}

async function importFile(
  path: string,
  context: CommandContext,
  options: Pick<CommandArguments, "importFormat" | "isDryRun">,
): Promise<number> {
  const { importFormat, isDryRun } = options;
  const imported = existsSync(path) ? await readImport(path, importFormat) : undefined;
  if (imported === undefined) return await importFrom(path, context, isDryRun);
  const memory = memoryForImport(context, isDryRun);
  try {
    return await importGraph(memory, imported, { path, isDryRun, output: context.output });
  } finally {
    await memory.close();
  }
}

async function exportFrom(format: ExportFormat, output: string | undefined, context: CommandContext): Promise<number> {
  if (format !== "markdown") return await exportTo(format, output, context);
  if (output === undefined) throw new UsageError("Format markdown needs a folder: export --format markdown DIR");
  const memory = new Memory({ location: readOnlyLocation(context.location), readOnly: true, warn: writeLine });
  try {
    return await exportNotes(memory, output, writeLine);
  } finally {
    await memory.close();
  }
}
