// Parses the output of `git grep -z --column` while it comes in, up to the end of a page.
import { isUtf8 } from "node:buffer";
import { jsonStringBytes, truncateText } from "@oarlock/domain-kit";
import { cutAround } from "../text/long-lines.ts";
import { decodeText, nameToText } from "../text/file-names.ts";

interface Line {
  readonly path: string;
  readonly line: number;
  readonly text: string;
}

export interface Match extends Line {
  /** Of the first hit in characters, counted from 1; where the line is cut around it. */
  readonly column?: number;
  before?: string[];
  after?: string[];
}

export interface GrepPageOptions {
  /** Text before each path: the revision that is searched, with a colon. */
  readonly prefix: string;
  readonly contextLines: number;
  /** Matches of earlier pages. */
  readonly skip: number;
  readonly limit: number;
  /** Bytes of all matches as JSON, in text and structured content. */
  readonly maxJsonBytes: number;
  /** Drops matches in files that must not be shown. */
  readonly isHidden: (path: string) => boolean;
}

const MAX_LINE_LENGTH = 500;
const NEWLINE = 10;
/** Separates two places of a file. */
const PLACE_SEPARATOR = Buffer.from("--\n");

export class GrepParser {
  readonly matches: Match[] = [];
  /** There are more matches than this page holds. */
  isFull = false;
  /** A line was shortened. */
  isClipped = false;
  readonly #options: GrepPageOptions;
  #skipsLeft: number;
  #jsonBytesLeft: number;
  #rest: Buffer = Buffer.alloc(0);
  #context: Line[] = [];

  constructor(options: GrepPageOptions) {
    this.#options = options;
    this.#skipsLeft = options.skip;
    this.#jsonBytesLeft = options.maxJsonBytes;
  }

  /** False when the page is full. */
  push(chunk: Buffer): boolean {
    let data = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    for (;;) {
      if (data.subarray(0, PLACE_SEPARATOR.length).equals(PLACE_SEPARATOR)) {
        data = data.subarray(PLACE_SEPARATOR.length);
        this.#context = [];
        continue;
      }
      // path NUL line number NUL [column NUL] text newline; only a match has a column.
      const pathEnd = data.indexOf(0);
      const numberEnd = pathEnd === -1 ? -1 : data.indexOf(0, pathEnd + 1);
      const end = numberEnd === -1 ? -1 : data.indexOf(NEWLINE, numberEnd + 1);
      if (end === -1) break;
      const columnEnd = data.indexOf(0, numberEnd + 1);
      const isMatch = columnEnd !== -1 && columnEnd < end;
      const path = nameToText(data.subarray(0, pathEnd)).slice(this.#options.prefix.length);
      const line = Number(data.toString("latin1", pathEnd + 1, numberEnd));
      const bytes = data.subarray((isMatch ? columnEnd : numberEnd) + 1, end);
      const byteColumn = isMatch ? Number(data.toString("latin1", numberEnd + 1, columnEnd)) : 1;
      data = data.subarray(end + 1);
      if (this.#options.isHidden(path)) continue;
      if (!isMatch) this.#addContext({ path, line, text: this.#clipped(decodeText(bytes)) });
      else if (!this.#addMatch({ path, line, ...this.#aroundHit(bytes, byteColumn) })) return false;
    }
    this.#rest = data;
    return true;
  }

  #clipped(text: string): string {
    const short = truncateText(text, MAX_LINE_LENGTH);
    this.isClipped ||= short !== text;
    return short;
  }

  /** A long line is cut around its first hit. */
  #aroundHit(bytes: Buffer, byteColumn: number): { text: string; column?: number } {
    const text = decodeText(bytes);
    if (text.length <= MAX_LINE_LENGTH) return { text };
    this.isClipped = true;
    const before = bytes.subarray(0, byteColumn - 1);
    const at = isUtf8(bytes) ? before.toString("utf8").length : before.length;
    return { text: cutAround(text, { start: at, length: 0 }, MAX_LINE_LENGTH), column: at + 1 };
  }

  /** git prints the lines between two matches once: they may follow the last match, precede the next one, or both. */
  #addContext(line: Line): void {
    const last = this.matches.at(-1);
    if (last?.path === line.path && line.line - last.line <= this.#options.contextLines) (last.after ??= []).push(line.text);
    this.#context.push(line);
    this.#jsonBytesLeft -= 2 * jsonStringBytes(line.text);
  }

  #addMatch(match: Match): boolean {
    const context = this.#context;
    this.#context = [];
    if (this.#skipsLeft > 0) {
      this.#skipsLeft--;
      return true;
    }
    this.#jsonBytesLeft -= 2 * (jsonStringBytes(match.path) + jsonStringBytes(match.text)) + 80;
    if (this.matches.length >= this.#options.limit || (this.#jsonBytesLeft < 0 && this.matches.length > 0)) {
      this.isFull = true;
      return false;
    }
    const before = context
      .filter(({ path, line }) => path === match.path && match.line - line <= this.#options.contextLines)
      .map(({ text }) => text);
    this.matches.push({ ...match, ...(before.length > 0 && { before }) });
    return true;
  }
}
