// How a process ends, and how it is ended together with the programs that it started.
import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { constants } from "node:os";
import { pathRules, system32, thisMachine, type Machine } from "../../platform.ts";

/** How long the pipes of a process that has ended may be silent before they are given up. */
const PIPE_GRACE_MS = 500;
/** How often they may speak in that time. What git itself wrote is read long before: a pipe holds little. */
const MAX_GRACES = 4;
const TASKKILL_TIMEOUT_MS = 2000;

/** Processes that share the group of the server. */
const withoutGroup = new WeakSet<ChildProcess>();

export const markWithoutGroup = (child: ChildProcess): void => void withoutGroup.add(child);

/**
 * The exit code, once the process has ended and its output is read. A program that it left behind may hold its pipes open: they are given up
 * when they are silent, and after two seconds. Rejects when the process cannot be started.
 */
export async function processEnd(child: ChildProcess): Promise<number | undefined> {
  const end = Promise.withResolvers<number | undefined>();
  let timer: NodeJS.Timeout | undefined;
  child.once("error", end.reject);
  child.once("close", (code) => end.resolve(code ?? undefined));
  child.once("exit", (code) => {
    const streams = [child.stdout, child.stderr];
    let chunks = 0;
    let graces = 0;
    for (const stream of streams) stream?.on("data", () => (chunks += 1));
    const giveUpWhenSilent = (): void => {
      const before = chunks;
      // Output that has come while the server was busy is read between the timer and this.
      const look = (): void => {
        if (chunks > before && (graces += 1) < MAX_GRACES) return giveUpWhenSilent();
        for (const stream of streams) stream?.destroy();
        end.resolve(code ?? undefined);
      };
      timer = setTimeout(() => setImmediate(look), PIPE_GRACE_MS);
    };
    giveUpWhenSilent();
  });
  try {
    return await end.promise;
  } finally {
    clearTimeout(timer);
  }
}

/** Ends a process together with its group, where it has one; on Windows together with all that it started, at once. */
export function endProcess(child: ChildProcess, signal: "SIGTERM" | "SIGKILL", machine: Machine = thisMachine): void {
  if (child.pid === undefined) return;
  if (machine.platform === "win32") return endTree(child, child.pid, machine);
  try {
    if (withoutGroup.has(child)) child.kill(signal);
    else process.kill(-child.pid, constants.signals[signal]);
  } catch {
    // The process has ended already.
  }
}

/** The same while the server exits, when nothing can be waited for. */
export function endProcessAtExit(child: ChildProcess, machine: Machine = thisMachine): void {
  if (machine.platform !== "win32" || child.pid === undefined || hasEnded(child)) return endProcess(child, "SIGKILL", machine);
  const [program, args] = taskkill(child.pid, machine);
  spawnSync(program, args, { stdio: "ignore", windowsHide: true, timeout: TASKKILL_TIMEOUT_MS });
}

/** By its number a process is found only while it runs: later the number may be that of another one. */
function endTree(child: ChildProcess, pid: number, machine: Machine): void {
  if (hasEnded(child)) return;
  const [program, args] = taskkill(pid, machine);
  const killer = spawn(program, args, { stdio: "ignore", windowsHide: true });
  killer.once("error", () => child.kill("SIGKILL"));
  killer.once("exit", (code) => void (code !== 0 && child.kill("SIGKILL")));
}

export const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null;

/** Windows has neither groups nor signals: `child.kill` would end a program that only starts git, and git would continue. */
export const taskkill = (pid: number, machine: Machine): [program: string, args: string[]] => [
  pathRules("win32").join(system32(machine), "taskkill.exe"),
  ["/pid", String(pid), "/T", "/F"],
];
