// Sibling entries: entries of other Oarlock servers in the files of hosts. Each server checks its own, so these are named with the command
// that checks them.
import { findProgram } from "@oarlock/domain-kit";
import type { Environment } from "../../process/environment.ts";
import { redact } from "../../redaction.ts";
import { isServer, programIndex } from "./entry-arguments.ts";
import type { HostEntry } from "./host-entries.ts";
import type { HostFile } from "./host-files.ts";
import { shellCommand, type ShellCommand } from "./shell-command.ts";

/** An entry that was seen and not checked, and the command that checks it. */
export interface SiblingEntry extends ShellCommand {
  readonly host: string;
  readonly path: string;
  readonly entry: string;
  readonly server: string;
}

const SERVERS = ["oarlock-filesystem", "oarlock-git", "oarlock-memory", "oarlock-sqlite"];

/** The other servers of the same family; none for a server of another author. */
export const siblingsOf = (server: string): readonly string[] =>
  SERVERS.includes(server) ? SERVERS.filter((sibling) => sibling !== server) : [];

export function siblingEntry(
  { host, path, isOfProject }: HostFile,
  { name, server, value }: HostEntry,
  system: { readonly env: Environment; readonly platform: NodeJS.Platform },
): SiblingEntry {
  const start = isOfProject ? undefined : startOf(server, value, system);
  const words: [string, ...string[]] = start === undefined ? [server, "doctor"] : [...start, "doctor"];
  const { command, ...shell } = shellCommand(words, system.platform);
  return { host, path, entry: name, server, command: redact(command), ...shell };
}

/**
 * How the entry starts the server where that program exists, so that it also works through npx. Undefined: by its name. Not for an entry of a
 * project: a user who pastes the command would run what the project says.
 */
function startOf(
  server: string,
  { command, args }: HostEntry["value"],
  system: Parameters<typeof siblingEntry>[2],
): [string, ...string[]] | undefined {
  const texts = Array.isArray(args) ? args.filter((word) => typeof word === "string") : [];
  if (typeof command !== "string" || findProgram(command, system) === undefined) return undefined;
  const index = isServer(command, server) ? -1 : programIndex(command, texts);
  if (index === undefined) return undefined;
  const words: [string, ...string[]] = [command, ...texts.slice(0, index + 1)];
  return words.some((word) => word.includes("${")) ? undefined : words;
}
