// The text reader: complete files, first lines, last lines, or a range of lines. Small files are read in one piece, large ones in blocks,
// so that memory does not grow with the file.
import { clip, counted } from "@oarlock/domain-kit";
import type { Sandbox, FileHandle } from "../access/sandbox.ts";
import { DiskError } from "../errors.ts";
import { HASHED_BYTES, etagOfContent, etagOfFacts } from "./etag.ts";
import { afterNewline, afterNewlineBefore, countLines, lineEndingOf, withoutNewline, type LineEnding } from "../text/lines.ts";
import { readNow, scratchBuffer, tooLarge } from "./byte-reader.ts";
import { byteRange } from "./byte-range.ts";
import { checkOptions, isByteRange, isPart, type ReadOptions } from "./read-options.ts";
import { withinColumns } from "./column-range.ts";
import { columnStart, seekColumn } from "./column-seeker.ts";
import { gatherHead, gatherTail, seekLine } from "./line-seeker.ts";
import { decode, encodingNamed, formByContent, formByMark, isBinary, markOf, type Encoding, type TextForm } from "../text/encoding.ts";
import { wideEncoding } from "../text/wide-text.ts";
import { damageIn, damageOf, type Damage } from "../text/damage.ts";
import { headWindow, tailWindow, type Window } from "../text/line-window.ts";

export interface TextRead extends TextForm {
  /** The real path. */
  readonly path: string;
  readonly content: string;
  /** Of the part that was read; of a small file, of all of it. */
  readonly lineEnding: LineEnding;
  /** Absent where a large file was read from its end, unless its lines are numbered. */
  readonly startLine?: number;
  readonly endLine?: number;
  /** Absent where the file was not read to its end. */
  readonly totalLines?: number;
  readonly size: number;
  readonly etag: string;
  /** A part of the wanted lines is missing; `nextOffset` is the line to continue with. */
  readonly truncated: boolean;
  /** The next line, where there is one. */
  readonly nextOffset?: number;
  /** The first character of the line `startLine` that is returned, where it is not the first one. */
  readonly startColumn?: number;
  /** Where the only line was cut: its next character. */
  readonly nextColumn?: number;
  /** The only line is longer than maxBytes and was cut. */
  readonly lineCut: boolean;
  /** The first byte of the content and the one after its last, where a part was read by bytes. */
  readonly bytes?: readonly [from: number, to: number];
  /** Where the file, or the part of a large one, is not valid in its encoding. Its line is that of the file. */
  readonly damage?: Damage | undefined;
}

const READ_BYTES = 1_000_000;
const WHOLE_BYTES = 256 * 1024 * 1024;
/** The first lines of a large file are nearly always in these bytes. */
const START_BYTES = 64 * 1024;

/** Options whose encoding has been found by its name. */
type CheckedOptions = ReadOptions & { readonly encoding?: Encoding | undefined };

export async function readText(sandbox: Sandbox, path: string, given: ReadOptions = {}): Promise<TextRead> {
  checkOptions(given);
  const encoding = given.encoding === undefined ? undefined : await encodingNamed(given.encoding);
  // One line has both columns, unless the call names more.
  const options = { ...given, encoding, limit: given.limit ?? (given.endColumn === undefined ? undefined : 1) };
  using file = sandbox.file(path);
  const size = Number(file.stat.size);
  if (isByteRange(options)) return await readBytesOf(file, path, size, options);
  if (size <= HASHED_BYTES) return readSmall(file, path, size, options);
  const large = begin(file, path, size, options);
  return readStart(large) ?? (await readOn(large));
}

