// The part of a file that an edit works on: all of it, or a range of lines. The rest of a large file is never held in memory: it is
// copied block by block around the new part.
import { fstatSync } from "node:fs";
import { clip, counted } from "@oarlock/domain-kit";
import type { FileHandle } from "../access/sandbox.ts";
import { DiskError } from "../errors.ts";
import { BLOCK_BYTES, readInto, readNow, readWhole, tooLarge } from "../read/byte-reader.ts";
import { etagOf, etagOfContent, etagOfFacts, HASHED_BYTES } from "../read/etag.ts";
import { gatherHead, seekLine } from "../read/line-seeker.ts";
import { afterNewline } from "../text/lines.ts";
import { formByContent, formByMark, markOf, type Encoding, type TextForm } from "../text/encoding.ts";
import { wideEncoding } from "../text/wide-text.ts";
import { bytesFill, writeAt } from "../write/file-bytes.ts";
import type { Fill } from "../write/replacement.ts";
import type { LineRange } from "./line-range.ts";

/** The most bytes that are edited in one piece. */
const EDIT_BYTES = 32 * 1024 * 1024;
const START_BYTES = 64 * 1024;

export interface EditPart {
  readonly form: TextForm;
  /** Without a byte order mark. */
  readonly body: Buffer;
  /** Lines before the part. */
  readonly linesBefore: number;
  /** Of the file as it is. Computed by the call, because most edits need none. */
  etag(): string;
  /** The new file, with this in place of the part. */
  rewrite(body: Buffer, signal: AbortSignal | undefined): Rewrite;
}

export interface Rewrite {
  readonly fill: Fill;
  /** The whole new content is held. Otherwise the old file is read while the new one is written. */
  readonly isInMemory: boolean;
  /** Of the written file. */
  etag(fd: number): string;
}

export async function wholeFile(
  file: FileHandle,
  path: string,
  encoding: Encoding | undefined,
  signal: AbortSignal | undefined,
): Promise<EditPart> {
  const size = Number(file.stat.size);
  if (size > EDIT_BYTES) throw tooLarge(path, size, EDIT_BYTES, '; pass lines, such as "120-140", to edit only these');
  const before = await readWhole(file, path, EDIT_BYTES, signal);
  const form = formByMark(before, encoding) ?? formByContent(before);
  const mark = markOf(form);
  // Usually there is no mark, and no copy is needed.
  const rewrite: EditPart["rewrite"] = (body, stop) => contentOf(mark.length === 0 ? body : Buffer.concat([mark, body]), stop);
  return { form, body: before.subarray(mark.length), linesBefore: 0, etag: () => etagOf(before, file.fd), rewrite };
}

export async function lineRange(
  file: FileHandle,
  path: string,
  { first, last }: LineRange,
  encoding: Encoding | undefined,
  signal: AbortSignal | undefined,
): Promise<EditPart> {
  const size = Number(file.stat.size);
  const start = readNow(file.fd, 0, Math.min(size, START_BYTES));
  const wide = encoding === undefined ? wideEncoding(start) : undefined;
  const marked = formByMark(start, encoding) ?? (wide && { encoding: wide, bom: false });
  const reach = {
    fd: file.fd,
    encoding: marked?.encoding ?? "utf-8",
    from: marked === undefined ? 0 : markOf(marked).length,
    size,
    signal,
  };
  const place = await seekLine(reach, first);
  if (place.line < first)
    throw new DiskError("invalid", `lines begins past the end: the file has ${counted(place.line, "line")}: ${clip(path)}`);
  const bytes = await gatherHead({ ...reach, from: place.at }, last - first + 1, EDIT_BYTES);
  const body = bytes.subarray(0, endOfLines(bytes, reach.encoding, last - first + 1));
  if (body.length > EDIT_BYTES) throw tooLarge(path, body.length, EDIT_BYTES, "; pass fewer lines");
  const etag = () => (size <= HASHED_BYTES ? etagOfContent(readNow(file.fd, 0, size)) : etagOfFacts(file.stat));
  const form = marked ?? formByContent(body, start);
  return { form, body, linesBefore: first - 1, etag, rewrite: rewriting(file, place.at, place.at + body.length) };
}

function endOfLines(bytes: Buffer, encoding: Encoding, count: number): number {
  let to = 0;
  for (let line = 0; line < count && to < bytes.length; line += 1) {
    const after = afterNewline(bytes, encoding, to);
    to = after === -1 ? bytes.length : after;
  }
  return to;
}

/** `from` to `to` is the part that is replaced. */
function rewriting(file: FileHandle, from: number, to: number): EditPart["rewrite"] {
  const size = Number(file.stat.size);
  return (body, signal) => {
    if (from + body.length + size - to <= HASHED_BYTES)
      return contentOf(Buffer.concat([readNow(file.fd, 0, from), body, readNow(file.fd, to, size - to)]), signal);
    const fill = async (fd: number): Promise<number> => {
      await copyBlocks(file, { from: 0, to: from, fd, position: 0 }, signal);
      for (let at = 0; at < body.length; at += BLOCK_BYTES) {
        signal?.throwIfAborted();
        await writeAt(fd, body.subarray(at, at + BLOCK_BYTES), from + at);
      }
      await copyBlocks(file, { from: to, to: size, fd, position: from + body.length }, signal);
      // Windows replaces no open file.
      file[Symbol.dispose]();
      return from + body.length + size - to;
    };
    return { fill, isInMemory: false, etag: (fd) => etagOfFacts(fstatSync(fd, { bigint: true })) };
  };
}

const contentOf = (content: Buffer, signal: AbortSignal | undefined): Rewrite => ({
  fill: bytesFill(content, signal),
  isInMemory: true,
  etag: (fd) => etagOf(content, fd),
});

interface Copied {
  readonly from: number;
  readonly to: number;
  /** The new file, and where in it. */
  readonly fd: number;
  readonly position: number;
}

async function copyBlocks(file: FileHandle, { from, to, fd, position }: Copied, signal: AbortSignal | undefined): Promise<void> {
  const buffer = Buffer.allocUnsafe(Math.min(BLOCK_BYTES, to - from));
  for (let at = from; at < to; at += buffer.length) {
    const want = Math.min(buffer.length, to - at);
    const block = await readInto(file.fd, buffer.subarray(0, want), at, signal);
    if (block.length < want) throw new DiskError("conflict", "File changed: it became shorter while it was edited. Try again.");
    await writeAt(fd, block, position + at - from);
  }
}
