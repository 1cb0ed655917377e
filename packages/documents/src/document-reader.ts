// Reads documents in a worker thread of their own, with bounds of time and memory.
import { Worker } from "node:worker_threads";
import type { DocumentText, ReadOptions } from "./document.ts";
import { DocumentError } from "./document-error.ts";
import { DEADLINE_MS, MAX_FILE_BYTES, MAX_GROWTH_BYTES, MAX_HEAP_MB } from "./limits.ts";
import type { WorkerInput, WorkerReply } from "./worker/messages.ts";

const LOOK_MS = 50;

export interface DocumentRequest extends ReadOptions {
  /** The whole file. Its buffer is handed over, so the caller cannot use it afterwards. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds. Default 20,000. */
  readonly deadlineMs?: number | undefined;
}

/**
 * Reads the text of a document, part by part. Nothing is written, opened or fetched.
 * @throws DocumentError for files of other formats, broken and encrypted ones, and those that exceed a bound.
 */
export async function readDocument({ bytes, signal, deadlineMs = DEADLINE_MS, ...options }: DocumentRequest): Promise<DocumentText> {
  signal?.throwIfAborted();
  if (bytes.length > MAX_FILE_BYTES)
    throw new DocumentError("too-large", `Document too large: expected at most ${MAX_FILE_BYTES / 1024 / 1024} MiB.`);
  const input: WorkerInput = { bytes, options };
  const worker = new Worker(workerFile(), {
    workerData: input,
    transferList: [bytes.buffer],
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB, maxYoungGenerationSizeMb: 64, stackSizeMb: 4 },
    env: {},
    execArgv: [],
    // What libraries print must not get into the protocol, which servers speak by their standard output.
    stdout: true,
    stderr: true,
  });
  try {
    const reply = await replyOf(worker, deadlineMs, signal);
    if ("text" in reply) return reply.text;
    throw new DocumentError(reply.code, reply.message);
  } finally {
    await worker.terminate();
  }
}

async function replyOf(worker: Worker, deadlineMs: number, signal: AbortSignal | undefined): Promise<WorkerReply> {
  const { promise, resolve, reject } = Promise.withResolvers<WorkerReply>();
  const onAbort = (): void => reject(signal?.reason);
  signal?.addEventListener("abort", onAbort, { once: true });
  worker.once("message", resolve);
  worker.once("error", (error: Error) => reject("code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY" ? needsMemory() : error));
  worker.once("exit", () => reject(new DocumentError("broken", "Broken document: its reader ended without a result.")));
  const timeout = setTimeout(() => reject(takesLong(deadlineMs)), deadlineMs);
  const before = process.memoryUsage.rss();
  const look = setInterval(() => {
    if (process.memoryUsage.rss() - before > MAX_GROWTH_BYTES) reject(needsMemory());
  }, LOOK_MS);
  try {
    return await promise;
  } finally {
    clearTimeout(timeout);
    clearInterval(look);
    signal?.removeEventListener("abort", onAbort);
  }
}

const needsMemory = (): DocumentError =>
  new DocumentError("too-large", "Document too large: reading it needs more memory than is permitted.");
const takesLong = (ms: number): DocumentError =>
  new DocumentError("too-large", `Document too large: reading it takes longer than ${ms / 1000} s.`);

/** Beside this file, in the sources and in the build. */
function workerFile(): URL {
  const extension = import.meta.url.endsWith(".ts") ? "ts" : "js";
  return new URL(`./worker/document-worker.${extension}`, import.meta.url);
}
