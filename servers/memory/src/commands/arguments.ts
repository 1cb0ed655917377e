// The arguments of a command.
import { expandHome } from "../configured-location.ts";
import { UsageError } from "./context.ts";

export const FORMATS = ["jsonl", "json", "dot"] as const;
export type Format = (typeof FORMATS)[number];

export interface CommandArguments {
  /** The file to import. */
  readonly file: string | undefined;
  readonly db: string | undefined;
  readonly scope: string | undefined;
  readonly output: string | undefined;
  readonly format: Format;
}

/** Throws a UsageError for arguments that the command does not take. `--` ends the switches. */
export function parseArguments(command: string, args: readonly string[]): CommandArguments {
  const isExport = command === "export";
  const valueSwitches = ["--db", "--scope", ...(isExport ? ["--output"] : [])];
  const formats = isExport ? FORMATS : [];
  const positionals: string[] = [];
  const values = new Map<string, string>();
  let format: Format = "jsonl";
  const rest = [...args];
  for (let arg = rest.shift(); arg !== undefined; arg = rest.shift()) {
    const [name = "", inlineValue] = arg.startsWith("--") ? arg.split(/=(.*)/s) : [arg];
    const formatSwitch = formats.find((one) => name === `--${one}`);
    if (arg === "--") positionals.push(...rest.splice(0));
    else if (formatSwitch !== undefined) {
      if (inlineValue !== undefined) throw new UsageError(`Switch ${name} takes no value`);
      format = formatSwitch;
    } else if (valueSwitches.includes(name)) {
      const value = inlineValue ?? rest.shift() ?? "";
      // Without this check, a switch in place of the value would name a file.
      if (value.trim() === "" || (inlineValue === undefined && value.startsWith("-")))
        throw new UsageError(`Switch ${name} needs a ${name === "--scope" ? "name" : "file"}`);
      values.set(name, name === "--scope" ? value : expandHome(value));
    } else if (arg.startsWith("-") && arg !== "-") throw new UsageError(`Unknown switch ${JSON.stringify(arg)}`);
    else positionals.push(arg);
  }
  const file = checkPositionals(command, positionals);
  return {
    file: file === undefined ? undefined : expandHome(file),
    format,
    db: values.get("--db"),
    scope: values.get("--scope"),
    output: values.get("--output"),
  };
}

/** Returns the file to import; other commands take none. */
function checkPositionals(command: string, positionals: readonly string[]): string | undefined {
  const [first, second] = positionals;
  if (command === "import" && (first ?? "") === "") throw new UsageError("Command import needs a file");
  const surplus = command === "import" ? second : first;
  if (surplus !== undefined) throw new UsageError(`Unexpected argument ${JSON.stringify(surplus)} of command ${command}`);
  return first;
}
