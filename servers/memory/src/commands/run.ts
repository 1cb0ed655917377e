// The commands beside serving: import, export, verify, compact. Loaded only when one of them is given.
import { LocationError, type Location } from "../graph/location.ts";
import { GraphError } from "../graph/errors.ts";
import { locate } from "../locate.ts";
import { compact } from "./compact.ts";
import { exportTo, FORMATS } from "./export.ts";
import { importFrom } from "./import.ts";
import { verify } from "./verify.ts";

/** What a command says goes to stderr; what it makes, to stdout. */
export interface Run {
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

class UsageError extends Error {}

interface Words {
  readonly words: string[];
  readonly db: string | undefined;
  readonly output: string | undefined;
  readonly format: (typeof FORMATS)[number];
}

/** Gives the exit code. */
export async function run(command: string, args: readonly string[]): Promise<number> {
  const say = (line: string): void => void process.stderr.write(`${line}\n`);
  try {
    if (args.includes("--help") || args.includes("-h")) {
      process.stdout.write(USAGE);
      return 0;
    }
    const { words, db, output, format } = read(args);
    const [first, ...others] = words;
    if (others.length > 0 || (first !== undefined && command !== "import"))
      throw new UsageError(`${command} takes no ${JSON.stringify(others[0] ?? first)}`);
    const location = locate(db ?? process.env["OARLOCK_DB"], process.env);
    switch (command) {
      case "import":
        if (first === undefined) throw new UsageError("import needs the name of a file");
        return await importFrom(first, { location, say });
      case "export":
        return await exportTo(format, output, { location, say });
      case "verify":
        return await verify({ location, say });
      default:
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

function read(args: readonly string[]): Words {
  const words: string[] = [];
  const values = new Map<string, string>();
  let format: Words["format"] = "jsonl";
  const rest = [...args];
  for (let arg = rest.shift(); arg !== undefined; arg = rest.shift()) {
    const [name = "", inline] = arg.startsWith("--") ? arg.split(/=(.*)/s) : [arg];
    const known = FORMATS.find((one) => name === `--${one}`);
    if (known !== undefined) format = known;
    else if (name === "--db" || name === "--output") {
      const value = inline ?? rest.shift();
      if (value === undefined || value === "") throw new UsageError(`${name} needs a file`);
      values.set(name, value);
    } else if (arg.startsWith("-")) throw new UsageError(`there is no switch ${JSON.stringify(arg)}`);
    else words.push(arg);
  }
  return { words, format, db: values.get("--db"), output: values.get("--output") };
}
