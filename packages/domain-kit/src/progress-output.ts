// ProgressOutput: the lines of a command on stderr, and the progress of long work. On a terminal that is a bar, which the next line
// replaces; elsewhere a line at intervals.
import type { WriteStream } from "node:tty";
import { escapeControls } from "./escaped-text.ts";

const BAR_WIDTH = 30;
const REDRAW_MS = 100;
const LINE_MS = 1000;
const ERASE_LINE = "\r\u001B[K";

type Stream = Pick<WriteStream, "write"> & { readonly isTTY?: boolean };

/**
 * Lines and progress of a command.
 *
 * @example
 * const output = new ProgressOutput(process.stderr);
 * for (const [done, row] of rows.entries()) {
 *   insert(row);
 *   output.report("Rows imported", done + 1, rows.length);
 * }
 * output.end();
 */
export class ProgressOutput {
  readonly #stream: Stream;
  readonly #intervalMs: number;
  #lastReport = performance.now();
  #hasBar = false;

  /** `lineMs`: the time between two lines of progress where the stream is not a terminal, 1,000 by default. */
  constructor(stream: Stream, { lineMs = LINE_MS }: { readonly lineMs?: number } = {}) {
    this.#stream = stream;
    this.#intervalMs = stream.isTTY === true ? REDRAW_MS : lineMs;
  }

  /** Writes a line. Names in it stay on it: control characters are escaped. */
  writeLine = (line: string): void => {
    this.end();
    this.#stream.write(`${escapeControls(line)}\n`);
  };

  /** Reports how far work is, at most ten times a second on a terminal. Without a total, it has a count and no bar. */
  report = (what: string, done: number, total?: number): void => {
    const now = performance.now();
    if (now - this.#lastReport < this.#intervalMs) return;
    this.#lastReport = now;
    const counted = total === undefined ? `${what}: ${format(done)}` : `${what}: ${format(done)} of ${format(total)}`;
    if (this.#stream.isTTY === true) this.#draw(counted, done, total);
    else this.#stream.write(`${counted}\n`);
  };

  /** Reports the start of one of a few steps that have no progress of their own. Numbers start at 1. */
  step = (name: string, number: number, total: number): void => {
    if (this.#stream.isTTY === true) this.#draw(name, number - 1, total);
    else this.writeLine(`${number} of ${total}: ${name}`);
  };

  /** Removes the bar. */
  end = (): void => {
    if (this.#hasBar) this.#stream.write(ERASE_LINE);
    this.#hasBar = false;
  };

  #draw(text: string, done: number, total: number | undefined): void {
    this.#stream.write(`${ERASE_LINE}${total === undefined ? "" : `${bar(total === 0 ? 1 : Math.min(1, done / total))} `}${text}`);
    this.#hasBar = true;
  }
}

const bar = (share: number): string => {
  const filled = Math.round(share * BAR_WIDTH);
  return `[${"=".repeat(filled)}${" ".repeat(BAR_WIDTH - filled)}] ${String(Math.floor(share * 100)).padStart(3)} %`;
};

const format = (count: number): string => count.toLocaleString("en-US");
