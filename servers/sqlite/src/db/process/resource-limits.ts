// Operating-system limits of a database process, set by a shell where there is one: memory, room for sorting, and CPU time, so that a
// process whose server was killed does not run forever. Windows has no shell with limits; there Node ends its children with itself.
import { platform } from "../../platform.ts";

/** Memory of one process, in KiB: bounds the size of a value. */
const MEMORY_KIB = 768 * 1024;
/** Address space that V8 reserves for the thread in which Yarn's Plug'n'Play finds modules; it counts as memory of the process. */
const MODULE_THREAD_KIB = 512 * 1024;
/** The largest file that a reading process may write while it sorts: 1 GiB, in blocks of 512 bytes. */
const SORT_FILE_BLOCKS = 2 * 1024 * 1024;

/** A process is replaced after this much working time, long before its CPU time is used up. */
export const MAX_WORK_MS = 300_000;

interface LimitOptions {
  /** The process writes database files, which may be of any size. */
  readonly writesLargeFiles: boolean;
  readonly maxTimeoutMs: number;
  readonly system?: NodeJS.Platform;
}

/** On Linux a process can be killed together with its parent, even where the parent itself is killed. */
const WITH_PARENT_DEATH_SIGNAL = 'setpriv --pdeathsig KILL true 2>/dev/null && exec setpriv --pdeathsig KILL "$0" "$@"';

/** The command and its arguments that start `node args` within the limits. */
export function limitedCommand(
  { writesLargeFiles, maxTimeoutMs, system = platform }: LimitOptions,
  args: readonly string[],
): [command: string, args: string[]] {
  if (system === "win32") return [process.execPath, [...args]];
  const memoryKib = MEMORY_KIB + (process.versions["pnp"] === undefined ? 0 : MODULE_THREAD_KIB);
  const limits = [
    `ulimit -d ${memoryKib}`,
    `ulimit -t ${maxCpuSeconds(maxTimeoutMs)}`,
    ...(writesLargeFiles ? [] : [`ulimit -f ${SORT_FILE_BLOCKS}`]),
  ];
  // The process starts even where the system does not know a limit, or already has a lower one.
  const script = `${limits.map((limit) => `${limit} 2>/dev/null`).join("; ")}; ${WITH_PARENT_DEATH_SIGNAL}; exec "$0" "$@"`;
  return ["/bin/sh", ["-c", script, process.execPath, ...args]];
}

const maxCpuSeconds = (maxTimeoutMs: number): number => Math.ceil((MAX_WORK_MS + 2 * maxTimeoutMs) / 1000) + 60;
