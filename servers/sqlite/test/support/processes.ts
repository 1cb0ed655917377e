// State, CPU time and memory of other processes, from /proc. Linux only; elsewhere no process is seen. CPU time measures work, which a busy
// machine does not change.
import { readFileSync } from "node:fs";

/** The kernel counts CPU time in hundredths of a second. */
const MS_PER_TICK = 10;

/** Fields of /proc/PID/stat after the command name, which may contain spaces: state is the first, utime and stime are the 12th and 13th. */
function statOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ") ?? [];
  } catch {
    return []; // exited
  }
}

/** User and system CPU time that a process has used so far; 0 after its exit. */
export function processCpuMs(pid: number): number {
  const fields = statOf(pid);
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) * MS_PER_TICK;
}

/** False after the exit of a process, also before its parent has read the exit code. */
export const isRunning = (pid: number): boolean => !["Z", undefined].includes(statOf(pid)[0]);

/** The peak memory of a process so far, in bytes; 0 after its exit. */
export function peakMemoryBytes(pid: number): number {
  try {
    return Number(/^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) * 1024;
  } catch {
    return 0; // exited
  }
}
