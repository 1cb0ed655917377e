// Writes frames to the server. Frames of rows are collected, because each write wakes the other side; a large part is written at once, so
// that the server works on it while the statement continues.
import { writeSync } from "node:fs";
import type { ReportProgress } from "../protocol/file-messages.ts";
import type { RowOutput } from "../rows/row-encoder.ts";
import { ARRAYS, ARRAYS_ONLY, ERROR, frameOf, HEADER_BYTES, OBJECTS, PROGRESS, READY, REPLY, RESTART, TEXT } from "../protocol/frames.ts";

const STDOUT = 1;
const FLUSH_BYTES = 48 * 1024;
const MAX_BYTES_PER_UTF16_UNIT = 3;

const buffer = Buffer.allocUnsafe(256 * 1024);
let buffered = 0;

const MUST_NOT_WAIT: ReadonlySet<number> = new Set([REPLY, ERROR, READY]);

export function sendFrame(kind: number, text: string): void {
  const maxBytes = HEADER_BYTES + text.length * MAX_BYTES_PER_UTF16_UNIT;
  if (maxBytes > buffer.length - buffered) flush();
  if (maxBytes > buffer.length) return write(frameOf(kind, text));
  const length = buffer.write(text, buffered + HEADER_BYTES);
  buffer.writeUInt32LE(length, buffered);
  buffer[buffered + 4] = kind;
  buffered += HEADER_BYTES + length;
  if (MUST_NOT_WAIT.has(kind) || buffered > FLUSH_BYTES) flush();
}

function flush(): void {
  if (buffered > 0) write(buffer.subarray(0, buffered));
  buffered = 0;
}

function write(bytes: Buffer): void {
  for (let sent = 0; sent < bytes.length;) sent += writeSync(STDOUT, bytes, sent);
}

/** What a handler sends before its reply. */
export interface ReplyOutput extends RowOutput {
  readonly progress: ReportProgress;
}

export const replyOutput: ReplyOutput = {
  arrays(json, text) {
    sendFrame(text === undefined ? ARRAYS : ARRAYS_ONLY, json);
    if (text !== undefined) sendFrame(TEXT, text);
  },
  objects: (json) => sendFrame(OBJECTS, json),
  restart: () => sendFrame(RESTART, ""),
  progress(done, total) {
    const body = Buffer.allocUnsafe(16);
    body.writeDoubleLE(done, 0);
    body.writeDoubleLE(total, 8);
    flush();
    write(frameOf(PROGRESS, body));
  },
};
