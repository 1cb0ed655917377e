// The arguments of a command.
import type { EmbeddingsFlags } from "../configured-embeddings.ts";
import { expandHome } from "../configured-location.ts";
import { parseRetention } from "../graph/rows/durations.ts";
import { UsageError } from "./context.ts";
import { IMPORT_FORMATS, type ImportFormat } from "./import-format.ts";

export const FORMATS = ["jsonl", "json", "dot"] as const;
export type Format = (typeof FORMATS)[number];
const EXPORT_FORMATS = [...FORMATS, "markdown"] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

export interface CommandArguments {
  /** The query to inspect. */
  readonly query: string;
  /** Embeddings with which it is inspected. */
  readonly embeddings: EmbeddingsFlags;
  /** The file or folder to import, or the folder of an export as notes. */
  readonly file: string | undefined;
  readonly db: string | undefined;
  readonly scope: string | undefined;
  readonly output: string | undefined;
  readonly format: ExportFormat;
  /** Default: found by the content of the file. */
  readonly importFormat: ImportFormat | undefined;
  /** Compact first removes what ended longer ago, in milliseconds. */
  readonly keepHistoryMs: number | undefined;
  /** Of inbox, hooks and users: the action and what follows it. */
  readonly words: readonly string[];
  /** Of a digest. */
  readonly maxTokens: number | undefined;
  /** The project of a digest. Default: the name of the working directory. */
  readonly project: string | undefined;
  /** The entity of a fact for the inbox. Default: the project. */
  readonly entity: string | undefined;
  /** Reports what an import would do. */
  readonly isDryRun: boolean;
  /** What a restore replaces, and whom users forget, is gone for good. */
  readonly isConfirmed: boolean;
  /** Of users: the audit file. */
  readonly audit: string | undefined;
  /** Of a move: the values that --db would have. */
  readonly from: string | undefined;
  readonly to: string | undefined;
}

/** Switches whose value is a word, not a file. */
const NAMED: Readonly<Record<string, string>> = {
  "--scope": "name",
  "--format": "format",
  "--keep-history": "duration",
  "--embeddings": "URL",
  "--embeddings-model": "name",
  "--max-tokens": "number",
  "--project": "name",
  "--from": "file or address",
  "--to": "file or address",
  "--entity": "name",
};
/** Those that name a file all the same. */
const OF_PATHS: ReadonlySet<string> = new Set(["--from", "--to"]);
const EMBEDDINGS_SWITCHES = ["--embeddings", "--embeddings-model", "--embeddings-key-file"] as const;
/** Fewer have no room for one fact. */
const MIN_TOKENS = 100;
/** What a command cannot be without. */
const NEEDED: Readonly<Record<string, string>> = {
  ...{ import: "a file", inspect: "a query", backup: "a file or folder", restore: "a backup" },
  ...{ inbox: "an action", hooks: "an action", users: "an action" },
};
/** Commands of several words. */
const OF_WORDS: readonly string[] = ["inbox", "hooks", "users"];
/** What a command takes besides --db and --scope. */
const VALUE_SWITCHES: Readonly<Record<string, readonly string[]>> = {
  import: ["--format"],
  export: ["--output", "--format"],
  compact: ["--keep-history"],
  inspect: EMBEDDINGS_SWITCHES,
  digest: ["--max-tokens", "--project"],
  hooks: ["--max-tokens", "--project"],
  inbox: ["--entity"],
  users: ["--output", "--audit"],
  move: ["--from", "--to"],
};
const PLAIN_SWITCHES: Readonly<Record<string, readonly string[]>> = {
  import: ["--dry-run"],
  export: FORMATS.map((format) => `--${format}`),
  users: ["--yes"],
  restore: ["--yes"],
};

