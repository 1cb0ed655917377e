// The text of --help, from the tables. Loaded only when asked for; imports types only, because a bundled entry that waits
// for this file is not loaded itself yet.
import type { Flag, Switch } from "./flags.ts";

export interface HelpOf {
  name: string;
  version: string;
  summary: string;
  things?: { usage: string; help: string };
}

/** The whole help: usage, things to serve, the server's own switches, those of every server, exit codes. */
export function helpText({ name, version, summary, things }: HelpOf, own: readonly Switch[], shared: readonly Switch[]): string {
  const usage = `Usage: ${name} [options]${things === undefined ? "" : ` [${things.usage}]`}`;
  const parts = [`${name} ${version}: ${summary}`, things === undefined ? usage : `${usage}\n\n${entry(things.usage, [things.help])}`];
  if (own.length > 0) parts.push(table("Options of this server:", own));
  parts.push(table("Options of every server:", shared));
  parts.push("An option beats its environment variable, which beats the default. -- ends the options.");
  parts.push("Exit codes: 0 ended by the client or a signal, 1 unexpected, 2 usage or configuration, 3 this machine cannot serve.");
  return `${parts.join("\n\n")}\n`;
}

const table = (title: string, rows: readonly Switch[]): string => [title, ...rows.map(describe)].join("\n");

const entry = (head: string, lines: readonly string[]): string => [`  ${head}`, ...lines.map((line) => `      ${line}`)].join("\n");

function describe(one: Switch): string {
  const { head, help, choices, twin, preset } = toldOf(one);
  const facts = [twin, ...(preset === undefined ? [] : [`default ${preset}`])].join("; ");
  return entry(head, [help, ...(choices === undefined ? [] : [`one of ${choices.join(", ")}`]), facts]);
}

/** What is told of a switch, wherever it is. */
interface Told {
  /** `-r, --repository PATH` */
  readonly head: string;
  readonly help: string;
  /** Those that `head` does not name already. */
  readonly choices: readonly string[] | undefined;
  /** `OARLOCK_REPOSITORY, comma separated` */
  readonly twin: string;
  readonly preset: string | undefined;
}

export function toldOf({ name, env, flag }: Switch): Told {
  const value = valueOf(flag);
  return {
    head: `${flag.short === undefined ? "" : `-${flag.short}, `}--${name}${value === "" ? "" : ` ${value}`}`,
    help: flag.help + (flag.type === "list" || flag.type === "paths" ? " (may be given several times)" : ""),
    choices: flag.type === "choice" && value !== flag.choices.join("|") ? flag.choices : undefined,
    twin: env + twinOf(flag),
    preset: defaultOf(flag),
  };
}

function valueOf(flag: Flag): string {
  if (flag.type === "boolean") return "";
  return flag.value ?? (flag.type === "choice" ? flag.choices.join("|") : "");
}

function twinOf({ type }: Flag): string {
  if (type === "boolean") return "=1";
  return type === "list" || type === "paths" ? ", comma separated" : "";
}

function defaultOf(flag: Flag): string | undefined {
  if (!("default" in flag) || flag.default === undefined) return undefined;
  return flag.type === "rate" ? `${flag.default}/s` : String(flag.default);
}
