// The command line, as it was typed.
import { Refusal } from "./refusal.ts";

/** What was given; what was not is left out. */
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

const VALUES = ["parts", "from", "kit", "dir"] as const;
const FLAGS = ["yes", "help", "version"] as const;
const SHORT: Readonly<Record<string, string>> = { "-y": "--yes", "-h": "--help", "-v": "--version" };
const ALL = [...VALUES, ...FLAGS].map((name) => `--${name}`).join(", ");

type Environment = Readonly<Record<string, string | undefined>>;

/** Reads `NAME --switch VALUE --switch=VALUE --flag`; throws what is wrong with it. Who asks for help may have the rest wrong. */
export function readArguments(args: readonly string[], env: Environment = {}): Arguments {
  const end = args.includes("--") ? args.indexOf("--") : args.length;
  if (args.slice(0, end).some((arg) => arg === "--help" || arg === "-h")) return { help: true };
  const given: Record<string, string | true> = {};
  const rest = args.slice(0, end);
  const names = args.slice(end + 1);
  for (let arg = rest.shift(); arg !== undefined; arg = rest.shift()) {
    if (!arg.startsWith("-")) {
      names.push(arg);
      continue;
    }
    const [name, value] = split(SHORT[arg] ?? arg);
    if (name in given) throw new Refusal(2, `--${name} stands twice: give it once`);
    if (isOneOf(FLAGS, name)) {
      if (value !== undefined) throw new Refusal(2, `--${name} takes no value, got "${value}"`);
      given[name] = true;
    } else if (isOneOf(VALUES, name)) {
      const taken = value ?? rest.shift() ?? "";
      if (taken === "" || (value === undefined && taken.startsWith("-")))
        throw new Refusal(2, `--${name} needs a value: see create-server --help`);
      given[name] = taken;
    } else {
      throw new Refusal(2, `Unknown switch ${arg}: there are ${ALL}`);
    }
  }
  checkNpmKeptNone(given, env);
  if (names.length > 1) throw new Refusal(2, `Expected one name, got ${names.length}: ${names.join(" ")}`);
  return { ...given, ...(names[0] !== undefined && { name: names[0] }) };
}

/** npm takes the switches that stand before a lone `--` for its own, and tells of them in the environment only. */
function checkNpmKeptNone(given: Readonly<Record<string, unknown>>, env: Environment): void {
  if (env["npm_config_user_agent"]?.startsWith("npm/") !== true) return;
  const kept = VALUES.find((name) => given[name] === undefined && env[`npm_config_${name}`] !== undefined);
  if (kept === undefined) return;
  throw new Refusal(
    2,
    `npm kept --${kept} to itself: put -- in front of the switches, as in npm create @oarlock/server NAME -- --${kept} …`,
  );
}

/** `--kit=x` → kit, x. */
function split(arg: string): [name: string, value?: string] {
  const at = arg.indexOf("=");
  if (!arg.startsWith("--")) return [arg];
  return at === -1 ? [arg.slice(2)] : [arg.slice(2, at), arg.slice(at + 1)];
}

function isOneOf<const T extends readonly string[]>(all: T, name: string): name is T[number] {
  return all.includes(name);
}
