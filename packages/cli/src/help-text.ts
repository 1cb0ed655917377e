// Help text: what --help prints, from the tables of switches. Imports types only: a bundled entry that awaits this file is not
// evaluated itself yet.
import type { Flag, Switch } from "./flags.ts";

export interface HelpSpec {
  name: string;
  version: string;
  summary: string;
  positionals?: { usage: string; help: string };
}

/** Usage, positionals, the server's own switches, the shared ones, and exit codes. */
export function helpText({ name, version, summary, positionals }: HelpSpec, own: readonly Switch[], shared: readonly Switch[]): string {
  const usage = `Usage: ${name} [options]${positionals === undefined ? "" : ` [${positionals.usage}]`}`;
  const parts = [
    `${name} ${version}: ${summary}`,
    positionals === undefined ? usage : `${usage}\n\n${entry(positionals.usage, [positionals.help])}`,
  ];
  if (own.length > 0) parts.push(table("Options of this server:", own));
  parts.push(table("Options of every server:", shared));
  parts.push(`${name} doctor [--json] [options] checks this machine and these options: each problem with its remedy. It changes nothing.`);
  parts.push(
    `${name} install HOST [--scope user|project] [--dry-run] [options] writes the entry of --print-config into the settings of a host, uninstall HOST removes it.`,
  );
  parts.push("An option beats its environment variable, which beats the default. -- ends the options.");
  parts.push(
    "Exit codes: 0 stopped by the client or a signal, 1 unexpected error, 2 usage or configuration, 3 this machine cannot run the server.",
  );
  return `${parts.join("\n\n")}\n`;
}

const table = (title: string, switches: readonly Switch[]): string => [title, ...switches.map(switchEntry)].join("\n");

const entry = (head: string, lines: readonly string[]): string => [`  ${head}`, ...lines.map((line) => `      ${line}`)].join("\n");

function switchEntry(one: Switch): string {
  const { head, help, choices, env, defaultText } = describeSwitch(one);
  const last = [env, ...(defaultText === undefined ? [] : [`default ${defaultText}`])].join("; ");
  return entry(head, [help, ...(choices === undefined ? [] : [`one of ${choices.join(", ")}`]), last]);
}

/** The texts of one switch, for help and for tables in READMEs. */
export interface SwitchDescription {
  /** `-r, --repository PATH` */
  readonly head: string;
  readonly help: string;
  /** Undefined where `head` names them. */
  readonly choices: readonly string[] | undefined;
  /** `OARLOCK_REPOSITORY, comma separated` */
  readonly env: string;
  readonly defaultText: string | undefined;
}

export function describeSwitch({ name, env, flag }: Switch): SwitchDescription {
  const value = valueText(flag);
  return {
    head: `${flag.short === undefined ? "" : `-${flag.short}, `}--${name}${value === "" ? "" : ` ${value}`}`,
    help: flag.help + (flag.type === "list" || flag.type === "paths" ? " (may be given several times)" : ""),
    choices: flag.type === "choice" && value !== flag.choices.join("|") ? flag.choices : undefined,
    env: env + envSuffix(flag),
    defaultText: defaultText(flag),
  };
}

function valueText(flag: Flag): string {
  if (flag.type === "boolean") return "";
  return flag.value ?? (flag.type === "choice" ? flag.choices.join("|") : "");
}

function envSuffix({ type }: Flag): string {
  if (type === "boolean") return "=1";
  return type === "list" || type === "paths" ? ", comma separated" : "";
}

function defaultText(flag: Flag): string | undefined {
  if (!("default" in flag) || flag.default === undefined) return undefined;
  return flag.type === "rate" ? `${flag.default}/s` : String(flag.default);
}

/** For a person who starts the server at a terminal. */
export const terminalHint = (
  name: string,
): string => `${name} is a server for Model Context Protocol hosts, which start it and write to its stdin. To add it to a host, paste the entry that
${name} --print-config claude-desktop
prints. See --help for more. Ctrl-D stops the server.
`;
