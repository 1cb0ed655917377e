// Runs a command, such as import or verify. Loaded only when one is given.
import { existsSync } from "node:fs";
import { ProgressOutput } from "@oarlock/domain-kit";
import { writeStdout } from "@oarlock/server-kit/node";
import type { ImportedFile } from "../addon-ports.ts";
import { hasAddon, loadAddon, MissingAddonError, requireAddon } from "../addons.ts";
import { checkPostgres, loadPostgres } from "../check-postgres.ts";
import { ConfigurationError, configuredEmbeddings, type EmbeddingsConfiguration } from "../configured-embeddings.ts";
import { configuredLocation, expandHome, isInPostgres } from "../configured-location.ts";
import { StartError } from "@oarlock/cli";
import { GraphError } from "../graph/errors.ts";
import { LocationError } from "../graph/location.ts";
import type { MemoryLocation } from "../postgres-location.ts";
import { isDynamic } from "../scopes/scope-name.ts";
import { scopedLocation } from "../scopes/scoped-location.ts";
import { parseArguments, type CommandArguments, type ExportFormat } from "./arguments.ts";
import { UsageError } from "./context.ts";
import { printDigest, projectOf } from "./digest.ts";
import { FormatError, IMPORT_FORMATS, type ImportFormat } from "./import-format.ts";
import { inspect } from "./inspect.ts";
import { sqliteCommands } from "./sqlite-commands.ts";
import type { StoreCommands } from "./store-commands.ts";

const USAGE = `Usage: oarlock-memory COMMAND [--db FILE] [--scope NAME]
  import FILE|DIR [--format NAME] [--dry-run]     add the content of a file or of a folder of notes; what exists stays
  export [--jsonl|--json|--dot] [--output FILE]   write the current graph
  export --format markdown DIR                    write it as Markdown notes with wiki links
  verify                                  check database, vectors and JSONL file; exit code 1 when something is wrong
  compact [--keep-history DURATION]       make the database as small as possible; DURATION removes older history first
  inspect QUERY [--embeddings URL|local]  show how a search ranks facts, and what it cuts
  digest [--max-tokens N] [--project NAME]        print what is known for a project, by default that of this folder
  inbox list | add FACT [--entity NAME] | confirm ID…|all | decline ID…|all
                                          facts that wait: only what is confirmed is stored
  users list | export PERSON [--output FILE] | forget PERSON [--yes]
                                          whose memories there are, what they hold, and removing a person; --audit FILE adds a line
  backup FILE|DIR                         copy the memory, or all memories into a folder, while servers use them
  restore FILE|DIR [--yes]                put a backup in place; what it replaces is kept beside it
  move --from FILE|URL --to FILE|URL      copy all memories, or that of --scope, between files and Postgres with their history
  hooks install|remove HOST [--scope user|project] [--dry-run] [--db FILE] [--max-tokens N]
                                          digest at the start of a session, inbox at its end; HOST: claude-code, codex, cursor, gemini, vscode
Formats of import, found by the content: ${IMPORT_FORMATS.join(", ")}.
Without --db: OARLOCK_DB, MEMORY_FILE_PATH, or the user's data folder. Without a command the server is started.
`;

const COMMANDS = [
  ...["import", "export", "verify", "compact", "inspect", "digest", "inbox"],
  ...["users", "backup", "restore", "move", "hooks"],
] as const;
export type Command = (typeof COMMANDS)[number];

const EXIT = { internal: 1, usage: 2, environment: 3 } as const;

const output = new ProgressOutput(process.stderr);
const { writeLine } = output;

/** Commands on the memories of all users. */
const OF_MANY = ["users", "backup", "restore", "move"] as const;
const isOfMany = (command: Command): command is (typeof OF_MANY)[number] => OF_MANY.some((one) => one === command);

const isCommand = (word: string): word is Command => (COMMANDS as readonly string[]).includes(word);

