// --print-config: the entry to paste into a host's settings. Loaded only when asked for; imports types only, because a
// bundled entry that waits for this file is not loaded itself yet.
import { existsSync, realpathSync } from "node:fs";
import { resolve } from "node:path";
import type { Switch } from "./flags.ts";
import type { Value } from "./read-value.ts";
import type { Host } from "./shared-flags.ts";

export interface Command {
  command: string;
  args: readonly string[];
}

export interface Started {
  /** The switches that may stand in the entry. */
  rows: readonly Switch[];
  given: ReadonlyMap<string, readonly Value[]>;
  things: readonly string[];
  /** Changes the path in a thing. */
  path(thing: string, change: (path: string) => string): string;
}

interface Form {
  /** Where the entry belongs, for people. */
  place: string;
  entry(name: string, command: Command): string;
}

const json = (value: unknown): string => JSON.stringify(value, undefined, 2);
const under =
  (key: string, more: Record<string, unknown> = {}): Form["entry"] =>
  (name, { command, args }) =>
    json({ [key]: { [name]: { ...more, command, args } } });

const FORMS: Record<Host, Form> = {
  "claude-desktop": { place: "claude_desktop_config.json (Settings, Developer, Edit Config)", entry: under("mcpServers") },
  "claude-code": { place: ".mcp.json in the project folder", entry: under("mcpServers", { type: "stdio" }) },
  vscode: { place: ".vscode/mcp.json, or mcp.json of the user profile", entry: under("servers", { type: "stdio" }) },
  cursor: { place: ".cursor/mcp.json in the project or the home folder", entry: under("mcpServers") },
  codex: { place: ".codex/config.toml in the home folder", entry: toml },
  gemini: { place: ".gemini/settings.json in the project or the home folder", entry: under("mcpServers") },
  zed: { place: "settings.json of Zed", entry: under("context_servers", { source: "custom" }) }, // older versions want the source
  json: { place: "the settings of most hosts", entry: under("mcpServers") },
};

/** The entry for stdout, and where it belongs, for stderr. */
export function configFor(host: Host, name: string, command: Command): { entry: string; place: string } {
  const form = FORMS[host];
  return { entry: `${form.entry(name, command)}\n`, place: form.place };
}

/** It means the same from everywhere already; resolved, it would be a folder named `file:`. */
const URL_OF_FILE = /^file:\/\//i;

/**
 * The command that started this process, fit for any working directory. What came from the environment becomes a switch,
 * because hosts hand on little of theirs.
 */
export function commandOf({ rows, given, things, path }: Started): Command {
  const absolute = (text: string): string => (URL_OF_FILE.test(text) ? text : resolve(text));
  const switches = rows.flatMap(({ key, name, flag }) => {
    const isPath = flag.type === "path" || flag.type === "paths";
    return (given.get(key) ?? []).flatMap((value) => {
      if (value === true) return [`--${name}`];
      const text = isPath ? absolute(String(value)) : `${value}${flag.type === "rate" ? "/s" : ""}`;
      return value === false || text.startsWith("-") ? [`--${name}=${text}`] : [`--${name}`, text];
    });
  });
  const served = things.map((thing) => path(thing, absolute));
  const ends = served.some((thing) => thing.startsWith("-")) ? ["--"] : [];
  const { command, args } = starter(process.argv.slice(1, 2));
  return { command, args: [...args, ...switches, ...ends, ...served] };
}

function starter(script: readonly string[]): Command {
  const [npx] = script.flatMap((path) => npxOf(existsSync(path) ? realpathSync(path) : path) ?? []);
  return npx ?? { command: process.execPath, args: [...process.execArgv, ...script] };
}

const NPX = /[/\\]_npx[/\\][^/\\]+[/\\]node_modules[/\\]((?:@[^/\\]+[/\\])?[^/\\]+)[/\\]/;

/** How npx starts what lies in its cache. No settings file may name such a place: it is emptied, and never brought up to date. */
export function npxOf(script: string, platform: string = process.platform): Command | undefined {
  const name = NPX.exec(script)?.[1]?.replace("\\", "/");
  if (name === undefined) return undefined;
  // Hosts start commands without a shell, and there npx is a script for one.
  return platform === "win32" ? { command: "cmd", args: ["/c", "npx", "-y", name] } : { command: "npx", args: ["-y", name] };
}

/** TOML for Codex. A JSON string is a TOML string, but for the one control character that JSON leaves as it is. */
function toml(name: string, { command, args }: Command): string {
  const text = (value: string): string => JSON.stringify(value).replaceAll("\u007f", "\\u007f");
  const key = /^[\w-]+$/.test(name) ? name : text(name);
  return `[mcp_servers.${key}]\ncommand = ${text(command)}\nargs = [${args.map(text).join(", ")}]`;
}
