// As many lines and hunks of a blame as one reply holds.
import { escapeControls, jsonStringBytes } from "@oarlock/domain-kit";
import type { Blame } from "../../repo/history/blame.ts";
import type { Hunk } from "../../repo/history/blame-parser.ts";
import { LONG_LINE, shortenLine, type LinePart } from "../../repo/text/long-lines.ts";

const HUNK_BYTES = 180;
const LINE_PREFIX_BYTES = 9;

export interface BlamePageOptions {
  /** Of the text and the hunks. */
  readonly maxBytes: number;
  /** Of the text. */
  readonly maxTextBytes: number;
  /** Where long lines are cut, by their number. Undefined where they are not cut. */
  readonly columns?: ReadonlyMap<number, LinePart> | undefined;
}

/** Whether a blame has long lines and is too large for a page: pages cannot continue within a line. */
export const needsCut = (lines: readonly string[], maxBytes: number): boolean =>
  lines.some(({ length }) => length > LONG_LINE) &&
  lines.reduce((sum, line) => sum + jsonStringBytes(line) + LINE_PREFIX_BYTES, 0) > maxBytes;

export class BlamePage {
  readonly hunks: Hunk[] = [];
  /** The lines of the file, from the first one of the page on. */
  readonly fileLines: string[] = [];
  /** The line with which the next page begins. */
  readonly nextLine: number | undefined;
  /** A line was shortened. */
  isClipped = false;
  readonly #lines: string[] = [];
  readonly #start: number;
  readonly #columns: ReadonlyMap<number, LinePart> | undefined;
  readonly #describedCommits = new Set<string>();
  #bytesLeft: number;
  #textBytesLeft: number;

  /** `start`: the number of the first line of the blame. */
  constructor({ hunks, lines }: Blame, start: number, { maxBytes, maxTextBytes, columns }: BlamePageOptions) {
    this.#start = start;
    this.#columns = columns;
    this.#bytesLeft = maxBytes;
    this.#textBytesLeft = maxTextBytes;
    this.nextLine = this.#addHunks(hunks, lines);
  }

  get text(): string {
    return this.#lines.join("\n");
  }

  #takeText(bytes: number): void {
    this.#bytesLeft -= bytes;
    this.#textBytesLeft -= bytes;
  }

  get #isFull(): boolean {
    return this.#bytesLeft < 0 || this.#textBytesLeft < 0;
  }

  /** Returns the first line that does not fit. */
  #addHunks(hunks: readonly Hunk[], lines: readonly string[]): number | undefined {
    for (const hunk of hunks) {
      const title = this.#titleOf(hunk);
      this.#takeText(jsonStringBytes(title));
      this.#bytesLeft -= HUNK_BYTES + [hunk.author, hunk.summary, hunk.oldPath ?? ""].map(jsonStringBytes).reduce((a, b) => a + b);
      if (this.#isFull && this.hunks.length > 0) return hunk.startLine;
      this.#lines.push(title);
      const end = this.#addLines(hunk, lines);
      if (end >= hunk.startLine) this.hunks.push({ ...hunk, endLine: end });
      else this.#lines.pop();
      if (end < hunk.endLine) return end + 1;
    }
    return undefined;
  }

  /** The commit and, the first time, its author, date and summary. */
  #titleOf({ hash, author, date, summary }: Hunk): string {
    const isKnown = this.#describedCommits.has(hash);
    this.#describedCommits.add(hash);
    return hash.slice(0, 12) + (isKnown ? "" : ` ${escapeControls(author)} ${date.slice(0, 10)} ${escapeControls(summary)}`);
  }

  /** Returns the last line that fits. The first line of a page always does. */
  #addLines({ startLine, endLine }: Hunk, lines: readonly string[]): number {
    for (let number = startLine; number <= endLine; number++) {
      const line = this.#clipped(lines[number - this.#start] ?? "", number);
      this.#takeText(jsonStringBytes(line) + LINE_PREFIX_BYTES);
      if (this.#isFull && number > this.#start) return number - 1;
      this.#lines.push(`${String(number).padStart(6)}\t${line}`);
      this.fileLines.push(line);
    }
    return endLine;
  }

  #clipped(line: string, number: number): string {
    if (this.#columns === undefined || line.length <= LONG_LINE) return line;
    this.isClipped = true;
    return shortenLine(line, this.#columns.get(number));
  }
}
