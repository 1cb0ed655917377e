// ripgrep's JSON lines, one message at a time. A line of a file may be a hundred megabytes and is one message: of such a message only
// the beginning and the line number are kept.
import type { SearchEvent } from "../contents/engine.ts";

const MAX_MESSAGE_BYTES = 4 * 1024 * 1024;
const HEAD_BYTES = 2000;
/** Quotes inside texts are escaped, so this occurs only as a member. */
const LINE_NUMBER = /,"line_number":(\d+)[,}]/;
const OVERLAP = 40;
const NEWLINE = 10;

export class JsonMessages {
  readonly #fileOf: (name: string) => number | undefined;
  readonly #onEvent: (event: SearchEvent) => boolean;
  #parts: Buffer[] = [];
  #bytes = 0;
  #long: { head: string; tail: string; number: number | undefined } | undefined;

  /** `fileOf` gives the index of a file by the name that ripgrep prints; `onEvent` returns true to end. */
  constructor(fileOf: (name: string) => number | undefined, onEvent: (event: SearchEvent) => boolean) {
    this.#fileOf = fileOf;
    this.#onEvent = onEvent;
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
    return long === undefined ? eventOf(Buffer.concat(parts).toString(), this.#fileOf) : cutLine(long.head, long.number);
  }

  #keep(part: Buffer): void {
    this.#bytes += part.length;
    if (this.#long !== undefined) this.#findNumber(part);
    else if (part.length > 0) this.#parts.push(part);
    if (this.#long !== undefined || this.#bytes <= MAX_MESSAGE_BYTES) return;
    const parts = Buffer.concat(this.#parts);
    this.#parts = [];
    this.#long = { head: parts.toString("utf8", 0, HEAD_BYTES), tail: "", number: undefined };
    this.#findNumber(parts);
  }

  #findNumber(part: Buffer): void {
    if (this.#long === undefined || this.#long.number !== undefined) return;
    const text = this.#long.tail + part.toString("latin1");
    const [, number] = LINE_NUMBER.exec(text) ?? [];
    this.#long.number = number === undefined ? undefined : Number(number);
    this.#long.tail = text.slice(-OVERLAP);
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

function cutLine(head: string, number = 0): SearchEvent {
  const type = head.startsWith('{"type":"match"') ? "match" : "context";
  const [, escaped = ""] = /"lines":\{"text":"((?:[^"\\]|\\u[0-9a-f]{4}|\\[^u])*)/.exec(head) ?? [];
  return { type, number, text: `${JSON.parse(`"${escaped}"`) as string}…`, ...(type === "match" && { column: 0 }) };
}