function readSmall(file: FileHandle, given: string, size: number, options: CheckedOptions): TextRead {
  // The shared buffer is safe: the result has strings, which are copies.
  const content = readNow(file.fd, 0, size, scratchBuffer(size));
  const marked = formByMark(content, options.encoding);
  const form = marked ?? unmarked(content, given);
  const text = form.bom ? content.subarray(markOf(form).length) : content;
  const whole = decode(text, form.encoding);
  const { lines, lineEnding, longest } = countLines(whole);
  const facts = {
    ...form,
    path: file.path,
    lineEnding,
    totalLines: lines,
    size: content.length,
    etag: etagOfContent(content),
    damage: damageIn(content, whole, form),
  };
  const maxBytes = options.maxBytes ?? READ_BYTES;
  if (!isPart(options) && text.length <= maxBytes && longest <= (options.maxLineBytes ?? maxBytes)) {
    return { ...facts, content: whole, startLine: lines && 1, endLine: lines, truncated: false, lineCut: false };
  }
  if (options.tail !== undefined) {
    const window = tailWindow(text, form.encoding, options.tail, maxBytes, options.maxLineBytes);
    return { ...facts, ...show(text, form.encoding, window, true), startLine: lines && lines - window.lines + 1, endLine: lines };
  }
  const first = options.offset ?? 1;
  if (first > Math.max(lines, 1)) throw pastEnd(first, lines, given);
  let from = 0;
  for (let line = 1; line < first; line += 1) from = afterNewline(text, form.encoding, from);
  const line = text.subarray(from);
  const rest = line.subarray(columnStart(line, form.encoding, first, options.startColumn));
  const window = headWindow(rest, form.encoding, options.head ?? options.limit ?? Infinity, maxBytes, options.maxLineBytes);
  const part = withinColumns(show(rest, form.encoding, window), window, options);
  return { ...facts, ...part, ...range(first, window, first + window.lines <= lines, options) };
}

/** The text of some bytes. A small file is read whole, because its etag and its encoding are those of its content. */
async function readBytesOf(file: FileHandle, given: string, size: number, options: CheckedOptions): Promise<TextRead> {
  const whole = size <= HASHED_BYTES ? readNow(file.fd, 0, size) : undefined;
  const start = whole ?? readNow(file.fd, 0, START_BYTES);
  const marked = formByMark(start, options.encoding) ?? (whole === undefined ? formOfWide(start) : unmarked(whole, given));
  const encoding = marked?.encoding ?? "utf-8";
  const from = marked === undefined ? 0 : markOf(marked).length;
  const reach = { fd: file.fd, encoding, from, size, signal: options.asker?.signal };
  const { part, ...range } = await byteRange(reach, given, options, options.maxBytes ?? READ_BYTES);
  const form = marked ?? unmarked(part, given, start);
  const content = decode(part, form.encoding);
  const etag = whole === undefined ? etagOfFacts(file.stat) : etagOfContent(whole);
  const damage = damageFrom(undefined, damageOf(part, content, form.encoding));
  return { ...form, path: file.path, lineEnding: lineEndingOf(content), size, etag, damage, content, lineCut: false, ...range };
}

/** A large file with its first bytes. */
interface Large {
  readonly file: FileHandle;
  readonly given: string;
  readonly size: number;
  readonly start: Buffer;
  readonly marked: TextForm | undefined;
  /** Without a mark UTF-8, which is good enough for finding newlines. */
  readonly encoding: Encoding;
  /** The position behind the byte order mark. */
  readonly from: number;
  /** The number of wanted lines, from the first one or from an offset on. */
  readonly count: number;
  readonly maxBytes: number;
  readonly options: CheckedOptions;
}

function begin(file: FileHandle, given: string, size: number, options: CheckedOptions): Large {
  if (!isPart(options) && size > (options.maxWholeBytes ?? WHOLE_BYTES)) {
    throw tooLarge(given, size, options.maxWholeBytes ?? WHOLE_BYTES, "; read a part of it with head, tail, or offset and limit");
  }
  const start = readNow(file.fd, 0, START_BYTES);
  const marked = formByMark(start, options.encoding) ?? formOfWide(start);
  const from = marked === undefined ? 0 : markOf(marked).length;
  const { head, limit = Infinity, maxBytes = READ_BYTES } = options;
  return { file, given, size, start, marked, encoding: marked?.encoding ?? "utf-8", from, count: head ?? limit, maxBytes, options };
}

/** The first lines, where the first bytes have all of them. */
function readStart(large: Large): TextRead | undefined {
  const { start, from, encoding, count, maxBytes, options } = large;
  if (count === Infinity || options.tail !== undefined || (options.offset ?? 1) !== 1 || options.startColumn !== undefined)
    return undefined;
  const bytes = start.subarray(from);
  const window = headWindow(bytes, encoding, count, maxBytes, options.maxLineBytes);
  const isAll = window.lines === count && !window.cut && afterNewlineBefore(bytes, encoding, window.to) === window.to;
  return isAll ? shownFrom(large, bytes, window, { at: from, line: 1 }) : undefined;
}

