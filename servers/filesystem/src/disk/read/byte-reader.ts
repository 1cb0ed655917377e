// Reads bytes of open files by position, never beyond the size that the file had when it was opened.
import { read, readSync } from "node:fs";
import { clip } from "@oarlock/domain-kit";
import type { Sandbox, FileHandle } from "../access/sandbox.ts";
import { DiskError, fromSystem } from "../errors.ts";
import { HASHED_BYTES, etagOf } from "./etag.ts";

export const BLOCK_BYTES = 256 * 1024;
const SCRATCH_BYTES = 1024 * 1024;

let scratch: Buffer | undefined;

/** A shared buffer, for bytes that are used before the next read. */
export function scratchBuffer(length: number): Buffer {
  if (length > SCRATCH_BYTES) return Buffer.allocUnsafe(length);
  scratch ??= Buffer.allocUnsafeSlow(SCRATCH_BYTES);
  return scratch.subarray(0, length);
}

/** Reads `length` bytes at `position`, fewer where the file ends. Synchronous, for small files. */
export function readNow(fd: number, position: number, length: number, buffer: Buffer = Buffer.allocUnsafe(length)): Buffer {
  let done = 0;
  while (done < length) {
    const count = readSome(fd, buffer, done, position + done);
    if (count === 0) break;
    done += count;
  }
  return buffer.subarray(0, done);
}

function readSome(fd: number, buffer: Buffer, at: number, position: number): number {
  try {
    return readSync(fd, buffer, at, buffer.length - at, position);
  } catch (error) {
    throw fromSystem(error, "reading a file");
  }
}

/** Fills the buffer from `position` on, off the main thread. Returns the filled part. */
export async function readInto(fd: number, buffer: Buffer, position: number, signal?: AbortSignal): Promise<Buffer> {
  let done = 0;
  while (done < buffer.length) {
    signal?.throwIfAborted();
    const count = await readOnce(fd, buffer.subarray(done, done + BLOCK_BYTES), position + done);
    if (count === 0) break;
    done += count;
  }
  return buffer.subarray(0, done);
}

function readOnce(fd: number, buffer: Buffer, position: number): Promise<number> {
  return new Promise((resolve, reject) => {
    read(fd, buffer, 0, buffer.length, position, (error, count) => (error ? reject(fromSystem(error, "reading a file")) : resolve(count)));
  });
}

/** The content of an open file. Throws above a bound. */
export async function readWhole(file: FileHandle, given: string, maxBytes: number, signal?: AbortSignal): Promise<Buffer> {
  const size = Number(file.stat.size);
  if (size > maxBytes) throw tooLarge(given, size, maxBytes, "");
  return size <= HASHED_BYTES ? readNow(file.fd, 0, size) : readInto(file.fd, Buffer.allocUnsafe(size), 0, signal);
}

export function tooLarge(given: string, size: number, maxBytes: number, advice: string): DiskError {
  return new DiskError(
    "too-large",
    `File too large: it has ${size} bytes, and at most ${maxBytes} are allowed here${advice}: ${clip(given)}`,
  );
}

export interface BytesRead {
  readonly path: string;
  readonly bytes: Buffer;
  readonly size: number;
  readonly etag: string;
  readonly modified: Date;
}

/** Reads a file as bytes, for media and resources. */
export async function readBytes(sandbox: Sandbox, path: string, options: { maxBytes: number; signal?: AbortSignal }): Promise<BytesRead> {
  using file = sandbox.file(path);
  const bytes = await readWhole(file, path, options.maxBytes, options.signal);
  return { path: file.path, bytes, size: bytes.length, etag: etagOf(bytes, file.fd), modified: file.stat.mtime };
}
