// The lines of the file behind the lines of a text that edits have changed: a refused call leaves the file as it was, so its messages
// name lines of the file.

/** A part of a text with LF only, and its replacement. */
export interface Span {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Gives each line of the current text the line of the file that it stands for, both from 1. */
export class LineOrigins {
  #origins: readonly number[];

  /** `linesBefore`: lines of the file before the text. */
  constructor(text: string, linesBefore = 0) {
    this.#origins = Array.from({ length: countNewlines(text, 0, text.length) + 1 }, (_, index) => linesBefore + index + 1);
  }

  of(line: number): number {
    return this.#origins[line - 1] ?? line;
  }

  /** Follows one edit. A new line stands for the line that it replaces, or for the last one of them. `spans`: in the order of the text. */
  follow(text: string, spans: readonly Span[]): void {
    const next = [this.of(1)];
    let [done, line] = [0, 1];
    const keepUpTo = (end: number): void => {
      for (let count = countNewlines(text, done, end); count > 0; count -= 1) next.push(this.of((line += 1)));
    };
    for (const span of spans) {
      keepUpTo(span.start);
      const last = line + countNewlines(text, span.start, span.end);
      const added = countNewlines(span.text, 0, span.text.length);
      for (let index = 1; index <= added; index += 1) next.push(this.of(index === added ? last : Math.min(line + index, last)));
      // Without complete lines the current line is the one behind them.
      const isRemoved = span.text === "" && (span.start === 0 || text[span.start - 1] === "\n");
      if (isRemoved) next[next.length - 1] = this.of(last);
      [done, line] = [span.end, last];
    }
    keepUpTo(text.length);
    this.#origins = next;
  }
}

function countNewlines(text: string, from: number, to: number): number {
  let count = 0;
  for (let at = text.indexOf("\n", from); at !== -1 && at < to; at = text.indexOf("\n", at + 1)) count += 1;
  return count;
}
