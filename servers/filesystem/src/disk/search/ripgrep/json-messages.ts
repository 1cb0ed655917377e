// ripgrep's JSON lines, one message at a time. A line of a file may be a hundred megabytes and is one message: of such a message only
// the beginning, the line number and the place of the first hit are kept, and what is around the hit is read from the file again.
import type { SearchEvent } from "../contents/engine.ts";
import type { HitWindow } from "./hit-window.ts";
import { LongMessage } from "./long-message.ts";

const MAX_MESSAGE_BYTES = 4 * 1024 * 1024;
const NEWLINE = 10;

/** What is around the hit of a long line, and its column. */
export type ReadHit = (file: number, place: { readonly line: number; readonly hit: number }) => HitWindow;

export class JsonMessages {
  readonly #fileOf: (name: string) => number | undefined;
  readonly #onEvent: (event: SearchEvent) => boolean;
  readonly #readHit: ReadHit | undefined;
  #parts: Buffer[] = [];
  #bytes = 0;
  #long: LongMessage | undefined;

  /** `fileOf` gives the index of a file by the name that ripgrep prints; `onEvent` returns true to end. */
  constructor(fileOf: (name: string) => number | undefined, onEvent: (event: SearchEvent) => boolean, readHit?: ReadHit) {
    this.#fileOf = fileOf;
    this.#onEvent = onEvent;
    this.#readHit = readHit;
  }

  push(chunk: Buffer): boolean {
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, from)) {
      const event = this.#complete(chunk.subarray(from, end));
      from = end + 1;
      if (event && this.#onEvent(event)) return true;
    }
    this.#keep(chunk.subarray(from));
    return false;
  }

  #complete(rest: Buffer): SearchEvent | undefined {
    if (this.#bytes === 0) return eventOf(rest.toString(), this.#fileOf);
    this.#keep(rest);
    const [parts, long] = [this.#parts, this.#long];
    this.#parts = [];
    this.#bytes = 0;
    this.#long = undefined;
    return long === undefined ? eventOf(Buffer.concat(parts).toString(), this.#fileOf) : this.#cutLine(long);
  }

  #keep(part: Buffer): void {
    this.#bytes += part.length;
    if (this.#long !== undefined) this.#long.add(part);
    else if (part.length > 0) this.#parts.push(part);
    if (this.#long !== undefined || this.#bytes <= MAX_MESSAGE_BYTES) return;
    this.#long = new LongMessage(Buffer.concat(this.#parts));
    this.#parts = [];
  }

  #cutLine(long: LongMessage): SearchEvent {
    const { number, isMatch, hit } = long;
    if (!isMatch) return { type: "context", number, text: `${long.start}…` };
    const file = this.#fileOf(long.name);
    if (hit === undefined || file === undefined || this.#readHit === undefined)
      return { type: "match", number, text: `${long.start}…`, column: 0 };
    return { type: "match", number, ...this.#readHit(file, hit) };
  }
}

type Text = { text: string } | { bytes: string };

interface RawMessage {
  type: string;
  data: { path?: Text; lines?: Text; line_number?: number; submatches?: { start: number; end: number }[] };
}

/** The members of a message. Of text that is not UTF-8 each byte becomes a character. */
export function parseMessage(json: string) {
  const { type, data } = JSON.parse(json) as RawMessage; // the output of a pinned version of ripgrep
  const { path, lines = { text: "" }, line_number: number = 0, submatches = [] } = data;
  const isText = "text" in lines;
  return {
    type,
    name: path && "text" in path ? path.text : "",
    isText,
    lines: "text" in lines ? lines.text : Buffer.from(lines.bytes, "base64").toString("latin1"),
    number,
    submatches,
  };
}

/** Undefined for messages about the run as a whole. */
export function eventOf(json: string, fileOf: (name: string) => number | undefined): SearchEvent | undefined {
  const { type, name, isText, lines, number, submatches } = parseMessage(json);
  if (type === "begin") {
    const file = fileOf(name);
    return file === undefined ? undefined : { type, file };
  }
  if (type === "end") return { type, count: 0 };
  if (type !== "match" && type !== "context") return undefined;
  const text = lines.replace(/\r?\n$/, "");
  const [first] = submatches;
  if (type === "context" || first === undefined) return { type, number, text };
  const column = isText ? Buffer.from(text).toString("utf8", 0, first.start).length : first.start;
  return { type, number, text, column };
}
