/** Memory and CPU of a process and its children, from `/proc` of Linux. Elsewhere these figures are NaN. */
import { execFileSync } from "node:child_process";
import { attempt, endedChildrenCpuMs, familyOf, statusBytes, threadsCpuMs } from "@oarlock-tooling/test-support/process-tree";

const MIB = 1024 * 1024;

const sumOf = (figures: readonly number[]): number => (figures.length === 0 ? NaN : figures.reduce((total, one) => total + one, 0));
const known = (figures: readonly number[]): number[] => figures.filter((one) => !Number.isNaN(one));

/** The figures in MiB that the family has under a key of `/proc/<pid>/status`. */
const figuresOf = (pid: number, key: string): number[] => known(familyOf(pid).map((member) => statusBytes(member, key) / MIB));

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

/** Of util-linux; not everywhere. */
const TASKSET = "taskset";

/** Milliseconds that the family has spent on processors: nanosecond accounting of all threads, and ticks of children that ended. */
export function cpuMs(pid: number): number {
  const family = familyOf(pid);
  return sumOf(known(family.map(threadsCpuMs))) + sumOf(family.map(endedChildrenCpuMs));
}

/** Runs `work` with these processes and what they started on one core, where `taskset` is at hand: waking an idle one is not measured. */
export async function onOneCore(pids: readonly number[], work: () => Promise<void>): Promise<void> {
  const taskset = (...args: string[]): string => execFileSync(TASKSET, args, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
  const before: (() => void)[] = [];
  attempt(() => {
    for (const pid of [...new Set(pids.flatMap(familyOf))].map(String)) {
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
