// The text writer: replaces a file, adds to its end, or creates it.
import { isAscii } from "node:buffer";
import type { BigIntStats } from "node:fs";
import { clip } from "@oarlock/domain-kit";
import type { Sandbox, Entry } from "../access/sandbox.ts";
import { AttributeTakeover } from "../attributes/attribute-takeover.ts";
import { DiskError } from "../errors.ts";
import { etagOf } from "../read/etag.ts";
import { withLock, type Lock } from "./name-lock.ts";
import { withParents } from "./directory-maker.ts";
import { readNow } from "../read/byte-reader.ts";
import { appendedText } from "./appended-text.ts";
import { replace } from "./atomic-replace.ts";
import { bytesFill } from "./file-bytes.ts";
import { lookAt } from "../access/entry-stat.ts";
import { mustBeFile, openTarget, writeTarget } from "./write-target.ts";
import { withTrash, type TrashWriter } from "../trash/trash-writer.ts";
import { bytesOfBase64 } from "../text/base64.ts";
import { lineEndingOf, type LineEnding } from "../text/lines.ts";
import {
  decode,
  encode,
  encodingNamed,
  formByContent,
  formByMark,
  isBinary,
  markOf,
  unitOf,
  type Encoding,
  type TextForm,
} from "../text/encoding.ts";
import { withoutDividedCharacter } from "../text/utf8-damage.ts";
import { etagIfSame } from "./same-content.ts";
import { mustHaveEtag } from "./expected-etag.ts";
import { appendBytes, etagOfFile } from "./file-append.ts";

export interface WriteOptions {
  readonly mode?: "overwrite" | "append" | "create" | undefined;
  readonly createDirectories?: boolean | undefined;
  /** Write only if the file still has this etag. */
  readonly expectedEtag?: string | undefined;
  /** The name of an encoding, or `base64` for content that is not text. For append, the encoding of the file takes precedence. */
  readonly encoding?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Keeps a file that is overwritten. */
  readonly trash?: TrashWriter | undefined;
}

export interface Written {
  /** The real path of the written file. */
  readonly path: string;
  readonly bytesWritten: number;
  readonly created: boolean;
  /** The file had this content already, or there was nothing to append: it was not written. */
  readonly unchanged?: true;
  readonly etag: string;
  /** What the caller may not expect: sentences. */
  readonly notes?: readonly string[];
  /** Brings back the overwritten file. */
  readonly undo?: string | undefined;
  /** What the new file has not got from the old one: a sentence. */
  readonly loss?: string | undefined;
}

const START_BYTES = 64 * 1024;

/** What is written: bytes, or text with the encoding that the caller names. */
type Content = Buffer | { readonly text: string; readonly encoding: Encoding | undefined };

export async function writeText(sandbox: Sandbox, path: string, given: string, options: WriteOptions = {}): Promise<Written> {
  const content = await contentOf(given, options.encoding);
  const put = async () => {
    using entry = writeTarget(sandbox, path);
    return await withLock(entry, (lock) => write(sandbox, path, entry, lock, content, options), options.signal);
  };
  return options.createDirectories === true ? withParents(sandbox, path, put) : put();
}

async function contentOf(given: string, encoding: string | undefined): Promise<Content> {
  if (encoding?.toLowerCase() === "base64") return bytesOfBase64(given);
  return { text: given, encoding: encoding === undefined ? undefined : await encodingNamed(encoding) };
}

