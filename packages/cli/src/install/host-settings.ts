// The settings of a host: the file of a scope, what it holds, and the change by which an entry comes and goes. Nothing is changed here.
import { isDeepStrictEqual } from "node:util";
import { parse as parseToml } from "smol-toml";
import { namesServer } from "../doctor/hosts/host-entries.ts";
import { hostFiles, type HostFile } from "../doctor/hosts/host-files.ts";
import { strictJson } from "../doctor/hosts/json-laxness.ts";
import { platform } from "../platform.ts";
import type { CliProcess } from "../process/cli-process.ts";
import { quoted, StartError } from "../start/start-error.ts";
import type { InstallHost, Scope } from "./install-arguments.ts";
import { withJsonEntry, withoutJsonEntry, type EntryPlace } from "./json-entry.ts";
import { SettingsError } from "./settings-error.ts";
import { withoutTomlEntry, withTomlEntry } from "./toml-entry.ts";

type Settings = Readonly<Record<string, unknown>>;

const HOST_NAMES: Readonly<Record<InstallHost, string>> = {
  "claude-desktop": "Claude Desktop",
  "claude-code": "Claude Code",
  vscode: "VS Code",
  cursor: "Cursor",
  codex: "Codex",
  gemini: "Gemini CLI",
  zed: "Zed",
};

/** Throws a StartError for a host without such a file. */
export function hostFileOf(host: InstallHost, scope: Scope, { env, cwd }: Pick<CliProcess, "env" | "cwd">): HostFile {
  const files = hostFiles({ env, platform, folder: cwd() }).filter((file) => file.host === HOST_NAMES[host]);
  // Of several the first is read: that of a packaged Claude Desktop comes before the usual one.
  const file = files.find(({ isOfProject }) => isOfProject === (scope === "project"));
  if (file === undefined) throw new StartError(`${HOST_NAMES[host]} has no settings of a project. Leave out --scope project.`, 2);
  return file;
}

/** An entry as it is printed, and what it means. */
export interface WantedEntry extends EntryPlace {
  readonly text: string;
  readonly value: Settings;
}

/** Throws a SettingsError where the entry needs more than its own member. */
export function wantedEntry({ format, key }: HostFile, name: string, text: string): WantedEntry {
  const settings = parse(format, text);
  if (Object.keys(settings).length > 1) throw new SettingsError("needs an input besides the entry. Copy what --print-config prints");
  return { key, name, text, value: recordOf(recordOf(settings[key])[name]) };
}

/** What the settings say under the name of the entry; undefined for nothing. Throws a SettingsError for settings that are not valid. */
export function entryIn({ format }: HostFile, { key, name }: EntryPlace, text: string): Settings | undefined {
  const servers = parse(format, text)[key];
  if (servers !== undefined && !isRecord(servers)) throw new SettingsError(`has no object under "${key}". Correct it by hand`);
  const value = servers?.[name];
  return value === undefined ? undefined : recordOf(value);
}

/** Throws a SettingsError for an entry of this name that starts another program. */
export function checkIsOwn(name: string, value: Settings, server: string, start: readonly string[]): void {
  const { command, args } = value;
  const words = [command, ...(Array.isArray(args) ? args : [])];
  const isThisStart = start.every((word, index) => words[index] === word);
  const isAddress = command === undefined && ["url", "httpUrl"].some((member) => typeof value[member] === "string");
  if (!isThisStart && !isAddress && !namesServer("", value, server))
    throw new SettingsError(`has an entry ${quoted(name)} of another program. Rename or remove it by hand`);
}

export function withEntry({ format }: HostFile, text: string, wanted: WantedEntry): string {
  const after = format === "toml" ? withTomlEntry(text, wanted, wanted.text) : withJsonEntry(text, wanted, wanted.value);
  const before = parse(format, text);
  const expected = { ...before, [wanted.key]: { ...recordOf(before[wanted.key]), [wanted.name]: wanted.value } };
  return checked(format, after, expected);
}

/** Undefined: the file has nothing else. */
export function withoutEntry({ format }: HostFile, text: string, place: EntryPlace): string | undefined {
  const after = format === "toml" ? withoutTomlEntry(text, place) : withoutJsonEntry(text, place);
  const { [place.key]: servers, ...rest } = parse(format, text);
  const { [place.name]: _, ...others } = recordOf(servers);
  const isLeft = Object.keys(others).length > 0 || recordOf(parse(format, after ?? ""))[place.key] !== undefined;
  checked(format, after ?? "", isLeft ? { ...rest, [place.key]: others } : rest);
  return after;
}

/** The change is made in the text; that it means what it should is proved by reading it again. */
function checked(format: HostFile["format"], text: string, expected: Settings): string {
  if (!means(format, text, expected))
    throw new SettingsError("is written in a form that cannot be changed here. Change it by hand, with what --print-config prints");
  return text;
}

function means(format: HostFile["format"], text: string, expected: Settings): boolean {
  try {
    return isDeepStrictEqual(plain(parse(format, text)), plain(expected));
  } catch (error) {
    if (error instanceof SettingsError) return false;
    throw error;
  }
}

/** TOML has dates and objects without a prototype. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

function parse(format: HostFile["format"], text: string): Settings {
  try {
    if (format === "toml") return parseToml(text);
    const { json } = strictJson(text.replace(/^\u{feff}/u, ""));
    const settings: unknown = json.trim() === "" ? {} : JSON.parse(json);
    if (!isRecord(settings)) throw new SettingsError("is not a JSON object. Correct it by hand");
    return settings;
  } catch (error) {
    if (error instanceof SettingsError) throw error;
    throw new SettingsError(`is not valid ${format === "toml" ? "TOML" : "JSON"}. Correct it, or restore it from a copy`);
  }
}

const isRecord = (value: unknown): value is Settings => typeof value === "object" && value !== null && !Array.isArray(value);
const recordOf = (value: unknown): Settings => (isRecord(value) ? value : {});
