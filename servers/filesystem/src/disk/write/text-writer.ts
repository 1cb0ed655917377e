// Writing a text file: replace it, add to its end, or create it.
import { isAscii } from "node:buffer";
import type { BigIntStats } from "node:fs";
import { clip } from "@oarlock/domain-kit";
import type { Area, Entry } from "../access/area.ts";
import { DiskError } from "../errors.ts";
import { etagOf } from "../read/etag.ts";
import { withLock, type Lock } from "./name-lock.ts";
import { withParents } from "./directory-maker.ts";
import { readNow, readWhole } from "../read/byte-reader.ts";
import { bytesFill, replace } from "./atomic-replace.ts";
import { lookAt } from "../access/entry-stat.ts";
import { mustBeFile, openTarget, writeTarget } from "./write-target.ts";
import { encode, formByContent, formByMark, isUtf32, markOf, unitOf, type Encoding, type TextForm } from "../text/encoding.ts";
import { mustHaveEtag } from "./expected-etag.ts";

export interface WriteOptions {
  readonly mode?: "overwrite" | "append" | "create" | undefined;
  readonly createDirectories?: boolean | undefined;
  /** Write only if the file is still as it was when this etag was given. */
  readonly expectedEtag?: string | undefined;
  /** For append, the encoding of the file goes first. */
  readonly encoding?: Encoding | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface Written {
  /** The real path of the file that was written. */
  readonly path: string;
  readonly bytesWritten: number;
  readonly created: boolean;
  readonly etag: string;
}

/** The largest file that can be added to, since that means to copy it. */
const APPEND_BYTES = 64 * 1024 * 1024;
const MARK_BYTES = 4;

export async function writeText(area: Area, path: string, content: string, options: WriteOptions = {}): Promise<Written> {
  const put = async () => {
    using entry = writeTarget(area, path);
    return await withLock(entry, (lock) => write(area, path, entry, lock, content, options), options.signal);
  };
  return options.createDirectories === true ? withParents(area, path, put) : put();
}

async function write(area: Area, path: string, entry: Entry, lock: Lock, content: string, options: WriteOptions): Promise<Written> {
  const { signal } = options;
  const old = lookAt(entry);
  mustBeFile(entry, old, path);
  if (options.mode === "create" && old !== undefined) {
    throw new DiskError("exists", `The file exists already; use mode overwrite to replace it: ${clip(path)}`);
  }
  if (options.expectedEtag !== undefined) mustHaveEtag(options.expectedEtag, area, entry, old, path);
  const added = await (options.mode === "append" ? extended : replaced)(area, entry, old, content, options);
  const how = {
    old,
    mustBeNew: old === undefined && options.mode === "create",
    mustBeOld: old !== undefined && (options.expectedEtag !== undefined || options.mode === "append"),
    signal,
  };
  const etag = await replace(entry, lock, bytesFill(added.bytes, signal), how, (fd) => etagOf(added.bytes, fd));
  return { path: entry.path, bytesWritten: added.count, created: old === undefined, etag };
}

interface Added {
  readonly bytes: Buffer;
  /** Bytes that are new. */
  readonly count: number;
}

/** The new content of a file that is replaced: unless told otherwise, marked as the old one was. */
async function replaced(area: Area, entry: Entry, old: BigIntStats | undefined, content: string, options: WriteOptions): Promise<Added> {
  const form =
    options.encoding === undefined ? old && oldForm(area, entry) : { encoding: options.encoding, bom: unitOf(options.encoding) === 2 };
  const bytes = withMark(content, form ?? { encoding: "utf-8", bom: false });
  return { bytes, count: bytes.length };
}

/** What the mark of the file that is there now says; undefined where it has none, or cannot be read: it may be replaced all the same. */
function oldForm(area: Area, entry: Entry): TextForm | undefined {
  try {
    using file = area.file(entry.path);
    return formByMark(readNow(file.fd, 0, MARK_BYTES));
  } catch (error) {
    if (error instanceof DiskError) return undefined;
    throw error;
  }
}

// Without its mark, UTF-16 would not be recognised again; a text that brings one along gets no second.
function withMark(content: string, form: TextForm): Buffer {
  const bytes = encode(content, form.encoding);
  return content.startsWith("\ufeff") || !form.bom ? bytes : Buffer.concat([markOf(form), bytes]);
}

async function extended(area: Area, entry: Entry, old: BigIntStats | undefined, content: string, options: WriteOptions): Promise<Added> {
  // Nothing is there to add to: an empty file gets the mark that its encoding needs.
  if (old === undefined || old.size === 0n) return replaced(area, entry, old, content, options);
  using file = openTarget(area, entry, old, entry.path);
  const before = await readWhole(file, entry.path, APPEND_BYTES, options.signal);
  const form = formByMark(before) ?? formToAddTo(before, options.encoding);
  // What is added would not stand on its unit, and be read as something else.
  if (isUtf32(before) || before.length % unitOf(form.encoding) !== 0) {
    const what = isUtf32(before) ? "is marked as UTF-32, which is not written here" : `is not clean ${form.encoding} text`;
    throw new DiskError("invalid", `The file ${what}; nothing can be added to it: ${clip(entry.path)}`);
  }
  const added = encode(content, form.encoding);
  return { bytes: Buffer.concat([before, added]), count: added.length };
}

/** Of text without a mark, what the caller says, where it can be so: two encodings in one file would spoil what is there. */
function formToAddTo(before: Buffer, wanted: Encoding | undefined): TextForm {
  const own = formByContent(before);
  if (wanted === undefined) return own;
  const isWide = unitOf(wanted) === 2;
  const fits = isWide
    ? before.includes(0)
    : wanted === own.encoding || (wanted !== "utf-8" && (own.encoding === "latin1" || isAscii(before)));
  return fits ? { encoding: wanted, bom: false } : own;
}