/** Returns the exit code. */
export async function run(command: string, args: readonly string[]): Promise<number> {
  // A reader such as `head` may close a pipe early. What else goes wrong is reported where something is written.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);
  try {
    if (args.includes("--help") || args.includes("-h")) {
      writeStdout(USAGE);
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
    if (error instanceof StartError) return error.code;
    if (error instanceof FormatError) return EXIT.internal;
    if (error instanceof MissingAddonError || error instanceof ConfigurationError) return EXIT.usage;
    if (error instanceof LocationError) return error.isEnvironment ? EXIT.environment : EXIT.usage;
    return error instanceof GraphError ? EXIT.environment : EXIT.internal;
  } finally {
    output.end();
  }
}

async function runCommand(command: Command, args: readonly string[]): Promise<number> {
  if (command === "hooks" && (args.includes("install") || args.includes("remove")))
    return await (await import("./hooks/hooks.ts")).changeHooksOf(args);
  const parsed = parseArguments(command, args);
  const { file = "", db, scope, output: outputFile, format, importFormat, isDryRun, keepHistoryMs } = parsed;
  const variable = process.env["OARLOCK_DB"];
  // As for the server: an empty variable must not lead to another memory than the one that was meant.
  if (db === undefined && variable?.trim() === "") throw new UsageError("Variable OARLOCK_DB is empty: name a file or unset it");
  const base = configuredLocation(db ?? variable, process.env, isOfMany(command));
  if (isOfMany(command) || ((command === "verify" || command === "compact") && isDynamic(scope)))
    return await (await import("./people/many-memories.ts")).runOnMany(command, parsed, { base, output, commandsOn });
  if (isDynamic(scope))
    throw new UsageError(`--scope ${scope} is not the name of one memory. Name one, as the files are named: user-… or project-…`);
  const location = scopedLocation(base, scope);
  const embeddings = command === "inspect" ? embeddingsOf(parsed, location) : undefined;
  // Only an import creates a memory.
  const commands = await commandsOn(location, command === "import", embeddings);
  switch (command) {
    case "import":
      return await importFile(commands, file, { importFormat, isDryRun });
    case "export":
      return await exportFrom(commands, format, file === "" ? outputFile : file);
    case "verify":
      return await commands.verify();
    case "compact":
      return await commands.compact(keepHistoryMs);
    case "inspect":
      return await commands.onGraph("read", (graph) => inspect(graph, parsed.query));
    case "digest":
      return await commands.onGraph("read", (graph) =>
        printDigest(graph, { ...parsed, project: parsed.project ?? projectOf(process.cwd()) }),
      );
    case "inbox": {
      const { inbox } = await import("./inbox/inbox.ts");
      const { words, entity = projectOf(process.cwd()) } = parsed;
      return await inbox({ words, entity, database: fileOf(location), onGraph: (action) => commands.onGraph("import", action) });
    }
    case "hooks": {
      const { printHook } = await import("./hooks/hooks.ts");
      return await printHook(parsed, fileOf(location), (action) => commands.onGraph("read", action));
    }
  }
}

/** The inbox is a file beside the memory. Throws a UsageError for a memory in Postgres. */
function fileOf(location: MemoryLocation): string {
  if (isInPostgres(location)) throw new UsageError("The inbox needs a memory in a file: name one with --db");
  return location.database;
}

/** As those of the server: a switch beats its variable. */
function embeddingsOf({ embeddings: given }: CommandArguments, location: MemoryLocation): EmbeddingsConfiguration | undefined {
  const { env } = process;
  const keyFile = given.embeddingsKeyFile ?? env["OARLOCK_EMBEDDINGS_KEY_FILE"];
  const flags = {
    embeddings: given.embeddings ?? env["OARLOCK_EMBEDDINGS"],
    embeddingsModel: given.embeddingsModel ?? env["OARLOCK_EMBEDDINGS_MODEL"],
    embeddingsKeyFile: keyFile === undefined ? undefined : expandHome(keyFile),
  };
  const configuration = configuredEmbeddings(flags, location);
  if (configuration !== undefined) requireAddon("embeddings", "--embeddings");
  return configuration;
}

async function commandsOn(location: MemoryLocation, creates = false, embeddings?: EmbeddingsConfiguration): Promise<StoreCommands> {
  if (!isInPostgres(location)) return sqliteCommands({ location, output, embeddings });
  await checkPostgres(location, !creates);
  return await (await loadPostgres()).commandsOn(location, output);
}

async function importFile(
  commands: StoreCommands,
  path: string,
  { importFormat, isDryRun }: Pick<CommandArguments, "importFormat" | "isDryRun">,
): Promise<number> {
  const imported = existsSync(path) ? await readImport(path, importFormat) : undefined;
  if (imported === undefined) return await commands.importJsonl(path, isDryRun);
  return await commands.onGraph(isDryRun ? "dry-run" : "import", (graph) => imported.addTo(graph, { isDryRun, output }));
}

/** Undefined for a JSONL file, as any other is where the formats of other programs are not known. */
async function readImport(path: string, format: ImportFormat | undefined): Promise<ImportedFile | undefined> {
  if (format === undefined && !hasAddon("notes")) return undefined;
  return await (await loadAddon("notes", `import --format ${format}`)).readImport(path, format);
}

async function exportFrom(commands: StoreCommands, format: ExportFormat, target: string | undefined): Promise<number> {
  if (format !== "markdown") return await commands.exportTo(format, target);
  if (target === undefined) throw new UsageError("Format markdown needs a folder: export --format markdown DIR");
  const { exportNotes } = await loadAddon("notes", "export --format markdown");
  return await commands.onGraph("read", (graph) => exportNotes(graph, target, writeLine));
}
