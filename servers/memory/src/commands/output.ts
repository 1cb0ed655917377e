// What a command says on stderr: lines, and how far long work is. On a terminal that is a bar which the next line replaces, elsewhere a
// line each second.
import type { WriteStream } from "node:tty";

const BAR_WIDTH = 30;
const REDRAW_MS = 100;
const LINE_MS = 1000;
const ERASE_LINE = "\r\u001B[K";

type Stream = Pick<WriteStream, "write"> & { readonly isTTY?: boolean };

export class Output {
  readonly #stream: Stream;
  readonly #intervalMs: number;
  #lastReport = performance.now();
  #hasBar = false;

  constructor(stream: Stream) {
    this.#stream = stream;
    this.#intervalMs = stream.isTTY === true ? REDRAW_MS : LINE_MS;
  }

  /** Writes a line. */
  say = (line: string): void => {
    this.end();
    this.#stream.write(`${line}\n`);
  };

  /** Reports how far work is, as often as makes sense. Without a total, only how much is done. */
  report = (what: string, done: number, total?: number): void => {
    const now = performance.now();
    if (now - this.#lastReport < this.#intervalMs) return;
    this.#lastReport = now;
    const counted = total === undefined ? `${what}: ${format(done)}` : `${what}: ${format(done)} of ${format(total)}`;
    if (this.#stream.isTTY === true) this.#draw(counted, done, total);
    else this.#stream.write(`${counted}\n`);
  };

  /** Reports a step of a few, each of which may take long and cannot tell how far it is. */
  step = (name: string, number: number, total: number): void => {
    if (this.#stream.isTTY === true) this.#draw(name, number - 1, total);
    else this.say(`${number} of ${total}: ${name}`);
  };

  /** Nothing follows: a bar goes away. */
  end = (): void => {
    if (this.#hasBar) this.#stream.write(ERASE_LINE);
    this.#hasBar = false;
  };

  #draw(text: string, done: number, total: number | undefined): void {
    this.#stream.write(`${ERASE_LINE}${total === undefined ? "" : `${bar(Math.min(1, done / total))} `}${text}`);
    this.#hasBar = true;
  }
}

const bar = (share: number): string => {
  const filled = Math.round(share * BAR_WIDTH);
  return `[${"=".repeat(filled)}${" ".repeat(BAR_WIDTH - filled)}] ${String(Math.floor(share * 100)).padStart(3)} %`;
};

const format = (count: number): string => count.toLocaleString("en-US");

/** The same work; each of its steps is reported. */
export function* reported<T>(work: Generator<unknown, T>, report: (done: number) => void): Generator<void, T> {
  try {
    for (let done = 1; ; done++) {
      const step = work.next();
      if (step.done === true) return step.value;
      report(done);
      yield;
    }
  } finally {
    work.return(undefined as T); // frees what it holds where it was ended early
  }
}

/** The same pieces; their lines are reported. */
export async function* reportedLines(
  pieces: Iterable<string> | AsyncIterable<string>,
  report: (done: number) => void,
): AsyncGenerator<string> {
  let lines = 0;
  for await (const piece of pieces) {
    yield piece;
    lines += piece.split("\n").length - 1;
    report(lines);
  }
}