async function write(sandbox: Sandbox, path: string, entry: Entry, lock: Lock, content: Content, options: WriteOptions): Promise<Written> {
  const { signal, mode, expectedEtag } = options;
  const old = lookAt(entry);
  mustBeFile(entry, old, path);
  if (mode === "create" && old !== undefined) {
    throw new DiskError("exists", `File already exists. Use mode overwrite to replace it: ${clip(path)}`);
  }
  if (expectedEtag !== undefined) mustHaveEtag(expectedEtag, sandbox, entry, old, path);
  // An empty file gets the byte order mark that its encoding needs.
  if (mode === "append" && old !== undefined && old.size > 0n) return await append(sandbox, entry, lock, old, content, options);
  const before = Buffer.isBuffer(content) ? undefined : old && oldForm(sandbox, entry);
  const bytes = Buffer.isBuffer(content) ? content : encodeWhole(content.text, content.encoding, before);
  const sameEtag = old && (await etagIfSame(sandbox, entry, old, bytes, signal));
  if (sameEtag !== undefined) return { path: entry.path, bytesWritten: 0, created: false, unchanged: true, etag: sameEtag };
  const attributes = old && new AttributeTakeover(entry, old);
  const how = {
    attributes,
    mustBeNew: old === undefined && (mode === "create" || mode === "append"),
    mustBeOld: old !== undefined && (expectedEtag !== undefined || mode === "append"),
    mayWriteInPlace: true,
    signal,
  };
  const put = (now: BigIntStats | undefined) =>
    replace(entry, lock, bytesFill(bytes, signal), { ...how, old: now }, (fd) => etagOf(bytes, fd));
  const { result: etag, undo } = await withTrash(options.trash, entry, old, put);
  const notes = before === undefined ? [] : replacementNotes(before, content, bytes);
  return { path: entry.path, bytesWritten: bytes.length, created: old === undefined, etag, notes, undo, loss: attributes?.loss };
}

async function append(
  sandbox: Sandbox,
  entry: Entry,
  lock: Lock,
  old: BigIntStats,
  content: Content,
  options: WriteOptions,
): Promise<Written> {
  const { signal, expectedEtag } = options;
  using file = openTarget(sandbox, entry, old, entry.path);
  const { bytes, notes } = Buffer.isBuffer(content)
    ? { bytes: content, notes: [] }
    : await appendedText(file, content.text, content.encoding, signal);
  if (bytes.length === 0) return { path: entry.path, bytesWritten: 0, created: false, unchanged: true, etag: etagOfFile(file, file.fd) };
  const appended = await appendBytes({ entry, lock, file, bytes, mustBeUnchanged: expectedEtag !== undefined, signal });
  return { path: entry.path, bytesWritten: bytes.length, created: false, notes, ...appended };
}

/** UTF-16 without a mark would not be recognised again. Without a named encoding the form of the old file is kept. */
function encodeWhole(text: string, encoding: Encoding | undefined, before: TextForm | undefined): Buffer {
  const form = encoding === undefined ? before : { encoding, bom: unitOf(encoding) === 2 };
  // Without a mark the old encoding was a guess.
  return withMark(text, form !== undefined && (form.bom || encoding !== undefined) ? form : { encoding: "utf-8", bom: false });
}

interface OldForm extends TextForm {
  readonly lineEnding: LineEnding;
}

/** A file without a mark becomes UTF-8. ASCII text is the same in every encoding of single bytes. */
function replacementNotes({ encoding, bom, lineEnding }: OldForm, content: Content, written: Buffer): string[] {
  if (Buffer.isBuffer(content)) return [];
  const isNamed = content.encoding !== undefined;
  const isSame = isNamed || encoding === "utf-8" || (!bom && unitOf(encoding) === 1 && isAscii(written));
  const losesCarriageReturns = lineEnding === "crlf" && lineEndingOf(content.text) === "lf";
  return [
    ...(isSame
      ? []
      : [
          bom
            ? `It stays ${encoding}.`
            : `The file was ${encoding} and is utf-8 now. To keep it, write it again with encoding ${encoding}.`,
        ]),
    ...(losesCarriageReturns ? ["Its lines ended with CRLF, and end with LF now, as in content."] : []),
  ];
}

/** The form of the old file, by its first bytes. Undefined where it cannot be read or is binary: such a file is replaced too. */
function oldForm(sandbox: Sandbox, entry: Entry): OldForm | undefined {
  try {
    using file = sandbox.openEntry(entry);
    const start = readNow(file.fd, 0, Math.min(Number(file.stat.size), START_BYTES));
    const content = start.length < START_BYTES ? start : withoutDividedCharacter(start);
    const form = formByMark(start) ?? (isBinary(content) ? undefined : formByContent(content));
    return form && { ...form, lineEnding: lineEndingOf(decode(content, form.encoding)) };
  } catch (error) {
    if (error instanceof DiskError) return undefined;
    throw error;
  }
}

/** A text that begins with a mark gets no second one. */
function withMark(text: string, form: TextForm): Buffer {
  const bytes = encode(text, form.encoding);
  return text.startsWith("\ufeff") || !form.bom ? bytes : Buffer.concat([markOf(form), bytes]);
}
