/**
 * Measures the processor time of each test file, that of its processes included, for the table of costs. Where files share a worker, a file
 * costs what was used since the end of the one before. Processes that are still running at the end of their file are not counted.
 */
import { endedChildrenCpuMs } from "@oarlock-tooling/test-support/process-tree";
import { afterAll } from "vitest";

declare module "vitest" {
  interface TaskMeta {
    /** Processor time of the file, in seconds. */
    cpuSeconds?: number;
  }
}

/** Processor seconds of this process, on Linux with those of the child processes that have ended. */
function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6 + endedChildrenCpuMs(process.pid) / 1000;
}

const worker = globalThis as { cpuSecondsAtLastFile?: number };

// oxlint-disable-next-line no-empty-pattern -- vitest takes nothing else for a context of which nothing is used
afterAll(({}, { file }) => {
  const now = cpuSeconds();
  file.meta.cpuSeconds = now - (worker.cpuSecondsAtLastFile ?? 0);
  worker.cpuSecondsAtLastFile = now;
});
