// The text writer: replaces a file, adds to its end, or creates it.
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
  /** Write only if the file still has this etag. */
  readonly expectedEtag?: string | undefined;
  /** For append, the encoding of the file takes precedence. */
  readonly encoding?: Encoding | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface Written {
  /** The real path of the written file. */
  readonly path: string;
  readonly bytesWritten: number;
  readonly created: boolean;
  readonly etag: string;
}

/** The largest file that can be appended to, because appending copies it. */
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
    throw new DiskError("exists", `File already exists. Use mode overwrite to replace it: ${clip(path)}`);
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
  /** The number of new bytes. */
  readonly count: number;
}

/** The new content of a replaced file. Without a given encoding it keeps the byte order mark of the old file. */
async function replaced(area: Area, entry: Entry, old: BigIntStats | undefined, content: string, options: WriteOptions): Promise<Added> {
  const form =
    options.encoding === undefined ? old && oldForm(area, entry) : { encoding: options.encoding, bom: unitOf(options.encoding) === 2 };
  const bytes = withMark(content, form ?? { encoding: "utf-8", bom: false });
  return { bytes, count: bytes.length };
}

/** The form of the old file by its byte order mark. Undefined where it has none or cannot be read: such a file is replaced too. */
function oldForm(area: Area, entry: Entry): TextForm | undefined {
  try {
    using file = area.file(entry.path);
    return formByMark(readNow(file.fd, 0, MARK_BYTES));
  } catch (error) {
    if (error instanceof DiskError) return undefined;
    throw error;
  }
}

// UTF-16 without a mark would not be recognised again. A text that begins with a mark gets no second one.
function withMark(content: string, form: TextForm): Buffer {
  const bytes = encode(content, form.encoding);
  return content.startsWith("\ufeff") || !form.bom ? bytes : Buffer.concat([markOf(form), bytes]);
}

async function extended(area: Area, entry: Entry, old: BigIntStats | undefined, content: string, options: WriteOptions): Promise<Added> {
  // An empty file gets the byte order mark that its encoding needs.
  if (old === undefined || old.size === 0n) return replaced(area, entry, old, content, options);
  using file = openTarget(area, entry, old, entry.path);
  const before = await readWhole(file, entry.path, APPEND_BYTES, options.signal);
  const form = formByMark(before) ?? formToAddTo(before, options.encoding);
  // Added units would be misaligned and be read as other characters.
  if (isUtf32(before) || before.length % unitOf(form.encoding) !== 0) {
    const what = isUtf32(before) ? "is marked as UTF-32, which is not written here" : `is not clean ${form.encoding} text`;
    throw new DiskError("invalid", `Cannot append: the file ${what}: ${clip(entry.path)}`);
  }
  const added = encode(content, form.encoding);
  return { bytes: Buffer.concat([before, added]), count: added.length };
}

/** The form of text without a mark: what the caller names, where it is possible. Two encodings in one file would damage its content. */
function formToAddTo(before: Buffer, wanted: Encoding | undefined): TextForm {
  const own = formByContent(before);
  if (wanted === undefined) return own;
  const isWide = unitOf(wanted) === 2;
  const fits = isWide
    ? before.includes(0)
    : wanted === own.encoding || (wanted !== "utf-8" && (own.encoding === "latin1" || isAscii(before)));
  return fits ? { encoding: wanted, bom: false } : own;
}