/** Throws a UsageError for arguments that the command does not take. `--` ends the switches. */
export function parseArguments(command: string, args: readonly string[]): CommandArguments {
  const isExport = command === "export";
  const isImport = command === "import";
  const valueSwitches = [
    ...(command === "move" ? [] : ["--db"]),
    ...(command === "users" ? [] : ["--scope"]), // it is about all of them
    ...(VALUE_SWITCHES[command] ?? []),
  ];
  const plainSwitches = PLAIN_SWITCHES[command] ?? [];
  const positionals: string[] = [];
  const values = new Map<string, string>();
  const given = new Set<string>();
  const rest = [...args];
  for (let arg = rest.shift(); arg !== undefined; arg = rest.shift()) {
    const [name = "", inlineValue] = arg.startsWith("--") ? arg.split(/=(.*)/s) : [arg];
    if (arg === "--") positionals.push(...rest.splice(0));
    else if (plainSwitches.includes(name)) {
      if (inlineValue !== undefined) throw new UsageError(`Switch ${name} takes no value`);
      given.add(name);
    } else if (valueSwitches.includes(name)) {
      const value = inlineValue ?? rest.shift() ?? "";
      // Without this check, a switch in place of the value would name a file.
      if (value.trim() === "" || (inlineValue === undefined && value.startsWith("-")))
        throw new UsageError(`Switch ${name} needs a ${NAMED[name] ?? "file"}`);
      values.set(name, name in NAMED && !OF_PATHS.has(name) ? value : expandHome(value));
    } else if (arg.startsWith("-") && arg !== "-") throw new UsageError(`Unknown switch ${JSON.stringify(arg)}`);
    else positionals.push(arg);
  }
  const named = values.get("--format");
  const format = isExport
    ? (findFormat(EXPORT_FORMATS, named) ?? FORMATS.findLast((format) => given.has(`--${format}`)) ?? "jsonl")
    : "jsonl";
  const subject = checkPositionals(command, positionals, format);
  const isQuery = command === "inspect";
  const [embeddings, embeddingsModel, embeddingsKeyFile] = EMBEDDINGS_SWITCHES.map((name) => values.get(name));
  return {
    query: isQuery ? (subject ?? "") : "",
    embeddings: { embeddings, embeddingsModel, embeddingsKeyFile },
    file: subject === undefined || isQuery ? undefined : expandHome(subject),
    db: values.get("--db"),
    scope: values.get("--scope"),
    output: values.get("--output"),
    format,
    importFormat: isImport ? findFormat(IMPORT_FORMATS, named) : undefined,
    words: OF_WORDS.includes(command) ? positionals : [],
    maxTokens: tokensOf(values.get("--max-tokens")),
    project: values.get("--project"),
    entity: values.get("--entity"),
    keepHistoryMs: retentionOf(values.get("--keep-history")),
    isDryRun: given.has("--dry-run"),
    isConfirmed: given.has("--yes"),
    audit: values.get("--audit"),
    from: values.get("--from"),
    to: values.get("--to"),
  };
}

function tokensOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const tokens = /^\d{1,6}$/.test(text) ? Number(text) : 0;
  if (tokens < MIN_TOKENS) throw new UsageError(`Switch --max-tokens needs a number from ${MIN_TOKENS} to 999999`);
  return tokens;
}

function retentionOf(text: string | undefined): number | undefined {
  const milliseconds = text === undefined ? undefined : parseRetention(text);
  if (text !== undefined && milliseconds === undefined)
    throw new UsageError(`Duration ${JSON.stringify(text)} not understood: 12h, 30d, 6mo or 1y are examples`);
  return milliseconds;
}

function findFormat<Name extends string>(formats: readonly Name[], named: string | undefined): Name | undefined {
  const format = formats.find((one) => one === named);
  if (named !== undefined && format === undefined)
    throw new UsageError(`Unknown format ${JSON.stringify(named)}: ${formats.join(", ")} are expected`);
  return format;
}

/** Returns the file to import, the query to inspect, or the folder of an export as notes; other commands take none. */
function checkPositionals(command: string, positionals: readonly string[], format: ExportFormat): string | undefined {
  const [first, second] = positionals;
  const needed = NEEDED[command];
  if (needed !== undefined && (first ?? "").trim() === "") throw new UsageError(`Command ${command} needs ${needed}`);
  if (OF_WORDS.includes(command)) return undefined;
  const surplus = needed !== undefined || format === "markdown" ? second : first;
  if (surplus !== undefined) throw new UsageError(`Unexpected argument ${JSON.stringify(surplus)} of command ${command}`);
  return first;
}
