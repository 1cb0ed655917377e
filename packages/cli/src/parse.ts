// The command line and the environment of a server, read by its table of switches.
import { nearest } from "./did-you-mean.ts";
import { isList, type Flags, type Read, type Switch } from "./flags.ts";
import { readValue, splitCommas, type Value } from "./read-value.ts";
import { quoted, StartError } from "./start-error.ts";

export interface Parsed<F extends Flags> {
  readonly options: Read<F>;
  /** What stands beside the switches, as it was given. */
  readonly things: readonly string[];
  /** Values of switches that were given, by key. */
  readonly given: ReadonlyMap<string, readonly Value[]>;
}

export interface Source {
  args: readonly string[];
  env: Readonly<Record<string, string | undefined>>;
  /** For sentences that name the remedy. */
  program: string;
}

/** Reads everything or throws a {@link StartError}. A switch beats the environment, which beats the default. */
export function parse<F extends Flags>(rows: readonly Switch[], source: Source): Parsed<F> {
  const { texts, things } = readArgs(rows, source);
  const given = new Map<string, Value[]>();
  const options: Record<string, unknown> = {};
  for (const row of rows) {
    const values = valuesOf(row, texts.get(row.name), source.env);
    if (values !== undefined) given.set(row.key, values);
    options[row.key] = isList(row.flag) ? (values ?? []) : (values?.at(-1) ?? defaultOf(row));
  }
  return { options: options as Read<F>, things, given }; // one value a row, each read by its row's type
}

function valuesOf({ name, env, flag }: Switch, typed: readonly string[] | undefined, environment: Source["env"]): Value[] | undefined {
  if (typed !== undefined) {
    const texts = flag.type === "names" ? typed.flatMap(splitCommas) : typed;
    return texts.map((text) => readValue(flag, text, `--${name}`));
  }
  const old = flag.formerly;
  const variable = old !== undefined && environment[env] === undefined && (environment[old] ?? "").trim() !== "" ? old : env;
  const inherited = environment[variable];
  if (inherited === undefined) return undefined;
  const texts = isList(flag) ? splitCommas(inherited) : [inherited];
  return texts.map((text) => readValue(flag, text, variable));
}

interface Args {
  /** What was written behind each switch, by its name. */
  readonly texts: ReadonlyMap<string, string[]>;
  readonly things: readonly string[];
}

/** By hand and not by `parseArgs` of node:util: loading that alone takes longer than all else that is done here. */
function readArgs(rows: readonly Switch[], { args, program }: Source): Args {
  const known = new Map<string, Switch>();
  for (const row of rows) {
    known.set(`--${row.name}`, row);
    if (row.flag.short !== undefined) known.set(`-${row.flag.short}`, row);
  }
  const texts = new Map<string, string[]>();
  const things: string[] = [];
  const rest = [...args];
  for (let arg = rest.shift(); arg !== undefined; arg = rest.shift()) {
    if (arg === "--") {
      things.push(...rest.splice(0));
    } else if (!isSwitchLike(arg)) {
      things.push(arg);
    } else {
      const [written, inline] = splitOnce(arg, "=");
      const row = known.get(written);
      if (row === undefined) throw unknownSwitch(written, rows, program);
      const text = inline ?? (row.flag.type === "boolean" ? "true" : rest.shift());
      if (text === undefined || (inline === undefined && isSwitchLike(text) && !/^-\d/.test(text))) throw withoutValue(row);
      texts.set(row.name, [...(texts.get(row.name) ?? []), text]);
    }
  }
  if (things.includes("")) throw new StartError(`An empty argument serves nothing: leave it out, or see ${program} --help`, 2);
  return { texts, things };
}

/** A single dash is not: it may be a name. */
const isSwitchLike = (text: string): boolean => text.startsWith("-") && text !== "-";

function splitOnce(text: string, separator: string): [string, string?] {
  const at = text.indexOf(separator);
  return at === -1 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

function defaultOf({ flag }: Switch): unknown {
  if (flag.type === "boolean") return false;
  return "default" in flag ? flag.default : undefined;
}

function unknownSwitch(typed: string, rows: readonly Switch[], program: string): StartError {
  const name = nearest(
    typed.replace(/^-+/, ""),
    rows.map((row) => row.name),
  );
  const remedy = name === undefined ? `see ${program} --help` : `did you mean --${name}?`;
  return new StartError(`Unknown switch ${quoted(typed)}: ${remedy}`, 2);
}

function withoutValue({ name, flag }: Switch): StartError {
  const value = "value" in flag ? flag.value : "VALUE";
  return new StartError(`--${name} needs a value: write --${name} ${value}, or --${name}=${value} when it begins with "-"`, 2);
}
