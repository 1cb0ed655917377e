// ripgrep's JSON lines where matches may span lines. Its match is then a block: the lines of all matches that touch or follow each
// other, up to a whole file, with the places of all hits behind them. Here a block becomes lines again, each with the first hit that
// begins on it. The places are read as a stream: there may be as many as the file has characters.
import type { Line, SearchEvent } from "../contents/engine.ts";
import { clipLine, MAX_MATCH_LINES } from "../contents/line-clip.ts";
import { eventOf, parseMessage } from "./json-messages.ts";

/** Quotes inside texts are escaped, so both occur only as members. */
const HITS = Buffer.from('"submatches":[');
const HIT = /\},"start":(\d+),"end":(\d+)\}/g;
/** The start of a place in the output is not longer. */
const OVERLAP = 60;
/** The shown characters of a line have at most so many bytes. */
const CLIP_BYTES = 1500;
const NEWLINE = 10;

export class MultilineBlocks {
  readonly #fileOf: (name: string) => number | undefined;
  readonly #onEvent: (event: SearchEvent) => boolean;
  readonly #contextLines: number;
  /** Matching lines of the current file so far. */
  #count = 0;
  #head: Buffer[] = [];
  /** The end of the head, in which the mark may have begun. */
  #seam = Buffer.alloc(0);
  #block: Block | undefined;
  #carry = "";

