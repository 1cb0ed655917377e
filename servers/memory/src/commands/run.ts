// The commands beside serving: import, export, verify, compact. Loaded only when one of them is given.
import { LocationError, type Location } from "../graph/location.ts";
import { GraphError } from "../graph/errors.ts";
import { placeOf } from "../configured-location.ts";
import { compact } from "./compact.ts";
import { exportTo } from "./export.ts";
import { importFrom } from "./import.ts";
import { verify } from "./verify.ts";
import { readWords, UsageError } from "./arguments.ts";

/** What a command says goes to stderr; what it makes, to stdout. */
export interface Run {
  /** Not looked at yet: only what writes makes a folder or a store. */
  readonly location: Location;
  say(line: string): void;
}

const USAGE = `Usage: oarlock-memory COMMAND [--db FILE]
  import FILE                             take in a JSONL or JSON file; what is there already stays
  export [--jsonl|--json|--dot] [--output FILE]   write the current graph
  verify                                  check the store and the file beside it; exit code 1 when something is wrong
  compact                                 make the store as small as it can be
Without --db: OARLOCK_DB, MEMORY_FILE_PATH, or the user's folder for data. Without a command the server is started.
`;

const COMMANDS = ["import", "export", "verify", "compact"] as const;

const isCommand = (word: string): word is (typeof COMMANDS)[number] => (COMMANDS as readonly string[]).includes(word);

/** Gives the exit code. */
export async function run(command: string, args: readonly string[]): Promise<number> {
  const say = (line: string): void => void process.stderr.write(`${line}\n`);
  try {
    if (args.includes("--help") || args.includes("-h")) {
      process.stdout.write(USAGE);
      return 0;
    }
    if (!isCommand(command)) {
      say(`Error: there is no command ${JSON.stringify(command)}, only ${COMMANDS.join(", ")}: see oarlock-memory --help`);
      return 2;
    }
    const { file = "", db, output, format } = readWords(command, args);
    const twin = process.env["OARLOCK_DB"];
    // As for the server: what was set, but to nothing, may not lead to another memory than the one that was meant.
    if (db === undefined && twin?.trim() === "") throw new UsageError("OARLOCK_DB names no file: correct it or leave it out");
    const location = placeOf(db ?? twin, process.env);
    switch (command) {
      case "import":
        return await importFrom(file, { location, say });
      case "export":
        return await exportTo(format, output, { location, say });
      case "verify":
        return await verify({ location, say });
      case "compact":
        return await compact({ location, say });
    }
  } catch (error) {
    if (error instanceof UsageError || error instanceof LocationError) {
      say(`Error: ${error.message}${error instanceof UsageError ? `: see oarlock-memory ${command} --help` : ""}`);
      return error instanceof LocationError && error.isEnvironment ? 3 : 2;
    }
    say(`Error: ${error instanceof Error ? error.message : String(error)}`);
    return error instanceof GraphError ? 3 : 1;
  }
}
