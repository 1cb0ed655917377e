/**
 * A process that runs the built echo server, feeds it chunks as stdin does, and counts the allocations of each message:
 * `node count-path.ts BUNDLE`.
 */
import { createHook } from "node:async_hooks";
import { once } from "node:events";
import { pathToFileURL } from "node:url";
import { CONVERSATIONS, HANDSHAKE, textOf, type Conversation } from "./conversations.ts";

export interface Report {
  rounds: number;
  counted: Record<string, Counted>;
  /** One allocation of each kind, to prove that they are counted. */
  control: Record<string, number>;
}

export interface Counted {
  /** Promises, timers, ticks …, by the names that Node gives them, and AbortControllers, in all rounds together. */
  allocations: Record<string, number>;
  /** Bytes on the heap for each message. */
  bytes: number;
  /** Bytes for each message that are still there after a collection of what is young. */
  outlive: number;
}

const ROUNDS = 2000;
/** Messages for what outlives a collection: so many that what V8 keeps for itself does not count. */
const MESSAGES = 8000;
const WARM = 4000;
const SAMPLES = 21;
const ROUNDS_A_SAMPLE = 100;

let controllers = 0;
const { AbortController: Real } = globalThis;
globalThis.AbortController = class extends Real {
  constructor() {
    super();
    controllers++;
  }
};

let written = "";
process.stdout.write = (text: string | Uint8Array): boolean => {
  written = String(text);
  return true;
};

// The import settles when stdin ends, so it is not awaited.
void import(pathToFileURL(process.argv[2] ?? "").href);
while (process.stdin.listenerCount("data") === 0) await new Promise((resolve) => setImmediate(resolve));

/** Allocates one of each kind that a message must not allocate, to prove that they are counted. */
function allOfThem(): void {
  void Promise.resolve().then();
  clearTimeout(setTimeout(() => undefined, 1000));
  clearImmediate(setImmediate(() => undefined));
  queueMicrotask(() => undefined);
  new AbortController().signal.throwIfAborted();
}

/** One chunk, and all that follows from it in the same turn. */
const feed = (chunk: Buffer): boolean => process.stdin.emit("data", chunk);

for (const message of HANDSHAKE) feed(Buffer.from(`${JSON.stringify(message)}\n`));
await new Promise((resolve) => setImmediate(resolve));

/** How much a message of `work` leaves on the heap: the median of some samples, as V8 may collect garbage during a few of them. */
function bytesOf(work: () => void, times: number): number {
  for (let round = 0; round < WARM; round++) work();
  globalThis.gc?.();
  const samples = Array.from({ length: SAMPLES }, () => {
    const before = process.memoryUsage().heapUsed;
    for (let round = 0; round < ROUNDS_A_SAMPLE; round++) work();
    return (process.memoryUsage().heapUsed - before) / ROUNDS_A_SAMPLE / times;
  });
  return Math.round(samples.toSorted((a, b) => a - b)[Math.floor(SAMPLES / 2)] ?? NaN);
}

/**
 * How much of the work outlives a collection, which is what lets a heap grow: the least of some rounds, as V8 keeps things of its
 * own now and then. Each message has an id of its own.
 */
function outlivesBy(message: object, times: number): number {
  let id = 1_000_000;
  const chunk = (): Buffer => Buffer.from(Array.from({ length: times }, () => `${JSON.stringify({ ...message, id: id++ })}\n`).join(""));
  const kept = (): number => {
    const before = heapBytes();
    for (let message = 0; message < MESSAGES; message += times) feed(chunk());
    return (heapBytes() - before) / MESSAGES;
  };
  return Math.min(...Array.from({ length: 4 }, kept));
}

function heapBytes(): number {
  globalThis.gc?.({ type: "minor" });
  return process.memoryUsage().heapUsed;
}

function allocationsOf(work: () => void): Record<string, number> {
  const allocations: Record<string, number> = {};
  const hook = createHook({ init: (_id, type) => void (allocations[type] = (allocations[type] ?? 0) + 1) });
  const before = controllers;
  hook.enable();
  for (let round = 0; round < ROUNDS; round++) work();
  hook.disable();
  if (controllers > before) allocations["AbortController"] = controllers - before;
  return allocations;
}

function count({ message, times, answer }: Conversation): Counted {
  const line = JSON.stringify(message);
  const chunk = Buffer.from(`${line}\n`.repeat(times));
  const expected = textOf(answer);
  feed(chunk);
  if (!written.includes(expected)) throw new Error(`${line} was answered with ${written.slice(0, 500)}`);
  return {
    allocations: allocationsOf(() => feed(chunk)),
    bytes: bytesOf(() => feed(chunk), times),
    outlive: outlivesBy(message, times),
  };
}

const counted: Record<string, Counted> = Object.fromEntries(Object.entries(CONVERSATIONS).map(([name, one]) => [name, count(one)]));
process.send?.({ rounds: ROUNDS, counted, control: allocationsOf(allOfThem) });
await once(process, "disconnect");
process.exit(0);
