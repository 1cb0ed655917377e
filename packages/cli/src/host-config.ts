// Host configuration: the entry that --print-config prints. Imports types only: a bundled entry that awaits this file is not
// evaluated itself yet.
import { existsSync, realpathSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { CliProcess } from "./process/cli-process.ts";
import type { Switch } from "./flags.ts";
import type { Value } from "./flag-value.ts";
import type { Host } from "./shared-flags.ts";

export interface Command {
  command: string;
  args: readonly string[];
}

export interface PrintedStart {
  /** The switches that may stand in the entry. */
  switches: readonly Switch[];
  given: ReadonlyMap<string, readonly Value[]>;
  positionals: readonly string[];
  /** Removes what may be secret from an address. */
  withoutSecrets(address: string): string;
  /** Changes the path within a positional. */
  changePath(positional: string, change: (path: string) => string): string;
  /** The process of the start. */
  startedAs: Pick<CliProcess, "argv" | "execArgv" | "env">;
  platform: NodeJS.Platform;
}

interface HostFormat {
  /** The file that the entry belongs to, for people. */
  place: string;
  entry(name: string, command: Command): string;
}

const json = (value: unknown): string => JSON.stringify(value, undefined, 2);
const under =
  (key: string, more: Record<string, unknown> = {}): HostFormat["entry"] =>
  (name, { command, args }) =>
    json({ [key]: { [name]: { ...more, command, args } } });

const FORMATS: Record<Host, HostFormat> = {
  "claude-desktop": { place: "claude_desktop_config.json (Settings, Developer, Edit Config)", entry: under("mcpServers") },
  "claude-code": { place: ".mcp.json in the project folder", entry: under("mcpServers", { type: "stdio" }) },
  vscode: { place: ".vscode/mcp.json, or mcp.json of the user profile", entry: under("servers", { type: "stdio" }) },
  cursor: { place: ".cursor/mcp.json in the project or the home folder", entry: under("mcpServers") },
  codex: { place: ".codex/config.toml in the home folder", entry: toml },
  gemini: { place: ".gemini/settings.json in the project or the home folder", entry: under("mcpServers") },
  zed: { place: "settings.json of Zed", entry: under("context_servers", { source: "custom" }) }, // older versions need the source
  json: { place: "the settings of most hosts", entry: under("mcpServers") },
};

/** The file that an entry belongs to, for people. */
export const placeOf = (host: Host): string => FORMATS[host].place;

/** The entry for stdout, and where it belongs, for stderr. */
export function configFor(host: Host, name: string, command: Command): { entry: string; place: string } {
  const { entry, place } = FORMATS[host];
  return { entry: `${entry(name, command)}\n`, place };
}

/** Absolute already; `resolve` would make it a folder named `file:`. */
const IS_URL = /^[a-z][a-z0-9+.-]*:\/\//i;

/**
 * The command that started this process, for any working directory. Environment variables become switches, because hosts pass on
 * few of their own.
 */
export function commandOf({ switches, given, positionals, changePath, withoutSecrets, startedAs, platform }: PrintedStart): Command {
  const printable = (text: string): string => (IS_URL.test(text) ? withoutSecrets(text) : text);
  const absolute = (text: string): string => (IS_URL.test(text) ? printable(text) : resolve(text));
  const switchArgs = switches.flatMap(({ key, name, flag }) => {
    const isPath = flag.type === "path" || flag.type === "paths";
    return (given.get(key) ?? []).flatMap((value) => {
      if (value === true) return [`--${name}`];
      const text = isPath ? absolute(String(value)) : printable(`${value}${flag.type === "rate" ? "/s" : ""}`);
      return value === false || text.startsWith("-") ? [`--${name}=${text}`] : [`--${name}`, text];
    });
  });
  const paths = positionals.map((positional) => changePath(positional, absolute));
  const terminator = paths.some((path) => path.startsWith("-")) ? ["--"] : [];
  const words = [...switchArgs, ...terminator, ...paths];
  const { command, args } = startCommand(startedAs, words, platform);
  return { command, args: [...args, ...words] };
}

function startCommand({ argv, execArgv, env }: PrintedStart["startedAs"], words: readonly string[], platform: NodeJS.Platform): Command {
  const script = argv.slice(1, 2);
  const npx = { words, platform, script: npxScript(env.npm_execpath) };
  const [byNpx] = script.flatMap((path) => npxCommand(existsSync(path) ? realpathSync(path) : path, npx) ?? []);
  return byNpx ?? { command: process.execPath, args: [...execArgv, ...script] };
}

const NPX_CACHE = /[/\\]_npx[/\\][^/\\]+[/\\]node_modules[/\\]((?:@[^/\\]+[/\\])?[^/\\]+)[/\\]/;

/** Words that cmd may change or split, also when a host has quoted them. */
const CHANGED_BY_CMD = /[&|<>^%"!()\r\n]/;

interface Npx {
  /** The arguments of the server. */
  words: readonly string[];
  platform: NodeJS.Platform;
  /** The script of npx itself, where it is known. */
  script: string | undefined;
}

/**
 * The npx command for a script in the cache of npx. Settings must not name the cache: it is cleared, and never updated. Undefined for another
 * script, and where npx cannot be started safely.
 */
export function npxCommand(path: string, { words, platform, script }: Npx): Command | undefined {
  const name = NPX_CACHE.exec(path)?.[1]?.replace("\\", "/");
  if (name === undefined) return undefined;
  if (platform !== "win32") return { command: "npx", args: ["-y", name] };
  // On Windows npx is a batch file. Hosts start commands without a shell, and quote words for programs, not for cmd.
  if (!words.some((word) => CHANGED_BY_CMD.test(word))) return { command: "cmd", args: ["/c", "npx", "-y", name] };
  return script === undefined ? undefined : { command: process.execPath, args: [script, "-y", name] };
}

/** The script of npx, beside the one of npm that runs this process, or beside Node as its installer for Windows puts it. */
function npxScript(npm: string | undefined): string | undefined {
  const folders = [...(npm === undefined ? [] : [dirname(npm)]), join(dirname(process.execPath), "node_modules", "npm", "bin")];
  return folders.map((folder) => join(folder, "npx-cli.js")).find((file) => existsSync(file));
}

/** TOML for Codex. A JSON string is a TOML string, except for DEL, which JSON does not escape. */
function toml(name: string, { command, args }: Command): string {
  const text = (value: string): string => JSON.stringify(value).replaceAll("\u007f", "\\u007f");
  const key = /^[\w-]+$/.test(name) ? name : text(name);
  return `[mcp_servers.${key}]\ncommand = ${text(command)}\nargs = [${args.map(text).join(", ")}]`;
}
