// Sibling entries: entries of other Oarlock servers in the files of hosts. Each server checks its own, so these are named with the command
// that checks them.
import { redact } from "../../redaction.ts";
import { isFound } from "./find-program.ts";
import { namesServer, type HostEntry } from "./host-entries.ts";
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

export function siblingEntry({ host, path }: HostFile, { name, server, value }: HostEntry, searchPath: string | undefined): SiblingEntry {
  return { host, path, entry: name, server, command: redact(doctorCommand(server, value, searchPath)) };
}

/** As the entry starts the server where that program exists, so that it also works through npx; else the plain command. */
function doctorCommand(server: string, { command, args }: HostEntry["value"], searchPath: string | undefined): string {
  const words = [command, ...(Array.isArray(args) ? args : [])].filter((word) => typeof word === "string");
  const end = words.findIndex((word) => namesServer("", { command: word }, server));
  const used = words.slice(0, end + 1);
  const isUsable = used.length > 0 && !used.some((word) => word.includes("${")) && isFound(used[0] ?? "", searchPath);
  return [...(isUsable ? used : [server]), "doctor"].map((word) => (/[^\w@./:=+,\\-]/.test(word) ? JSON.stringify(word) : word)).join(" ");
}
