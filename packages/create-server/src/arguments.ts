// The parser of the command line.
import { CommandError } from "./command-error.ts";

/** The given arguments; others are omitted. */
export interface Arguments {
  readonly name?: string;
  readonly parts?: string;
  readonly from?: string;
  readonly kit?: string;
  readonly dir?: string;
  readonly yes?: boolean;
  readonly help?: boolean;
  readonly version?: boolean;
}

const VALUE_SWITCHES = ["parts", "from", "kit", "dir"] as const;
const FLAGS = ["yes", "help", "version"] as const;
const SHORT_SWITCHES: Readonly<Record<string, string>> = { "-y": "--yes", "-h": "--help", "-v": "--version" };
const ALL_SWITCHES = [...VALUE_SWITCHES, ...FLAGS].map((name) => `--${name}`).join(", ");

type Environment = Readonly<Record<string, string | undefined>>;

/** Parses `NAME --switch VALUE --switch=VALUE --flag`. Throws a `CommandError` on wrong usage, except with `--help`. */
export function parseArguments(args: readonly string[], env: Environment = {}): Arguments {
  const end = args.includes("--") ? args.indexOf("--") : args.length;
  if (args.slice(0, end).some((arg) => arg === "--help" || arg === "-h")) return { help: true };
  const given: Record<string, string | true> = {};
  const remaining = args.slice(0, end);
  const names = args.slice(end + 1);
  for (let arg = remaining.shift(); arg !== undefined; arg = remaining.shift()) {
    if (!arg.startsWith("-")) {
      names.push(arg);
      continue;
    }
    const [name, value] = splitSwitch(SHORT_SWITCHES[arg] ?? arg);
    if (name in given) throw new CommandError(2, `Duplicate switch --${name}: give it once.`);
    if (isOneOf(FLAGS, name)) {
      if (value !== undefined) throw new CommandError(2, `Unexpected value of --${name}: expected none, received "${value}".`);
      given[name] = true;
    } else if (isOneOf(VALUE_SWITCHES, name)) {
      const switchValue = value ?? remaining.shift() ?? "";
      if (switchValue === "" || (value === undefined && switchValue.startsWith("-")))
        throw new CommandError(2, `Missing value of --${name}: see create-server --help.`);
      given[name] = switchValue;
    } else {
      throw new CommandError(2, `Unknown switch ${arg}: expected one of ${ALL_SWITCHES}.`);
    }
  }
  checkForNpmSwitches(given, env);
  if (names.length > 1) throw new CommandError(2, `Too many names: expected one, received ${names.length}: ${names.join(" ")}.`);
  return { ...given, ...(names[0] !== undefined && { name: names[0] }) };
}

/** npm consumes switches before a separate `--`, and only the environment shows them. */
function checkForNpmSwitches(given: Readonly<Record<string, unknown>>, env: Environment): void {
  if (env["npm_config_user_agent"]?.startsWith("npm/") !== true) return;
  const consumed = VALUE_SWITCHES.find((name) => given[name] === undefined && env[`npm_config_${name}`] !== undefined);
  if (consumed === undefined) return;
  throw new CommandError(
    2,
    `Switch --${consumed} was consumed by npm: put -- before the switches, as in npm create @oarlock/server NAME -- --${consumed} …`,
  );
}

/** Splits `--kit=x` into kit and x. */
function splitSwitch(arg: string): [name: string, value?: string] {
  const at = arg.indexOf("=");
  if (!arg.startsWith("--")) return [arg];
  return at === -1 ? [arg.slice(2)] : [arg.slice(2, at), arg.slice(at + 1)];
}

function isOneOf<const T extends readonly string[]>(all: T, name: string): name is T[number] {
  return all.includes(name);
}
