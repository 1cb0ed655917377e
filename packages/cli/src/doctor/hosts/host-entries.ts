// Host entries: the servers that a host file names, of which those of known servers are looked for.
import { existsSync, readFileSync, statSync } from "node:fs";
import { isLoopback } from "@oarlock/server-kit/node";
import json5 from "json5";
import { parse as parseToml } from "smol-toml";
import { isServer, programIndex } from "./entry-arguments.ts";
import type { HostFile } from "./host-files.ts";
import { strictJson, type Laxness } from "./json-laxness.ts";

/** An entry for a known server, as it was written. */
export interface HostEntry {
  /** The server that it names. */
  readonly server: string;
  readonly name: string;
  /** The member that it stands under, which may be the one of another host. */
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}

/** A host file cannot be read. The message has nothing of its content. */
export class HostFileError extends Error {
  override readonly name = "HostFileError";
}

const KEYS = ["mcpServers", "servers", "context_servers", "mcp_servers"];
const MAX_FILE_BYTES = 20_000_000;
const MAX_PROJECTS = 1000;

/** An entry of any name that connects to a server on this machine. */
export interface ServedEntry {
  readonly name: string;
  /** Without the parts that may be secret. */
  readonly url: string;
}

interface FoundEntries {
  readonly entries: HostEntry[];
  readonly served: ServedEntry[];
  /** Undefined where the file is strict JSON, or not JSON. */
  readonly laxness?: Laxness | undefined;
}

/** None where the file does not exist, or its folder may not be entered. Throws a {@link HostFileError}. */
export function entriesIn(file: HostFile, servers: readonly string[]): FoundEntries {
  if (!existsSync(file.path)) return { entries: [], served: [] };
  const text = readText(file.path);
  const { settings, laxness } = file.format === "toml" ? { settings: readToml(text), laxness: undefined } : readJson(text);
  const groups = [
    ...KEYS.map((key) => ({ key, members: settings[key] })),
    ...Object.values(recordOf(settings["projects"])) // of Claude Code, by folder
      .slice(0, MAX_PROJECTS)
      .map((project) => ({ key: "mcpServers", members: recordOf(project)["mcpServers"] })),
  ];
  return {
    entries: groups.flatMap(({ key, members }) => entriesUnder(members, key, servers)),
    served: groups.flatMap(({ members }) => servedUnder(members, servers)),
    laxness,
  };
}

function entriesUnder(members: unknown, key: string, servers: readonly string[]): HostEntry[] {
  return Object.entries(recordOf(members)).flatMap(([name, member]) => {
    const value = recordOf(member);
    const server = servers.find((known) => namesServer(name, value, known));
    return server === undefined ? [] : [{ server, name, key, value }];
  });
}

/** Entries that name a server are in the other list. */
function servedUnder(members: unknown, servers: readonly string[]): ServedEntry[] {
  return Object.entries(recordOf(members)).flatMap(([name, member]) => {
    const value = recordOf(member);
    if (servers.some((known) => namesServer(name, value, known))) return [];
    const given = [value["url"], value["serverUrl"], value["httpUrl"]].find((url) => typeof url === "string");
    const url = given === undefined ? null : URL.parse(given);
    return url !== null && isLoopback(url.hostname) ? [{ name, url: `${url.origin}${url.pathname}` }] : [];
  });
}

/** Whether the name of an entry, its command, or the script or package that this runs is the server: `oarlock-git`, `@oarlock/git`, a path with either. */
export function namesServer(name: string, { command, args }: HostEntry["value"], server: string): boolean {
  const texts = Array.isArray(args) ? args.filter((arg) => typeof arg === "string") : [];
  const program = typeof command === "string" ? texts[programIndex(command, texts) ?? -1] : undefined;
  return [name, command, program].some((word) => typeof word === "string" && isServer(word, server));
}

function readText(path: string): string {
  try {
    if (statSync(path).size > MAX_FILE_BYTES) throw new HostFileError("is too large to be a settings file");
    return readFileSync(path, "utf8").replace(/^\u{feff}/u, "");
  } catch (error) {
    if (error instanceof HostFileError) throw error;
    throw new HostFileError(`cannot be read (${error instanceof Error && "code" in error ? String(error.code) : "unknown error"})`);
  }
}

function readToml(text: string): Readonly<Record<string, unknown>> {
  try {
    return parseToml(text);
  } catch (error) {
    const line = error instanceof Error && "line" in error ? ` at line ${String(error.line)}` : "";
    throw new HostFileError(`is not valid TOML${line}`);
  }
}

/** Comments and trailing commas are allowed, as several hosts allow them. */
function readJson(text: string): { settings: Readonly<Record<string, unknown>>; laxness: Laxness | undefined } {
  if (text.trim() === "") return { settings: {}, laxness: undefined };
  const { json, laxness } = strictJson(text);
  try {
    return { settings: recordOf(JSON.parse(json)), laxness };
  } catch (error) {
    const line = errorLine(json) ?? /\(line (\d+) /.exec(String(error))?.[1];
    throw new HostFileError(`is not valid JSON${line === undefined ? "" : ` at line ${line}`}`);
  }
}

/** JSON5 names the line of every error; it also accepts some that JSON does not. */
function errorLine(text: string): string | undefined {
  try {
    json5.parse(text);
    return undefined;
  } catch (error) {
    return error instanceof Error && "lineNumber" in error ? String(error.lineNumber) : undefined;
  }
}

const recordOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {}; // as tested
