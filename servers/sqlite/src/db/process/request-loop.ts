// The life of a database process: reads a request, does it, answers. It blocks where it can, as nothing else waits for it:
// whoever wants it to stop kills it, and SQLite's journal makes that safe.
import { readSync, writeSync } from "node:fs";
import { DbError } from "../errors.ts";
import { AGAIN, ARRAYS, DONE, FAILED, FrameReader, frameOf, HEAD_BYTES, OBJECTS, PROGRESS, READY, ROWS, TEXT } from "../protocol/frames.ts";
import type { Asked, Failed, Queued } from "../protocol/requests.ts";
import type { Place } from "../engine/connection.ts";
import { Engine } from "../engine/engine.ts";
import { explained } from "../engine/error-messages.ts";
import { perform } from "./operation-handlers.ts";
import { codeOf, isDamage, patient, renewPatience } from "../engine/lock-retry.ts";
import type { Sink } from "../engine/query.ts";

const pause = new Int32Array(new SharedArrayBuffer(4));
const STDIN = 0;
const STDOUT = 1;
/** So many bytes are worth a write of their own, so that the server works on them meanwhile. */
const FLUSHED_AT = 48 * 1024;

/** Frames that wait to be written together: each write wakes the other side up. */
const out = Buffer.allocUnsafe(256 * 1024);
let waiting = 0;

const sink = {
  arrays(text: string, table?: string) {
    send(table === undefined ? ARRAYS : ROWS, text);
    if (table !== undefined) send(TEXT, table);
  },
  objects: (text: string) => send(OBJECTS, text),
  again: () => send(AGAIN, ""),
  progress(done: number, total: number) {
    const body = Buffer.allocUnsafe(16);
    body.writeDoubleLE(done, 0);
    body.writeDoubleLE(total, 8);
    flush();
    write(frameOf(PROGRESS, body));
  },
} satisfies Sink & { progress(done: number, total: number): void };

export async function serveDatabase(place: Place): Promise<void> {
  let engine = openedEarly(place);
  write(frameOf(READY, ""));
  const chunk = Buffer.allocUnsafe(64 * 1024);
  const frames = new FrameReader();
  for (;;) {
    const length = received(chunk);
    if (length === 0) break;
    frames.push(Buffer.from(chunk.subarray(0, length)));
    while (frames.next()) {
      const asked = JSON.parse(frames.text) as Asked & Queued; // our own server wrote it
      renewPatience(asked.waitedMs ?? 0);
      try {
        // A new process meets the lock of another program here first.
        engine ??= patient(() => new Engine(place));
        engine.followFile(asked.op === "versions");
        const performed = perform(engine, asked, sink);
        const done = performed instanceof Promise ? await performed : performed;
        // Before anybody knows: who has the answer may write the file over at once.
        engine.settled();
        send(DONE, JSON.stringify(done));
      } catch (error) {
        // What could not be opened anew is opened by the next request, or tells it why not.
        if (engine?.db.open === false) engine = undefined;
        // Whoever asked for a check is not sent to the check.
        const why = asked.op === "check" && isDamage(error) ? BEYOND : explained(error, "sql" in asked ? asked.sql : "", engine?.db);
        send(FAILED, JSON.stringify(failedBy(why)));
      }
    }
  }
  engine?.close();
}

const BEYOND = new DbError("damaged", "The database file is damaged so far that nothing in it can be checked; restore it from a copy");

/** Waits for bytes; 0 is the end. */
function received(chunk: Buffer): number {
  for (;;) {
    try {
      return readSync(STDIN, chunk, 0, chunk.length, null);
    } catch (error) {
      // Where pipes are not files: nothing there yet, or nobody there any more.
      if (codeOf(error) === "EOF") return 0;
      if (codeOf(error) !== "EAGAIN") throw error;
      Atomics.wait(pause, 0, 0, 5);
    }
  }
}

/** So that the first request does not wait. What is in the way is told to that request. */
function openedEarly(place: Place): Engine | undefined {
  try {
    return new Engine(place);
  } catch {
    return undefined;
  }
}

function failedBy(error: unknown): Failed {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof DbError) return { code: error.code, message, expose: true };
  return { code: codeOf(error), message, expose: false };
}

function send(kind: number, text: string): void {
  // A character has three bytes at most.
  if (HEAD_BYTES + text.length * 3 > out.length - waiting) flush();
  if (HEAD_BYTES + text.length * 3 > out.length) return write(frameOf(kind, text));
  const length = out.write(text, waiting + HEAD_BYTES);
  out.writeUInt32LE(length, waiting);
  out[waiting + 4] = kind;
  waiting += HEAD_BYTES + length;
  if (kind === DONE || kind === FAILED || waiting > FLUSHED_AT) flush();
}

function flush(): void {
  if (waiting > 0) write(out.subarray(0, waiting));
  waiting = 0;
}

function write(bytes: Buffer): void {
  for (let sent = 0; sent < bytes.length;) sent += writeSync(STDOUT, bytes, sent);
}
