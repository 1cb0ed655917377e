// Starts the sample server as a child process for raw talk, and judges what it says.
import { readFileSync } from "node:fs";
import { expect } from "vitest";
import { nodeCommand } from "../../../testing/src/process/node-command.ts";
import { startRaw, type RawProcess } from "../../../testing/src/process/raw-process.ts";
import { NEWEST_HANDSHAKE, REVISIONS, type Json } from "../../src/protocol.ts";
import { type SampleOptions } from "../fixtures/sample-server.ts";

export type Options = SampleOptions & { graceMs?: number };

/** Revisions with a handshake, newest first. */
export const STATEFUL: readonly string[] = REVISIONS.slice(REVISIONS.indexOf(NEWEST_HANDSHAKE));

export const rawSample = (options: Options = {}, nodeOptions?: string): RawProcess =>
  startRaw(nodeCommand(new URL("../fixtures/sample.ts", import.meta.url), [JSON.stringify(options)], { NODE_OPTIONS: nodeOptions }));

/** The sample server after its handshake. */
export async function readySample(options: Options = {}, revision?: string, capabilities?: Json): Promise<RawProcess> {
  const server = rawSample(options);
  await server.handshake(revision, capabilities);
  return server;
}

// ── messages ──────────────────────────────────────────────────────────────────────────────────────────────────────

export const request = (id: unknown, method: unknown, params?: unknown): Json => ({
  jsonrpc: "2.0",
  id,
  method,
  ...(params !== undefined && { params }),
});

export const call = (id: string | number, name: string, args: Json = {}, _meta?: Json): Json =>
  request(id, "tools/call", { name, arguments: args, ...(_meta !== undefined && { _meta }) });

export const note = (method: string, params?: Json): Json => ({ jsonrpc: "2.0", method, ...(params !== undefined && { params }) });

export const cancel = (requestId: unknown): Json => note("notifications/cancelled", { requestId, reason: "no longer needed" });

export const result = (id: unknown, value: unknown): Json => ({ jsonrpc: "2.0", id, result: value });

export const words = (id: unknown, text: string): Json => result(id, { content: [{ type: "text", text }] });

/** An error answer with some message. */
export const refusal = (id: unknown, code: number): Json => ({ jsonrpc: "2.0", id, error: { code, message: expect.any(String) } });

// ── judgement ─────────────────────────────────────────────────────────────────────────────────────────────────────

let probes = 0;

/** All that comes back for these lines, up to the answer of a ping that is sent behind them. */
export async function answersTo(server: RawProcess, lines: readonly (string | Uint8Array | Json)[]): Promise<Json[]> {
  const probe = `probe-${++probes}`;
  for (const line of lines) {
    if (line instanceof Uint8Array) void server.write(Buffer.concat([line, Buffer.from("\n")]));
    else void server.send(line);
  }
  const answers: Json[] = [];
  // Two pings one after the other: what is answered in a later turn than its request comes before the second one's answer.
  for (const id of [probe, `${probe}-again`]) {
    void server.send(request(id, "ping"));
    for (let answer = await server.message(); answer.id !== id; answer = await server.message()) answers.push(answer);
  }
  return answers;
}

/** After every case a plain request gets the right answer, and nothing else comes with it. */
export async function stillServes(server: RawProcess): Promise<void> {
  void server.send(call("still", "echo", { message: "still here" }));
  expect(await server.message()).toEqual(words("still", "still here"));
  expect(server.unread).toEqual([]);
}

/** For what must come true soon; on a busy machine soon takes a while. */
export const eventually = (read: () => unknown): ReturnType<typeof expect.poll> => expect.poll(read, { timeout: 20_000, interval: 20 });

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
