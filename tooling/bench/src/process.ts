/** What the kernel says about a process and its children: `/proc` of Linux. Elsewhere these figures are NaN. */
import { execFileSync, type ChildProcess } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";

const read = (path: string): string => attempt(() => readFileSync(path, "utf8"), "");
const list = (path: string): string[] => attempt(() => readdirSync(path), []);

/** A process may end while we look. */
function attempt<T>(look: () => T, otherwise: T): T {
  try {
    return look();
  } catch {
    return otherwise;
  }
}

/** The process and all its descendants. */
function family(pid: number): number[] {
  const all = [pid];
  for (const parent of all) {
    for (const thread of list(`/proc/${parent}/task`)) {
      all.push(...read(`/proc/${parent}/task/${thread}/children`).split(" ").filter(Boolean).map(Number));
    }
  }
  return all;
}

/** The figures in MiB that the family has under a key of `/proc/<pid>/status`. */
const figuresOf = (pid: number, key: string): number[] =>
  family(pid)
    .map((member) => read(`/proc/${member}/status`))
    .filter((status) => status.includes("VmRSS"))
    .map((status) => Number(new RegExp(`^${key}:\\s+(\\d+)`, "m").exec(status)?.[1]) / 1024);

const sumOf = (figures: readonly number[]): number => (figures.length === 0 ? NaN : figures.reduce((total, one) => total + one, 0));

/** Resident MiB of the whole family, now and at the peak. */
export const memory = (pid: number): { now: number; peak: number } => ({
  now: sumOf(figuresOf(pid, "VmRSS")),
  peak: sumOf(figuresOf(pid, "VmHWM")),
});

/** The peak of the family where all run the same program: the pages of its files, which they share, are counted once. */
export function peakTogether(pid: number): number {
  const ofFiles = figuresOf(pid, "RssFile");
  return memory(pid).peak - (sumOf(ofFiles) - Math.max(...ofFiles));
}

const TICK_MS = 10;

/** Of util-linux; not everywhere. */
const TASKSET = "taskset";

/** Milliseconds that the family has spent on processors: nanosecond accounting of all threads, and ticks of children that ended. */
export function cpuMs(pid: number): number {
  let nanoseconds = NaN;
  let ticks = 0;
  for (const member of family(pid)) {
    for (const thread of list(`/proc/${member}/task`)) {
      const spent = Number(read(`/proc/${member}/task/${thread}/schedstat`).split(" ")[0]);
      nanoseconds = Number.isNaN(nanoseconds) ? spent || NaN : nanoseconds + spent;
    }
    const stat = read(`/proc/${member}/stat`);
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    ticks += Number(fields[13] ?? 0) + Number(fields[14] ?? 0);
  }
  return nanoseconds / 1e6 + ticks * TICK_MS;
}

/** Runs `work` with these processes and what they started on one core, where `taskset` is at hand: waking an idle one is not measured. */
export async function onOneCore(pids: readonly number[], work: () => Promise<void>): Promise<void> {
  const taskset = (...args: string[]): string => execFileSync(TASKSET, args, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
  const before: (() => void)[] = [];
  attempt(() => {
    for (const pid of [...new Set(pids.flatMap(family))].map(String)) {
      const mask = /mask: *([\da-f,]+)/.exec(taskset("-p", pid))?.[1] ?? "";
      taskset("-ap", "1", pid);
      before.push(() => taskset("-ap", mask, pid));
    }
  }, undefined);
  try {
    await work();
  } finally {
    for (const restore of before) attempt(restore, undefined);
  }
}

/** Servers that run now; none is left behind. */
export const running = new Set<ChildProcess>();

/** Ends a process and what it started, as the command may be a shell script around the server. */
export function kill({ pid }: ChildProcess): void {
  for (const member of pid === undefined ? [] : family(pid)) attempt(() => process.kill(member, "SIGKILL"), false);
}

export function killAll(): void {
  for (const child of running) kill(child);
  running.clear();
}

process.on("exit", killAll);
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => process.exit(130));