  /** `onEvent` returns true to end. Lines farther than `contextLines` from the start or end of a match are not reported. */
  constructor(fileOf: (name: string) => number | undefined, onEvent: (event: SearchEvent) => boolean, contextLines: number) {
    this.#fileOf = fileOf;
    this.#onEvent = (event) => {
      if (event.type === "begin") this.#count = 0;
      if (event.type === "match") this.#count += 1;
      return onEvent(event.type === "end" ? { type: "end", count: this.#count } : event);
    };
    this.#contextLines = contextLines;
  }

  push(chunk: Buffer): boolean {
    for (let rest: Buffer | undefined = chunk; rest !== undefined && rest.length > 0;) {
      const end: number = rest.indexOf(NEWLINE);
      const part = end === -1 ? rest : rest.subarray(0, end);
      const behind = this.#block === undefined ? this.#toHits(part) : part;
      if (behind !== undefined && this.#hits(behind)) return true;
      if (end === -1) return false;
      if (this.#ended()) return true;
      rest = rest.subarray(end + 1);
    }
    return false;
  }

  /** What stands behind the beginning of the places, once that has come. */
  #toHits(part: Buffer): Buffer | undefined {
    const seam = Buffer.concat([this.#seam, part]);
    const at = seam.indexOf(HITS);
    if (at === -1) {
      this.#head.push(part);
      this.#seam = Buffer.from(seam.subarray(Math.max(0, seam.length - HITS.length + 1)));
      return undefined;
    }
    const behind = at + HITS.length - this.#seam.length;
    const message = parseMessage(`${Buffer.concat([...this.#head, part.subarray(0, behind)]).toString()}]}}`);
    this.#block = new Block(message, this.#onEvent, this.#contextLines);
    return part.subarray(behind);
  }

  #hits(part: Buffer): boolean {
    const text = this.#carry + part.toString("latin1");
    let last = 0;
    for (const found of text.matchAll(HIT)) {
      last = found.index + found[0].length;
      if (this.#block?.hit(Number(found[1]), Number(found[2])) === true) return true;
    }
    this.#carry = text.slice(Math.max(last, text.length - OVERLAP));
    return false;
  }

  /** The message is whole. */
  #ended(): boolean {
    const [block, head] = [this.#block, this.#head];
    this.#block = undefined;
    this.#head = [];
    this.#seam = Buffer.alloc(0);
    this.#carry = "";
    if (block !== undefined) return block.end();
    const event = eventOf(Buffer.concat(head).toString(), this.#fileOf);
    return event !== undefined && this.#onEvent(event);
  }
}

/** The lines of one block, said as soon as all hits on them are known. Each of them is part of a match. */
class Block {
  readonly #onLine: (line: Line) => boolean;
  readonly #contextLines: number;
  readonly #bytes: Buffer;
  readonly #encoding: "utf8" | "latin1";
  #number: number;
  /** Where the line begins and ends that is not yet said. */
  #from = 0;
  #to: number;
  /** Of the hits that begin on it: where the first one begins, and the last byte of the last one. */
  #hit: { start: number; last: number } | undefined;

  constructor({ isText, lines, number }: ReturnType<typeof parseMessage>, onLine: (line: Line) => boolean, contextLines: number) {
    this.#onLine = onLine;
    this.#contextLines = contextLines;
    this.#encoding = isText ? "utf8" : "latin1";
    this.#bytes = Buffer.from(lines, this.#encoding);
    this.#number = number;
    this.#to = this.#endFrom(0);
  }

  hit(start: number, end: number): boolean {
    // Behind the last newline there is no line of its own.
    if (start > this.#to && this.#to + 1 < this.#bytes.length && this.#goTo(this.#bytes.lastIndexOf(NEWLINE, start - 1) + 1)) return true;
    this.#hit ??= { start, last: start };
    this.#hit.last = Math.max(start, end - 1);
    return false;
  }

  end(): boolean {
    return this.#from < this.#bytes.length && this.#goTo(this.#bytes.length);
  }

  #endFrom(from: number): number {
    const end = this.#bytes.indexOf(NEWLINE, from);
    return end === -1 ? this.#bytes.length : end;
  }

  /** Says the line, and of those up to the one that begins at `start` as many as can stand around a match. */
  #goTo(start: number): boolean {
    if (this.#report()) return true;
    const lines = this.#count(this.#to + 1, start);
    const first = this.#number + 1;
    this.#number += lines + 1;
    let from = this.#to + 1;
    for (let at = 0; at < Math.min(lines, this.#contextLines); at++) {
      const to = this.#endFrom(from);
      if (this.#onLine({ type: "context", number: first + at, text: this.#text(from, to) })) return true;
      from = to + 1;
    }
    const last: Line[] = [];
    for (let to = start - 1, at = lines - 1; at >= Math.max(this.#contextLines, lines - this.#contextLines); at--) {
      // Behind the last line of a file there may be no newline.
      const end = this.#bytes[to] === NEWLINE ? to : to + 1;
      const begin = this.#bytes.lastIndexOf(NEWLINE, to - 1) + 1;
      last.unshift({ type: "context", number: first + at, text: this.#text(begin, end) });
      to = begin - 1;
    }
    this.#from = start;
    this.#to = this.#endFrom(start);
    return last.some((line) => this.#onLine(line));
  }

  /** Lines in a stretch of them. */
  #count(from: number, to: number): number {
    let lines = 0;
    for (let at = from; at < to; at++) if (this.#bytes[at] === NEWLINE) lines += 1;
    return from < to && this.#bytes[to - 1] !== NEWLINE ? lines + 1 : lines;
  }

  #report(): boolean {
    const [number, from, to, hit] = [this.#number, this.#from, this.#to, this.#hit];
    this.#hit = undefined;
    const text = this.#text(from, to);
    if (hit === undefined) return this.#onLine({ type: "context", number, text });
    const start = Math.min(text.length, this.#bytes.toString(this.#encoding, from, hit.start).length);
    const spanned = this.#count(to + 1, this.#endFrom(hit.last));
    return this.#onLine({
      type: "match",
      number,
      text,
      column: start,
      span: { endLine: number + spanned, below: this.#below(to, Math.min(spanned, MAX_MATCH_LINES - 1)) },
    });
  }

  /** So many lines behind `to`, as far as they are shown. */
  #below(to: number, lines: number): readonly string[] {
    let end = to;
    return Array.from({ length: lines }, () => {
      const from = end + 1;
      end = this.#endFrom(from);
      return clipLine(this.#text(from, Math.min(end, from + CLIP_BYTES)), 0);
    });
  }

  #text(from: number, to: number): string {
    return this.#bytes.toString(this.#encoding, from, to).replace(/\r$/, "");
  }
}
