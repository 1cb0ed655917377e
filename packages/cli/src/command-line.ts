// Command line: reads the arguments and the environment into options and positionals.
import { nearestNames } from "@oarlock/domain-kit";
import { parseArgs } from "node:util";
import { isList, type Flags, type FlagValues, type Switch } from "./flags.ts";
import { readValue, splitCommas, type Value } from "./flag-value.ts";
import { quoted, StartError } from "./start/start-error.ts";

export interface CommandLine<F extends Flags> {
  readonly options: FlagValues<F>;
  /** Arguments that belong to no switch, as typed. */
  readonly positionals: readonly string[];
  /** Values of switches that were given, by key. */
  readonly given: ReadonlyMap<string, readonly Value[]>;
}

export interface Source {
  args: readonly string[];
  env: Readonly<Record<string, string | undefined>>;
  /** The name of the binary, for error sentences. */
  program: string;
}

/**
 * Reads all switches. A switch beats its environment variable, which beats the default.
 * @throws StartError for an unknown switch or a value that its flag does not accept.
 */
export function readCommandLine<F extends Flags>(switches: readonly Switch[], source: Source): CommandLine<F> {
  const { texts, positionals } = readArguments(switches, source);
  const given = new Map<string, Value[]>();
  const options: Record<string, unknown> = {};
  for (const one of switches) {
    const values = valuesOf(one, texts.get(one.name), source.env);
    if (values !== undefined) given.set(one.key, values);
    options[one.key] = isList(one.flag) ? (values ?? []) : (values?.at(-1) ?? defaultOf(one));
  }
  return { options: options as FlagValues<F>, positionals, given }; // each value was read by the type of its flag
}

/** The index of the first positional if it is `word`. Only a switch that is known to take a value takes the argument after it. */
export function findWord(word: string, args: readonly string[], switches: readonly Switch[]): number | undefined {
  const byName = new Map<string, Switch>(
    switches.flatMap((one) =>
      [`--${one.name}`, ...(one.flag.short === undefined ? [] : [`-${one.flag.short}`])].map((name) => [name, one] as const),
    ),
  );
  for (let index = 0; index < args.length; index++) {
    const arg = args[index] ?? "";
    if (arg === word) return index;
    if (!arg.startsWith("-") || arg === "--") return undefined;
    const flag = byName.get(arg)?.flag;
    if (flag !== undefined && flag.type !== "boolean" && !(flag.type === "choice" && flag.bare !== undefined)) index++;
  }
  return undefined;
}

function valuesOf({ name, env, flag }: Switch, typed: readonly string[] | undefined, environment: Source["env"]): Value[] | undefined {
  if (typed !== undefined) {
    const texts = flag.type === "names" ? typed.flatMap(splitCommas) : typed;
    return texts.map((text) => readValue(flag, text, `--${name}`));
  }
  const legacy = flag.legacyEnv;
  const variable = legacy !== undefined && environment[env] === undefined && (environment[legacy] ?? "").trim() !== "" ? legacy : env;
  const inherited = environment[variable];
  if (inherited === undefined) return undefined;
  const texts = isList(flag) ? splitCommas(inherited) : [inherited];
  return texts.map((text) => readValue(flag, text, variable));
}

interface Arguments {
  /** The texts given for each switch, by its name. */
  readonly texts: ReadonlyMap<string, string[]>;
  readonly positionals: readonly string[];
}

/** Node splits the arguments; errors are ours, because they name the remedy. */
function readArguments(switches: readonly Switch[], { args, program }: Source): Arguments {
  const byName = new Map(switches.map((one) => [one.name, one]));
  const options = Object.fromEntries(
    switches.map(({ name, flag }) => [name, { type: flag.type === "boolean" ? ("boolean" as const) : ("string" as const) }]),
  );
  const long = withBareValues(withLongNames(args, switches), byName);
  const { tokens } = parseArgs({ args: long, options, strict: false, allowPositionals: true, tokens: true });
  const texts = new Map<string, string[]>();
  const positionals: string[] = [];
  for (const token of tokens) {
    if (token.kind === "positional") positionals.push(token.value);
    if (token.kind !== "option") continue;
    const one = token.rawName.startsWith("--") ? byName.get(token.name) : undefined;
    if (one === undefined) throw unknownSwitch(args[token.index] ?? token.rawName, switches, program);
    const text = token.value ?? (one.flag.type === "boolean" ? "true" : undefined);
    if (text === undefined || (token.inlineValue === false && isSwitch(text))) throw missingValue(one);
    texts.set(one.name, [...(texts.get(one.name) ?? []), text]);
  }
  if (positionals.includes("")) throw new StartError(`Empty arguments are not allowed. Remove them, or see ${program} --help.`, 2);
  return { texts, positionals };
}

/** Short names become long ones: Node knows short names of one letter only, and no `-r=PATH`. */
function withLongNames(args: readonly string[], switches: readonly Switch[]): string[] {
  const end = args.indexOf("--");
  const named = end === -1 ? args : args.slice(0, end);
  const long = new Map<string, string>(
    switches.flatMap(({ name, flag }) => (flag.short === undefined ? [] : [[`-${flag.short}`, `--${name}`] as const])),
  );
  return [...named.map((arg) => arg.replace(/^-[^-=][^=]*/, (short) => long.get(short) ?? short)), ...args.slice(named.length)];
}

/** A switch that may be given without a value gets its bare value where none follows. */
function withBareValues(args: readonly string[], byName: ReadonlyMap<string, Switch>): string[] {
  const end = args.indexOf("--");
  return args.map((arg, at) => {
    const flag = arg.startsWith("--") && (end === -1 || at < end) ? byName.get(arg.slice(2))?.flag : undefined;
    const next = args[at + 1];
    if (flag?.type !== "choice" || flag.bare === undefined || (next !== undefined && !isSwitch(next))) return arg;
    return `${arg}=${flag.bare}`;
  });
}

/** A lone dash may be a value, and so may a negative number. */
const isSwitch = (text: string): boolean => /^-[^\d]/.test(text);

function defaultOf({ flag }: Switch): unknown {
  if (flag.type === "boolean") return false;
  return "default" in flag ? flag.default : undefined;
}

function unknownSwitch(arg: string, switches: readonly Switch[], program: string): StartError {
  const [typed = ""] = arg.split("=");
  const names = switches.map(({ name }) => name);
  const [nearest] = nearestNames(typed.replace(/^-+/, ""), names, 1);
  return new StartError(
    `Unknown switch ${quoted(typed)}${nearest === undefined ? `. See ${program} --help.` : `: did you mean --${nearest}?`}`,
    2,
  );
}

function missingValue({ name, flag }: Switch): StartError {
  const value = "value" in flag ? flag.value : "VALUE";
  return new StartError(`--${name} needs a value. Write --${name} ${value}, or --${name}=${value} if the value begins with "-".`, 2);
}

/** Checked before everything else: help is printed even if other arguments are wrong. */
export function hasHelpSwitch(args: readonly string[]): boolean {
  const end = args.indexOf("--");
  return (end === -1 ? args : args.slice(0, end)).some((arg) => arg === "--help" || arg === "-h");
}
