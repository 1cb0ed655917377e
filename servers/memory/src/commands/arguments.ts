// What stands behind a command: its file, and the switches that this command takes.
import { expandHome } from "../configured-location.ts";

export const FORMATS = ["jsonl", "json", "dot"] as const;
export type Format = (typeof FORMATS)[number];

/** Called wrongly; the message says how. */
export class UsageError extends Error {}

export interface Words {
  /** The file to import. */
  readonly file: string | undefined;
  readonly db: string | undefined;
  readonly output: string | undefined;
  readonly format: Format;
}

/** Throws a UsageError for what the command would not heed. As for the server, `--` ends the switches. */
export function readWords(command: string, args: readonly string[]): Words {
  const words: string[] = [];
  const values = new Map<string, string>();
  let format: Format = "jsonl";
  const named = ["--db", ...(command === "export" ? ["--output"] : [])];
  const formats = command === "export" ? FORMATS : [];
  const rest = [...args];
  for (let arg = rest.shift(); arg !== undefined; arg = rest.shift()) {
    const [name = "", inline] = arg.startsWith("--") ? arg.split(/=(.*)/s) : [arg];
    const known = formats.find((one) => name === `--${one}`);
    if (arg === "--") words.push(...rest.splice(0));
    else if (known !== undefined) {
      if (inline !== undefined) throw new UsageError(`${name} takes no value`);
      format = known;
    } else if (named.includes(name)) {
      const value = inline ?? rest.shift() ?? "";
      // A switch that was taken for a name would make a file of that name.
      if (value.trim() === "" || (inline === undefined && value.startsWith("-"))) throw new UsageError(`${name} needs a file`);
      values.set(name, expandHome(value));
    } else if (arg.startsWith("-") && arg !== "-") throw new UsageError(`there is no switch ${JSON.stringify(arg)}`);
    else words.push(arg);
  }
  const [file, ...others] = words;
  if (command === "import" && (file ?? "") === "") throw new UsageError("import needs the name of a file");
  const idle = command === "import" ? others[0] : file;
  if (idle !== undefined) throw new UsageError(`${command} takes no ${JSON.stringify(idle)}`);
  return { file: file === undefined ? undefined : expandHome(file), format, db: values.get("--db"), output: values.get("--output") };
}
