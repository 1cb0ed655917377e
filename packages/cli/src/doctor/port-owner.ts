// Port owner: the process that listens on a port, where Linux tells it.
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { basename } from "node:path";
import { platform } from "../platform.ts";

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
  for (const id of attempt(() => readdirSync("/proc"), []).filter((entry) => /^\d+$/.test(entry))) {
    const folder = `/proc/${id}/fd`;
    const isOwner = attempt(() => readdirSync(folder), []).some((fd) => sockets.has(attempt(() => readlinkSync(`${folder}/${fd}`), "")));
    if (isOwner) return { id: Number(id), name: programOf(id) };
  }
  return undefined;
}

/** The program, and the script that it runs; no other arguments, which may hold secrets. */
function programOf(id: string): string {
  const [program = "", script = ""] = attempt(() => readFileSync(`/proc/${id}/cmdline`, "utf8"), "").split("\0");
  if (program === "") return "a program";
  return script.startsWith("/") || /\.[cm]?[jt]s$/.test(script) ? `${basename(program)} ${script}` : basename(program);
}

/** `socket:[INODE]` of the sockets that listen. */
function socketsIn(table: string, port: number): string[] {
  const wanted = `:${port.toString(16).toUpperCase().padStart(4, "0")}`;
  const rows = attempt(() => readFileSync(table, "latin1"), "")
    .split("\n")
    .map((line) => line.trim().split(/\s+/));
  return rows.filter(([, local = "", , state]) => local.endsWith(wanted) && state === LISTENING).map((row) => `socket:[${row[9]}]`);
}

function attempt<T>(read: () => T, otherwise: T): T {
  try {
    return read();
  } catch {
    return otherwise;
  }
}
