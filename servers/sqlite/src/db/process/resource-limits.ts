// What the system lets a database process take at most, where there is a shell to say so: memory, room for sorting, and time
// on the processor, so that one whose server was killed does not run for ever.

/** Memory of one process, in KiB: a value that is larger does not come to be. */
const MEMORY_KIB = 768 * 1024;
/** The largest file that a reading process writes while it sorts, in blocks of 512 bytes. */
const SORTING_BLOCKS = 2 * 1024 * 1024;

interface Limited {
  readonly largeFiles: boolean;
  readonly longestMs: number;
}

/** On Linux a process can be told to end when its parent does, also where that one is killed. */
const WITH_PARENT = 'setpriv --pdeathsig KILL true 2>/dev/null && exec setpriv --pdeathsig KILL "$0" "$@"';

/** The command and its arguments that start `node args` within the limits. */
export function limitsFor({ largeFiles, longestMs }: Limited, args: readonly string[]): [command: string, args: string[]] {
  if (process.platform === "win32") return [process.execPath, [...args]];
  const limits = [`ulimit -d ${MEMORY_KIB}`, `ulimit -t ${cpuSeconds(longestMs)}`, ...(largeFiles ? [] : [`ulimit -f ${SORTING_BLOCKS}`])];
  // A limit that the system does not know, or that is lower already, is no reason not to start.
  const script = `${limits.map((limit) => `${limit} 2>/dev/null`).join("; ")}; ${WITH_PARENT}; exec "$0" "$@"`;
  return ["/bin/sh", ["-c", script, process.execPath, ...args]];
}

/** A process is replaced (`WORKED_MS`) long before it has used up its time. */
const cpuSeconds = (longestMs: number): number => Math.ceil((WORKED_MS + 2 * longestMs) / 1000) + 60;

/** A process that has worked for so long, in milliseconds, is replaced by a new one. */
export const WORKED_MS = 300_000;
