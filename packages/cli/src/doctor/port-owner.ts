// Port owner: the process that listens on a port, where Linux tells it.
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { platform } from "../platform.ts";
import { processWithOpen } from "./descriptor-owner.ts";

export interface Listener {
  readonly id: number;
  readonly name: string;
}

const LISTENING = "0A";

/** Undefined on other systems, and for processes of other users. */
export function listenerOf(port: number): Listener | undefined {
  if (platform !== "linux") return undefined;
  const sockets = new Set(["/proc/net/tcp", "/proc/net/tcp6"].flatMap((table) => socketsIn(table, port)));
  if (sockets.size === 0) return undefined;
  const id = processWithOpen((link) => sockets.has(link));
  return id === undefined ? undefined : { id, name: programOf(id) };
}

/** The program, and the script that it runs; no other arguments, which may hold secrets. */
function programOf(id: number): string {
  const [program = "", script = ""] = textOf(`/proc/${id}/cmdline`).split("\0");
  if (program === "") return "a program";
  return script.startsWith("/") || /\.[cm]?[jt]s$/.test(script) ? `${basename(program)} ${script}` : basename(program);
}

/** `socket:[INODE]` of the sockets that listen. */
function socketsIn(table: string, port: number): string[] {
  const wanted = `:${port.toString(16).toUpperCase().padStart(4, "0")}`;
  const rows = textOf(table)
    .split("\n")
    .map((line) => line.trim().split(/\s+/));
  return rows.filter(([, local = "", , state]) => local.endsWith(wanted) && state === LISTENING).map((row) => `socket:[${row[9]}]`);
}

/** Empty where the file cannot be read: a process may end meanwhile. */
function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
