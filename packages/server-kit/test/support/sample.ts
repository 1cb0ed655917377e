// The sample server in this process for raw talk, and judgement of what it says. sample-process.ts has it in a process of its own.
import { expect } from "vitest";
import { NEWEST_HANDSHAKE, REVISIONS, type Json } from "../../src/protocol.ts";
import { sampleServer, type SampleOptions } from "../fixtures/sample-server.ts";
import { LineServer, type LinePeer } from "./line-server.ts";

/** Revisions with a handshake, newest first. */
export const STATEFUL: readonly string[] = REVISIONS.slice(REVISIONS.indexOf(NEWEST_HANDSHAKE));

export const rawSample = (options: SampleOptions = {}): LineServer => new LineServer((say) => sampleServer(options, say));

/** The sample server after its handshake. */
export async function readySample(options: SampleOptions = {}, revision?: string, capabilities?: Json): Promise<LineServer> {
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
export async function answersTo(server: LinePeer, lines: readonly (string | Uint8Array | Json)[]): Promise<Json[]> {
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
export async function stillServes(server: LinePeer): Promise<void> {
  void server.send(call("still", "echo", { message: "still here" }));
  expect(await server.message()).toEqual(words("still", "still here"));
  expect(server.unread).toEqual([]);
}

/** For what must come true soon; on a busy machine soon takes a while. */
export const eventually = (read: () => unknown): ReturnType<typeof expect.poll> => expect.poll(read, { timeout: 60_000, interval: 20 });
