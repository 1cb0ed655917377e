// Appends to a file in place: the bytes that are there are neither copied nor rewritten, whatever the size of the file, and lines that
// another program appends at the same time stay. A file with several names is replaced instead, so that its other names keep their content,
// and so is one that may be replaced but not opened for writing.
import { closeSync, fchmodSync, fstatSync, fsync, ftruncateSync, write, type BigIntStats } from "node:fs";
import { promisify } from "node:util";
import { clip, systemErrorCode } from "@oarlock/domain-kit";
import type { Entry, FileHandle } from "../access/sandbox.ts";
import { AttributeTakeover } from "../attributes/attribute-takeover.ts";
import { DiskError, fromSystem } from "../errors.ts";
import { readNow } from "../read/byte-reader.ts";
import { etagOfContent, etagOfFacts, HASHED_BYTES } from "../read/etag.ts";
import { copyContent } from "../transfer/file-copy.ts";
import { replace } from "./atomic-replace.ts";
import { writeAt } from "./file-bytes.ts";
import type { DiskCalls } from "./disk-calls.ts";
import type { Lock } from "./name-lock.ts";

const writeOnce = promisify(write);
const sync = promisify(fsync);
const SET_ID_BITS = 0o6000;

export interface Append {
  readonly entry: Entry;
  readonly lock: Lock;
  /** The file as it was checked. */
  readonly file: FileHandle;
  readonly bytes: Buffer;
  /** Throw when the file has changed since it was checked. */
  readonly mustBeUnchanged: boolean;
  readonly calls?: DiskCalls;
  readonly signal: AbortSignal | undefined;
}

export interface Appended {
  /** Of the longer file. */
  readonly etag: string;
  /** What a replaced file has not got from the old one: a sentence. */
  readonly loss?: string | undefined;
}

export async function appendBytes(append: Append): Promise<Appended> {
  const fd = append.file.stat.nlink === 1n ? openInPlace(append.file) : undefined;
  if (fd === undefined) return await replaceByLonger(append);
  try {
    await appendInPlace(fd, append);
    return { etag: etagOfFile(append.file, fd) };
  } catch (error) {
    throw fromSystem(error, append.entry.name);
  } finally {
    closeSync(fd);
  }
}

/** Undefined where the file may not be opened for writing, for example because of its mode. */
function openInPlace(file: FileHandle): number | undefined {
  try {
    return file.openToAppend();
  } catch (error) {
    if (["EACCES", "EPERM", "ETXTBSY"].includes(systemErrorCode(error) ?? "")) return undefined;
    throw fromSystem(error, file.path);
  }
}

async function appendInPlace(fd: number, { entry, file, bytes, mustBeUnchanged, signal }: Append): Promise<void> {
  signal?.throwIfAborted();
  const before = fstatSync(fd, { bigint: true });
  if (mustBeUnchanged && !isUnchanged(file.stat, before)) {
    throw new DiskError("conflict", `File changed: another program wrote it in the meantime. Read it again: ${clip(entry.name)}`);
  }
  let written = 0;
  try {
    while (written < bytes.length) written += (await writeOnce(fd, bytes, written, bytes.length - written, null)).bytesWritten;
    await sync(fd);
  } catch (error) {
    // A part of the text must not stay, but what another program has appended must.
    if (fstatSync(fd, { bigint: true }).size === before.size + BigInt(written)) ftruncateSync(fd, Number(before.size));
    throw error;
  }
  if ((Number(before.mode) & SET_ID_BITS) !== 0) fchmodSync(fd, Number(before.mode) & 0o777);
}

const isUnchanged = (one: BigIntStats, other: BigIntStats): boolean => one.size === other.size && one.ctimeNs === other.ctimeNs;

export function etagOfFile(file: FileHandle, fd: number): string {
  const stat = fstatSync(fd, { bigint: true });
  return stat.size <= HASHED_BYTES ? etagOfContent(readNow(file.fd, 0, Number(stat.size))) : etagOfFacts(stat);
}

async function replaceByLonger({ entry, lock, file, bytes, calls, signal }: Append): Promise<Appended> {
  const { stat } = file;
  const size = Number(stat.size);
  let etag: string | undefined;
  const fill = async (fd: number): Promise<number> => {
    await copyContent(file, fd, { signal, copied: () => undefined });
    await writeAt(fd, bytes, size);
    if (size + bytes.length <= HASHED_BYTES) etag = etagOfContent(Buffer.concat([readNow(file.fd, 0, size), bytes]));
    // Windows replaces no file that is open, not even by the process that has it open.
    file[Symbol.dispose]();
    return size + bytes.length;
  };
  const attributes = new AttributeTakeover(entry, stat);
  const how = { old: stat, attributes, mustBeOld: true, calls, signal };
  const facts = await replace(entry, lock, fill, how, (fd) => etagOfFacts(fstatSync(fd, { bigint: true })));
  return { etag: etag ?? facts, loss: attributes.loss };
}
