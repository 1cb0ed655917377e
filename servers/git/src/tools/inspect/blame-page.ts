// As many lines and hunks of a blame as one reply holds.
import { escapeControls, jsonStringBytes } from "@oarlock/domain-kit";
import type { Blame } from "../../repo/history/blame.ts";
import type { Hunk } from "../../repo/history/blame-parser.ts";

const HUNK_BYTES = 180;
const LINE_PREFIX_BYTES = 9;

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
  readonly #maxBytes: number;
  readonly #describedCommits = new Set<string>();
  #bytesLeft: number;
  #textBytesLeft: number;

  /** `start`: the number of the first line of the blame. `maxTextBytes` counts the text, `maxBytes` text and hunks. */
  constructor({ hunks, lines }: Blame, start: number, { maxBytes, maxTextBytes }: { maxBytes: number; maxTextBytes: number }) {
    this.#start = start;
    this.#maxBytes = Math.min(maxBytes, maxTextBytes);
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
      const line = this.#clipped(lines[number - this.#start] ?? "");
      this.#takeText(jsonStringBytes(line) + LINE_PREFIX_BYTES);
      if (this.#isFull && number > this.#start) return number - 1;
      this.#lines.push(`${String(number).padStart(6)}\t${line}`);
      this.fileLines.push(line);
    }
    return endLine;
  }

  /** Shortens a line that would take half of the reply: pages cannot continue within a line. */
  #clipped(line: string): string {
    if (jsonStringBytes(line) + LINE_PREFIX_BYTES <= this.#maxBytes / 2) return line;
    this.isClipped = true;
    return `${line.slice(0, Math.floor(this.#maxBytes / 16))}…`;
  }
}
