// Searches one open file line by line, synchronously: it runs in the worker of the plain engine.
import { isUtf8 } from "node:buffer";
import { fstatSync, readSync } from "node:fs";
import type { Line, SearchEvent } from "../contents/engine.ts";
import { clipLine, MAX_MATCH_LINES } from "../contents/line-clip.ts";
import { decodeWide, isWide } from "../contents/text-check.ts";
import { isMostlyUtf8, scanUtf8 } from "../../text/utf8-damage.ts";
import { decodeWindows1252 } from "../../text/windows-1252.ts";
import type { PlainQuery } from "./query.ts";

const BLOCK_BYTES = 1024 * 1024;
/** Of a longer line only the beginning is searched. */
const MAX_LINE_BYTES = 16 * 1024 * 1024;
const NEWLINE = 10;

/** A line of the file; one with a column matches. */
type ScannedLine = Omit<Line, "type">;

export function* searchFile(fd: number, file: number, query: PlainQuery): Generator<SearchEvent> {
  const { multiline, outputMode, contextLines } = query;
  const lines = multiline ? scanText(readText(fd, query), query.pattern) : scanLines(readLines(fd, query), query.pattern);
  let hasBegun = false;
  let count = 0;
  for (const line of withContext(lines, outputMode === "content" ? contextLines : 0)) {
    if (!hasBegun) yield { type: "begin", file };
    hasBegun = true;
    if (line.type === "match") count += 1;
    if (outputMode === "content") yield line;
    if (outputMode === "files") break;
  }
  if (hasBegun) yield { type: "end", count: outputMode === "files" ? 0 : count };
}

function* scanLines(lines: Iterable<string>, pattern: RegExp): Generator<ScannedLine> {
  let number = 0;
  for (const text of lines) {
    number += 1;
    const column = text.search(pattern);
    yield { number, text: withoutReturn(text), ...(column !== -1 && { column }) };
  }
}

/** A search for carriage returns keeps them until the line is found. */
const withoutReturn = (line: string): string => (line.endsWith("\r") ? line.slice(0, -1) : line);

/** For matches that may span lines. Each match belongs to the line on which it begins. */
function* scanText(text: string, pattern: RegExp): Generator<ScannedLine> {
  const lines = linesOf(text);
  const hits = text.matchAll(pattern);
  let hit = hits.next().value;
  let start = 0;
  for (const [index, line] of lines.entries()) {
    const end = start + line.length;
    let column: number | undefined;
    let last = 0;
    for (; hit !== undefined && hit.index <= end; hit = hits.next().value) {
      column ??= hit.index - start;
      last = Math.max(last, hit.index, hit.index + hit[0].length - 1);
    }
    yield column === undefined
      ? { number: index + 1, text: withoutReturn(line) }
      : { number: index + 1, text: withoutReturn(line), column, span: spanOf(lines, index, last - start) };
    start = end + 1;
  }
}

/** `length`: from the start of the line to the last character of its last match. */
function spanOf(lines: readonly string[], index: number, length: number): { endLine: number; below: readonly string[] } {
  let end = index;
  for (let left = length - (lines[index] ?? "").length - 1; left >= 0 && end + 1 < lines.length; left -= (lines[end] ?? "").length + 1)
    end += 1;
  const below = lines.slice(index + 1, Math.min(end + 1, index + MAX_MATCH_LINES)).map((line) => clipLine(withoutReturn(line), 0));
  return { endLine: end + 1, below };
}

/** The lines that match, and those around them. */
function* withContext(lines: Iterable<ScannedLine>, contextLines: number): Generator<Line> {
  let before: ScannedLine[] = [];
  /** The last line of the context after the last match. */
  let until = 0;
  for (const line of lines) {
    if (line.column !== undefined) {
      for (const earlier of before) yield { ...earlier, type: "context" };
      before = [];
      yield { ...line, type: "match" };
      until = contextLines === 0 ? 0 : Math.max(until, (line.span?.endLine ?? line.number) + contextLines);
    } else if (line.number <= until) yield { ...line, type: "context" };
    else if (contextLines > 0) {
      before.push(line);
      if (before.length > contextLines) before.shift();
    }
  }
}

function* readLines(fd: number, query: PlainQuery): Generator<string> {
  const { encoding, keepsReturns } = query;
  // A newline is one byte in every other encoding.
  if (encoding !== undefined && new TextDecoder(encoding).encoding.startsWith("utf-16")) return yield* linesOf(readText(fd, query));
  const decode = decoderOf(encoding);
  const decodeLine = (line: Buffer): string => (keepsReturns ? decode(line) : decode(line).replace(/\r$/, ""));
  const block = Buffer.allocUnsafe(BLOCK_BYTES);
  let carry: Buffer = Buffer.alloc(0);
  let position = 0;
  for (let bytes = readBlock(fd, block, position); bytes.length > 0; bytes = readBlock(fd, block, position)) {
    if (position === 0 && isWide(bytes)) return yield* linesOf(readText(fd, query));
    position += bytes.length;
    let from = 0;
    for (let end = bytes.indexOf(NEWLINE); end !== -1; end = bytes.indexOf(NEWLINE, from)) {
      yield decodeLine(Buffer.concat([carry, bytes.subarray(from, end)]));
      carry = Buffer.alloc(0);
      from = end + 1;
    }
    if (carry.length < MAX_LINE_BYTES) carry = Buffer.concat([carry, bytes.subarray(from)]);
  }
  if (carry.length > 0) yield decodeLine(carry);
}

/** A newline at the end begins no further line. */
function linesOf(text: string): string[] {
  const lines = text.split("\n");
  if (text.endsWith("\n")) lines.pop();
  return lines;
}

/** The whole file, with LF, unless carriage returns are kept. */
function readText(fd: number, { encoding, keepsReturns }: PlainQuery): string {
  const bytes = readBlock(fd, Buffer.allocUnsafe(fstatSync(fd).size), 0);
  const decode = encoding === undefined && isWide(bytes) ? decodeWide : decoderOf(encoding);
  const text = decode(bytes);
  return keepsReturns ? text : text.replaceAll("\r\n", "\n");
}

function readBlock(fd: number, block: Buffer, position: number): Buffer {
  return block.subarray(0, readSync(fd, block, 0, block.length, position));
}

function decoderOf(encoding: string | undefined): (bytes: Buffer) => string {
  if (encoding === undefined) return decodeByContent;
  if (encoding === "windows-1252") return decodeWindows1252;
  const decoder = new TextDecoder(encoding);
  return (bytes) => decoder.decode(bytes);
}

const decodeByContent = (bytes: Buffer): string =>
  (isUtf8(bytes) || isMostlyUtf8(scanUtf8(bytes)) ? bytes.toString("utf8") : decodeWindows1252(bytes)).replace(/^\ufeff/, "");
