// The sample server in a process of its own, over its pipes: for what a process does, such as signals, stderr and memory.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import { startRaw, type RawProcess } from "../../../testing/src/process/raw-process.ts";
import type { Json } from "../../src/protocol.ts";
import type { SampleOptions } from "../fixtures/sample-server.ts";

type ProcessOptions = SampleOptions & { graceMs?: number };

/** On the sources, or with OARLOCK_BUILT=1 on the build, which starts three times as fast. */
const SAMPLE = [
  ...(process.env["OARLOCK_BUILT"] === "1" ? [] : ["--conditions=oarlock-source"]),
  fileURLToPath(new URL("../fixtures/sample.ts", import.meta.url)),
];

export const sampleProcess = (options: ProcessOptions = {}, nodeOptions?: string): RawProcess =>
  startRaw({ command: process.execPath, args: [...SAMPLE, JSON.stringify(options)], env: { NODE_OPTIONS: nodeOptions } });

/** The process after its handshake. */
export async function readyProcess(options: ProcessOptions = {}, revision?: string, capabilities?: Json): Promise<RawProcess> {
  const server = sampleProcess(options);
  await server.handshake(revision, capabilities);
  return server;
}

/** Whether a process is there. */
export function lives(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Resolves when a process has used no processor time for a while: it waits for something. Linux only. */
export async function idle(server: RawProcess): Promise<void> {
  const ticks = (): string => readFileSync(`/proc/${server.pid}/stat`, "utf8").split(" ").slice(13, 15).join(" ");
  let before = "";
  let same = 0;
  await expect
    .poll(() => (same = ticks() === before ? same + 1 : ((before = ticks()), 0)), { interval: 40, timeout: 20_000 })
    .toBeGreaterThan(5);
}

/** The process that the tool `child` has started, once it reports it. */
export async function childOf(server: RawProcess): Promise<number> {
  await expect.poll(() => server.stderr).toMatch(/child \d+/);
  return Number(/child (\d+)/.exec(server.stderr)?.[1]);
}
