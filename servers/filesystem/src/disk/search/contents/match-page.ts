// Matching lines with the lines around them, from ripgrep's lines one after another, up to the end of a page.
import { shown } from "../../text/display-path.ts";
import { wireBytes } from "../../text/reply-size.ts";
import { MOST_LINES } from "../ripgrep/multiline-blocks.ts";
import { clipped, joined } from "./line-clip.ts";
import type { Line, Message } from "../ripgrep/messages.ts";

export interface Match {
  /** Absolute, as the system has it. */
  readonly path: string;
  /** From 1. */
  readonly line: number;
  /** Of the first hit in the line, in characters from 1. */
  readonly column: number;
  /** Where matches may span lines: the line on which the last hit that begins here ends. */
  readonly endLine?: number;
  /** The line without its end; of a long one the part around the hit. Of several lines the first ones, to a thousand characters. */
  readonly text: string;
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/** Names and punctuation of one match in the structured result. */
const FRAME_BYTES = 120;
/** Line number and punctuation of a line around it. */
const LINE_BYTES = 20;

interface Room {
  readonly limit: number;
  readonly maxBytes: number;
  readonly contextLines: number;
}

export class MatchPage {
  readonly matches: Match[] = [];
  /** A match came that had no room. */
  full = false;
  readonly #room: Room;
  /** The file of a name that ripgrep says, and behind which line its matches count. */
  #fileOf: (name: string) => { path: string; after: number } | undefined = () => undefined;
  #file: { path: string; after: number } | undefined;
  #bytes = 0;
  #recent: { number: number; text: string }[] = [];
  #open: { last: number; after: string[] }[] = [];

  constructor(room: Room) {
    this.#room = room;
  }

  /** The names that are to come. */
  expect(fileOf: (name: string) => { path: string; after: number } | undefined): void {
    this.#fileOf = fileOf;
  }

  /** Returns true when the page is complete. */
  readonly take = (message: Message): boolean => {
    if (message.type === "begin" || message.type === "end") {
      this.#recent = [];
      this.#open = [];
      this.#file = message.type === "begin" ? this.#fileOf(message.name) : undefined;
      return this.full;
    }
    if (this.#file !== undefined) this.#line(message, this.#file);
    return this.full && this.#open.length === 0;
  };

  #line({ type, number, text: whole, hit, span }: Line, { path, after: behind }: { path: string; after: number }): void {
    const { contextLines, limit, maxBytes } = this.#room;
    const text = number === 1 ? whole.replace(/^\ufeff/, "") : whole;
    const around = clipped(text, 0);
    this.#open = this.#open.filter(
      ({ last, after: lines }) =>
        number <= last || (number <= last + contextLines && this.#fits(path, around) && lines.push(around) < contextLines),
    );
    if (type === "match" && number > behind && !this.full) {
      const first = clipped(text, hit?.start ?? 0);
      const endLine = span?.endLine ?? number;
      const shownText = endLine === number ? first : joined([first, ...(span?.below ?? [])], endLine - number + 1);
      const lines = Math.min(endLine - number, MOST_LINES) * LINE_BYTES;
      const bytes = wireBytes(path) + wireBytes(shown(path)) + 2 * wireBytes(shownText) + FRAME_BYTES + lines;
      // One match always fits, or no page would ever get past it.
      this.full = this.matches.length >= limit || (this.matches.length > 0 && this.#bytes + bytes > maxBytes);
      if (!this.full) {
        this.#bytes += bytes;
        const before: string[] = [];
        for (const line of this.#recent.toReversed()) {
          if (line.number < number - contextLines || !this.#fits(path, line.text)) break;
          before.unshift(line.text);
        }
        const after: string[] = [];
        const column = (hit?.start ?? 0) + 1;
        this.matches.push({ path, line: number, column, ...(span && { endLine }), text: shownText, before, after });
        if (contextLines > 0) this.#open.push({ last: endLine, after });
      }
    }
    if (contextLines === 0) return;
    this.#recent.push({ number, text: around });
    if (this.#recent.length > contextLines) this.#recent.shift();
  }

  /** Is there room for a line around a match? Then it is taken. */
  #fits(path: string, text: string): boolean {
    const bytes = wireBytes(shown(path)) + 2 * wireBytes(text) + LINE_BYTES;
    if (this.#bytes + bytes > this.#room.maxBytes) return false;
    this.#bytes += bytes;
    return true;
  }
}
