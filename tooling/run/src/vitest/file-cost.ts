/**
 * Measures the processor time of each test file, that of its processes included, for the table of costs. Where files share a worker, a file
 * costs what was used since the end of the one before. Processes that are still running at the end of their file are not counted.
 */
import { existsSync, readFileSync } from "node:fs";
import { afterAll } from "vitest";

declare module "vitest" {
  interface TaskMeta {
    /** Processor time of the file, in seconds. */
    cpuSeconds?: number;
  }
}

const OWN_TIMES = "/proc/self/stat";
/** Linux counts in hundredths of a second on every platform that Node supports. */
const TICKS_PER_SECOND = 100;

/** Processor seconds of this process, on Linux with those of the child processes that have ended. */
function cpuSeconds(): number {
  if (!existsSync(OWN_TIMES)) return process.cpuUsage().user / 1e6 + process.cpuUsage().system / 1e6;
  const text = readFileSync(OWN_TIMES, "utf8");
  // The fields follow the name of the program, which may contain blanks: utime, stime, cutime and cstime are the 12th to 15th behind it.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / TICKS_PER_SECOND;
}

const worker = globalThis as { cpuSecondsAtLastFile?: number };

// oxlint-disable-next-line no-empty-pattern -- vitest takes nothing else for a context of which nothing is used
afterAll(({}, { file }) => {
  const now = cpuSeconds();
  file.meta.cpuSeconds = now - (worker.cpuSecondsAtLastFile ?? 0);
  worker.cpuSecondsAtLastFile = now;
});
