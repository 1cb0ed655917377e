// The owner of a lock, in a form that shows whether that process is still alive. Its process number is not enough: numbers are
// reused, and mean another process in another container or after a restart of the machine.
import { readFileSync, readlinkSync } from "node:fs";
import { platform } from "../../platform.ts";

/** Those of a process, and the token of its lock. */
const OWNER_PARTS = 5;

let own: string | undefined;

/** Identifies this process: boot id, pid namespace, process number, start time. */
export function thisProcess(): string {
  own ??= [bootOf(), namespaceOf(), process.pid, startOf(process.pid) ?? "0"].join(".");
  return own;
}

/** "unknown" for a process of another container, whose numbers have no meaning here, and for a text that names no owner. */
export function stateOf(owner: string): "alive" | "dead" | "unknown" {
  if (owner.startsWith(`${thisProcess()}.`)) return "alive";
  const parts = owner.split(".");
  // The mark of a file is empty until its owner is written.
  if (parts.length !== OWNER_PARTS) return "unknown";
  const [boot, namespace, pid, start] = parts;
  const [ownBoot, ownNamespace] = thisProcess().split(".");
  if (boot !== ownBoot) return "dead";
  if (namespace !== ownNamespace || pid === undefined || !/^\d+$/.test(pid)) return "unknown";
  if (platform === "linux" && start !== "0") return startOf(Number(pid)) === start ? "alive" : "dead";
  try {
    process.kill(Number(pid), 0);
    return "unknown"; // a process has that number, perhaps another one
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "ESRCH" ? "dead" : "unknown";
  }
}

function startOf(pid: number): string | undefined {
  try {
    const facts = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The second field is the name of the program, which may have spaces and brackets. Z is a zombie, X a dead process.
    const fields = facts.slice(facts.lastIndexOf(")") + 2).split(" ");
    return fields[0] === "Z" || fields[0] === "X" ? undefined : fields[19];
  } catch {
    return undefined;
  }
}

function bootOf(): string {
  try {
    return readFileSync("/proc/sys/kernel/random/boot_id", "latin1").slice(0, 8);
  } catch {
    return "0";
  }
}

function namespaceOf(): string {
  try {
    return readlinkSync("/proc/self/ns/pid").replace(/\D/g, "");
  } catch {
    return "0";
  }
}
