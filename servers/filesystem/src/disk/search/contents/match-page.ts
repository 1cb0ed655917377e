// A page of matching lines with the lines around them, filled from the events of an engine.
import { escapeControls, jsonStringBytes } from "@oarlock/domain-kit";
import type { Line, SearchEvent } from "./engine.ts";
import { clipLine, joinLines, MAX_MATCH_LINES } from "./line-clip.ts";

export interface Match {
  /** Absolute. */
  readonly path: string;
  /** From 1. */
  readonly line: number;
  /** Of the first hit in the line, in characters from 1. */
  readonly column: number;
  /** Where matches may span lines: the line on which the last hit that begins here ends. */
  readonly endLine?: number;
  /** The line without its ending; of a long one the part around the hit. Of several lines the first ones, up to 1,000 characters. */
  readonly text: string;
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/** Names and punctuation of one match in the structured result. */
const MATCH_BYTES = 120;
/** Line number and punctuation of a context line. */
const LINE_BYTES = 20;

interface Room {
  readonly limit: number;
  readonly maxBytes: number;
  readonly contextLines: number;
}

export class MatchPage {
  readonly matches: Match[] = [];
  readonly #room: Room;
  /** A match came that had no room. */
  #isFull = false;
  #bytes = 0;
  /** The last lines of the file, for the context before the next match. */
  #recent: { number: number; text: string }[] = [];
  /** Matches that still miss lines of the context after them. */
  #open: { last: number; after: string[] }[] = [];

  constructor(room: Room) {
    this.#room = room;
  }

  /** `linesBefore`: matches up to this line were shown on an earlier page. Returns true when the page is complete. */
  add(event: SearchEvent, path: string, linesBefore: number): boolean {
    if (event.type === "begin" || event.type === "end") {
      this.#recent = [];
      this.#open = [];
      return this.#isFull;
    }
    this.#addLine(event, path, linesBefore);
    return this.#isFull && this.#open.length === 0;
  }

  #addLine(line: Line, path: string, linesBefore: number): void {
    const { contextLines } = this.#room;
    const text = line.number === 1 ? line.text.replace(/^\ufeff/, "") : line.text;
    const context = { number: line.number, text: clipLine(text, 0) };
    this.#addAfter(context, path);
    if (line.type === "match" && line.number > linesBefore && !this.#isFull) this.#addMatch({ ...line, text }, path);
    if (contextLines === 0) return;
    this.#recent.push(context);
    if (this.#recent.length > contextLines) this.#recent.shift();
  }

  /** Adds a line to the context after earlier matches. */
  #addAfter({ number, text }: { number: number; text: string }, path: string): void {
    const { contextLines } = this.#room;
    this.#open = this.#open.filter(
      ({ last, after }) =>
        number <= last || (number <= last + contextLines && this.#takeRoom(path, text) && after.push(text) < contextLines),
    );
  }

  #addMatch({ number, text: line, column = 0, span }: Line, path: string): void {
    const { contextLines, limit, maxBytes } = this.#room;
    const endLine = span?.endLine ?? number;
    const firstLine = clipLine(line, column);
    const text = endLine === number ? firstLine : joinLines([firstLine, ...(span?.below ?? [])], endLine - number + 1);
    const lines = Math.min(endLine - number, MAX_MATCH_LINES) * LINE_BYTES;
    const bytes = jsonStringBytes(path) + jsonStringBytes(escapeControls(path)) + 2 * jsonStringBytes(text) + MATCH_BYTES + lines;
    // A page holds at least one match, so that there is always a next page.
    this.#isFull = this.matches.length >= limit || (this.matches.length > 0 && this.#bytes + bytes > maxBytes);
    if (this.#isFull) return;
    this.#bytes += bytes;
    const before: string[] = [];
    for (const recent of this.#recent.toReversed()) {
      if (recent.number < number - contextLines || !this.#takeRoom(path, recent.text)) break;
      before.unshift(recent.text);
    }
    const after: string[] = [];
    this.matches.push({ path, line: number, column: column + 1, ...(span && { endLine }), text, before, after });
    if (contextLines > 0) this.#open.push({ last: endLine, after });
  }

  /** Reserves the bytes of a context line; false when there is no room. */
  #takeRoom(path: string, text: string): boolean {
    const bytes = jsonStringBytes(escapeControls(path)) + 2 * jsonStringBytes(text) + LINE_BYTES;
    if (this.#bytes + bytes > this.#room.maxBytes) return false;
    this.#bytes += bytes;
    return true;
  }
}
