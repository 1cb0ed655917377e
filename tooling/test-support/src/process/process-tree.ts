/** Process tree: processes with their children, memory and CPU time, from `/proc` on Linux. Elsewhere the figures are NaN. */
import { spawnSync, type ChildProcess } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";

/** A process may end while it is read. */
export function attempt<T>(read: () => T, otherwise: T): T {
  try {
    return read();
  } catch {
    return otherwise;
  }
}

const read = (path: string): string => attempt(() => readFileSync(path, "utf8"), "");
const list = (path: string): string[] => attempt(() => readdirSync(path), []);
const count = (path: string): number => attempt(() => readdirSync(path).length, NaN);

export function childrenOf(pid: number): number[] {
  if (!existsSync("/proc/self/task")) return childrenByPs(pid);
  return list(`/proc/${pid}/task`).flatMap((thread) => read(`/proc/${pid}/task/${thread}/children`).split(" ").filter(Boolean).map(Number));
}

const childrenByPs = (pid: number): number[] =>
  (spawnSync("ps", ["-A", "-o", "pid=,ppid="], { encoding: "utf8" }).stdout ?? "")
    .split("\n")
    .map((line) => line.trim().split(/\s+/).map(Number))
    .flatMap(([child = 0, parent]) => (parent === pid ? [child] : []));

/** The process and all its descendants. */
export function familyOf(pid: number): number[] {
  const all = [pid];
  for (const one of all) all.push(...childrenOf(one));
  return all;
}

/** Whether a process runs, and does not just wait for its parent to notice its exit. */
export const runs = (pid: number): boolean =>
  attempt(() => process.kill(pid, 0), false) && !/^State:\s+Z/m.test(read(`/proc/${pid}/status`));

/** The bytes of one process under a key of `/proc/<pid>/status`, such as `VmRSS`; NaN where it has ended. */
export const statusBytes = (pid: number, key: string): number =>
  Number(new RegExp(`^${key}:\\s+(\\d+)`, "m").exec(read(`/proc/${pid}/status`))?.[1] ?? NaN) * 1024;

export interface Outside {
  rss: number;
  fds: number;
  threads: number;
  children: number;
}

export const outside = (pid: number): Outside => ({
  rss: statusBytes(pid, "VmRSS"),
  fds: count(`/proc/${pid}/fd`),
  threads: count(`/proc/${pid}/task`),
  children: childrenOf(pid).length,
});

const TICK_MS = 10;

/** Milliseconds of CPU of the running threads of one process, which the kernel counts in nanoseconds; NaN where it tells none. */
export function threadsCpuMs(pid: number): number {
  const spent = list(`/proc/${pid}/task`).map((thread) => Number(read(`/proc/${pid}/task/${thread}/schedstat`).split(" ")[0]) / 1e6);
  return spent.length === 0 ? NaN : spent.reduce((sum, one) => sum + one, 0);
}

/** Milliseconds of CPU of the children of a process that have ended, which the kernel counts in ticks. */
export function endedChildrenCpuMs(pid: number): number {
  const stat = read(`/proc/${pid}/stat`);
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[13] ?? 0) + Number(fields[14] ?? 0)) * TICK_MS;
}

/** Ends a process and what it started, as the command may be a shell script around the server. */
export function killTree({ pid }: Pick<ChildProcess, "pid">): void {
  for (const member of pid === undefined ? [] : familyOf(pid)) attempt(() => process.kill(member, "SIGKILL"), false);
}
