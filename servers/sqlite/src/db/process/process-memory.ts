// How much memory processes use, as the operating system tells it.
import { readFileSync } from "node:fs";
import { win32 } from "node:path";
import { platform } from "../../platform.ts";

export interface MemoryReader {
  /** How often it may be asked. */
  readonly intervalMs: number;
  /** Bytes by process id. Processes of which the system tells nothing are left out. */
  read(pids: readonly number[]): ReadonlyMap<number, number> | Promise<ReadonlyMap<number, number>>;
}

/** A process can fill some hundred megabytes in this time. */
const FILE_INTERVAL_MS = 20;
/** A program takes some 10 ms, on Windows 200. */
const PROGRAM_INTERVAL_MS = 1000;
const PROGRAM_DEADLINE_MS = 5000;
const MAX_OUTPUT_BYTES = 4 * 1024 * 1024;

/** Files on Linux, a program of the system elsewhere. */
export function memoryReader(system: NodeJS.Platform = platform): MemoryReader {
  if (system === "linux") return { intervalMs: FILE_INTERVAL_MS, read: readStatusFiles };
  const read = async (pids: readonly number[]): Promise<ReadonlyMap<number, number>> => {
    const [program, args] = memoryCommand(pids, system);
    const sizes = parseMemory(await outputOf(program, args), system);
    return new Map(pids.flatMap((pid) => (sizes.has(pid) ? [[pid, sizes.get(pid) ?? 0]] : [])));
  };
  return { intervalMs: PROGRAM_INTERVAL_MS, read };
}

/** Memory that a process does not share with others. */
function readStatusFiles(pids: readonly number[]): ReadonlyMap<number, number> {
  const sizes = new Map<number, number>();
  for (const pid of pids) {
    try {
      const [, kilobytes] = /^RssAnon:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "latin1")) ?? [];
      if (kilobytes !== undefined) sizes.set(pid, Number(kilobytes) * 1024);
    } catch {
      // The process has ended.
    }
  }
  return sizes;
}

/**
 * Pure. ps(1) of POSIX, whose `rss` is in KiB, and tasklist, which can filter by one process only and lists them all.
 * https://learn.microsoft.com/en-us/windows-server/administration/windows-commands/tasklist
 */
export function memoryCommand(pids: readonly number[], system: NodeJS.Platform): [program: string, args: string[]] {
  if (system === "win32")
    return [win32.join(process.env["SystemRoot"] ?? String.raw`C:\Windows`, "System32", "tasklist.exe"), ["/fo", "csv", "/nh"]];
  return ["/bin/ps", ["-o", "pid=,rss=", "-p", pids.join(",")]];
}

/** Pure. The last column of tasklist has separators of the user's language and a unit: "45,678 K", "45.678 K", "45 678 Ko". */
export function parseMemory(output: string, system: NodeJS.Platform): ReadonlyMap<number, number> {
  const line = system === "win32" ? /^"[^"]*","(\d+)",.*"([^"]*\d[^"]*)"\s*$/gm : /^\s*(\d+)\s+(\d+)\s*$/gm;
  return new Map(
    [...output.matchAll(line)].map(([, pid, kilobytes = ""]) => [Number(pid), Number(kilobytes.replaceAll(/\D/g, "")) * 1024]),
  );
}

/** Empty where the program is missing, fails or takes too long. ps fails where one of the processes has ended, and prints the others. */
async function outputOf(program: string, args: readonly string[]): Promise<string> {
  const { execFile } = process.getBuiltinModule("node:child_process");
  return await new Promise((resolve) => {
    const options = { timeout: PROGRAM_DEADLINE_MS, maxBuffer: MAX_OUTPUT_BYTES, windowsHide: true, encoding: "latin1" } as const;
    execFile(program, args, options, (_error, stdout) => resolve(stdout));
  });
}
