// Sibling entries: entries of other Oarlock servers in the files of hosts. Each server checks its own, so these are named with the command
// that checks them.
import { redact } from "../../redaction.ts";
import { isServer, programIndex } from "./entry-arguments.ts";
import { isFound } from "./find-program.ts";
import type { HostEntry } from "./host-entries.ts";
import type { HostFile } from "./host-files.ts";

/** An entry that was seen and not checked. */
export interface SiblingEntry {
  readonly host: string;
  readonly path: string;
  readonly entry: string;
  readonly server: string;
  /** The command that checks it. */
  readonly command: string;
}

const SERVERS = ["oarlock-filesystem", "oarlock-git", "oarlock-memory", "oarlock-sqlite"];

/** The other servers of the same family; none for a server of another author. */
export const siblingsOf = (server: string): readonly string[] =>
  SERVERS.includes(server) ? SERVERS.filter((sibling) => sibling !== server) : [];

export function siblingEntry(
  { host, path, isOfProject }: HostFile,
  { name, server, value }: HostEntry,
  searchPath: string | undefined,
): SiblingEntry {
  return { host, path, entry: name, server, command: isOfProject ? `${server} doctor` : redact(doctorCommand(server, value, searchPath)) };
}

/**
 * As the entry starts the server where that program exists, so that it also works through npx; else the plain command. Not for an entry of a
 * project: a user who pastes the command would run what the project says.
 */
function doctorCommand(server: string, { command, args }: HostEntry["value"], searchPath: string | undefined): string {
  const texts = Array.isArray(args) ? args.filter((word) => typeof word === "string") : [];
  if (typeof command !== "string" || !isFound(command, searchPath)) return `${server} doctor`;
  const index = isServer(command, server) ? -1 : programIndex(command, texts);
  if (index === undefined) return `${server} doctor`;
  const words = [command, ...texts.slice(0, index + 1)];
  return words.some((word) => word.includes("${")) ? `${server} doctor` : [...words, "doctor"].map(shellWord).join(" ");
}

/** A word for a POSIX shell, or on Windows for cmd. */
function shellWord(word: string): string {
  if (!/[^\w@./:=+,\\-]/.test(word)) return word;
  return process.platform === "win32" ? JSON.stringify(word) : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