async function readOn(large: Large): Promise<TextRead> {
  const { file, given, size, encoding, from, count, maxBytes, options } = large;
  const reach = { fd: file.fd, encoding, from, size, signal: options.asker?.signal };
  if (options.tail !== undefined) {
    const bytes = await gatherTail(reach, options.tail, maxBytes);
    const window = tailWindow(bytes, encoding, options.tail, maxBytes, options.maxLineBytes);
    const known = factsOf(large, bytes.subarray(window.from, window.to));
    const last = options.numbered === true ? (await seekLine(reach, Infinity)).line : undefined;
    const place = last === undefined ? {} : { startLine: last - window.lines + 1, endLine: last, totalLines: last };
    const damage = damageFrom(place.startLine, known.damage);
    return { ...known, ...show(bytes, known.encoding, window, true), ...place, damage };
  }
  const first = options.offset ?? 1;
  const place = await seekLine(reach, first);
  if (place.line < first) throw pastEnd(first, place.line, given);
  const skipped = options.startColumn === undefined ? 0 : await seekColumn({ ...reach, from: place.at }, first, options.startColumn);
  const at = place.at + skipped;
  const bytes = await gatherHead({ ...reach, from: at }, count, maxBytes);
  return shownFrom(large, bytes, headWindow(bytes, encoding, count, maxBytes, options.maxLineBytes), { at, line: place.line });
}

/** The window at the start of `bytes`, which begin at a position of the file. */
function shownFrom(large: Large, bytes: Buffer, window: Window, { at, line }: { at: number; line: number }): TextRead {
  const known = factsOf(large, bytes.subarray(0, window.to));
  const more = window.cut || at + window.to < large.size;
  const total = more ? {} : { totalLines: line + window.lines - 1 };
  const damage = damageFrom(line, known.damage);
  const part = withinColumns(show(bytes, known.encoding, window), window, large.options);
  return { ...known, ...total, damage, ...part, ...range(line, window, more, large.options) };
}

/** The damage in a part of a file that begins with this line. */
const damageFrom = (startLine: number | undefined, damage: Damage | undefined): Damage | undefined =>
  damage && (startLine === undefined || damage.line === undefined ? {} : { line: damage.line + startLine - 1 });

/** Without a mark the shown part decides the encoding: reading a large file in full would cost too much. */
function factsOf({ file, given, size, start, marked }: Large, bytes: Buffer) {
  const form = marked ?? unmarked(bytes, given, start);
  const text = decode(bytes, form.encoding);
  const lineEnding = lineEndingOf(text);
  return { ...form, path: file.path, lineEnding, size, etag: etagOfFacts(file.stat), damage: damageOf(bytes, text, form.encoding) };
}

/** The form of text without a mark; `start`: the first bytes of the same file. Throws for binary content. */
function unmarked(bytes: Buffer, given: string, start?: Buffer): TextForm {
  if (isBinary(bytes)) throw binary(given);
  return formByContent(bytes, start);
}

function formOfWide(start: Buffer): TextForm | undefined {
  const encoding = wideEncoding(start);
  return encoding && { encoding, bom: false };
}

/** As in the reference server, the newline after the last line is left out, unless it is the end of the file. */
function show(bytes: Buffer, encoding: Encoding, window: Window, toTheEnd = false) {
  const to = window.cut || toTheEnd ? window.to : withoutNewline(bytes, encoding, window.to);
  return {
    content: decode(bytes.subarray(window.from, Math.max(to, window.from)), encoding),
    truncated: window.truncated,
    lineCut: window.cut,
  };
}

function range(first: number, window: Window, more: boolean, options: ReadOptions) {
  const endLine = first + window.lines - 1;
  const lines = window.lines === 0 ? { startLine: 0, endLine: 0 } : { startLine: first, endLine };
  // A call for the first lines has all of them; other calls can continue.
  const goesOn = more && (window.truncated || options.head === undefined);
  return goesOn ? { ...lines, nextOffset: endLine + 1 } : lines;
}

function pastEnd(first: number, lines: number, given: string): DiskError {
  return new DiskError("invalid", `offset ${first} is past the end: the file has ${counted(lines, "line")}: ${clip(given)}`);
}

function binary(given: string): DiskError {
  return new DiskError(
    "invalid",
    `This looks like a binary file. Read it with read_media_file, or name an encoding such as latin1: ${clip(given)}`,
  );
}
