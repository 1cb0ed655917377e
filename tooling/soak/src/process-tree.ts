/** Process tree: processes and their memory, from `/proc` on Linux; on other systems only what they report themselves. */
import type { ChildProcess } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";

/** A process may end while we look. */
function attempt<T>(look: () => T, otherwise: T): T {
  try {
    return look();
  } catch {
    return otherwise;
  }
}

const read = (path: string): string => attempt(() => readFileSync(path, "utf8"), "");
const count = (path: string): number => attempt(() => readdirSync(path).length, NaN);

export function childrenOf(pid: number): number[] {
  const threads = attempt(() => readdirSync(`/proc/${pid}/task`), []);
  return threads.flatMap((thread) => read(`/proc/${pid}/task/${thread}/children`).split(" ").filter(Boolean).map(Number));
}

export function familyOf(pid: number): number[] {
  const all = [pid];
  for (const one of all) all.push(...childrenOf(one));
  return all;
}

/** Runs, and is not just waiting for its parent to take note of its end. */
export const runs = (pid: number): boolean =>
  attempt(() => process.kill(pid, 0), false) && !/^State:\s+Z/m.test(read(`/proc/${pid}/status`));

export interface Outside {
  /** Resident bytes. */
  rss: number;
  fds: number;
  threads: number;
  children: number;
}

export function outside(pid: number): Outside {
  const kib = Number(/^VmRSS:\s+(\d+)/m.exec(read(`/proc/${pid}/status`))?.[1] ?? NaN);
  return { rss: kib * 1024, fds: count(`/proc/${pid}/fd`), threads: count(`/proc/${pid}/task`), children: childrenOf(pid).length };
}

/** Ends a process and what it started. */
export function kill({ pid }: Pick<ChildProcess, "pid">): void {
  for (const member of pid === undefined ? [] : familyOf(pid)) attempt(() => process.kill(member, "SIGKILL"), false);
}
