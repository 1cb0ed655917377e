// ripgrep's JSON lines, one at a time. A line of a file may be a hundred megabytes and is one message: of such a one only the
// beginning and the line number are kept.

export interface Line {
  readonly type: "match" | "context";
  readonly number: number;
  readonly text: string;
  /** Where the first hit begins and ends in the text. */
  readonly hit?: { readonly start: number; readonly end: number };
  /** Where matches may span lines: the line on which they end, and the next ones down to it, as far as they are shown. */
  readonly span?: { readonly endLine: number; readonly below: readonly string[] };
}

export type Message = Line | { readonly type: "begin"; readonly name: string } | { readonly type: "end" };

const MOST_BYTES = 4 * 1024 * 1024;
const HEAD_BYTES = 2000;
/** Quotes inside of texts are escaped, so this stands for itself. */
const NUMBER = /,"line_number":(\d+)[,}]/;
const OVERLAP = 40;

export class Messages {
  readonly #take: (message: Message) => boolean;
  #held: Buffer[] = [];
  #bytes = 0;
  #long: { head: string; tail: string; number: number | undefined } | undefined;

  /** `take` returns true when it wants no more. */
  constructor(take: (message: Message) => boolean) {
    this.#take = take;
  }

  push(chunk: Buffer): boolean {
    let from = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, from)) {
      const message = this.#ended(chunk.subarray(from, end));
      from = end + 1;
      if (message && this.#take(message)) return true;
    }
    this.#hold(chunk.subarray(from));
    return false;
  }

  #ended(rest: Buffer): Message | undefined {
    if (this.#bytes === 0) return messageOf(rest.toString());
    this.#hold(rest);
    const [held, long] = [this.#held, this.#long];
    this.#held = [];
    this.#bytes = 0;
    this.#long = undefined;
    return long === undefined ? messageOf(Buffer.concat(held).toString()) : cutMessage(long.head, long.number);
  }

  #hold(part: Buffer): void {
    this.#bytes += part.length;
    if (this.#long !== undefined) this.#look(part);
    else if (part.length > 0) this.#held.push(part);
    if (this.#long !== undefined || this.#bytes <= MOST_BYTES) return;
    const held = Buffer.concat(this.#held);
    this.#held = [];
    this.#long = { head: held.toString("utf8", 0, HEAD_BYTES), tail: "", number: undefined };
    this.#look(held);
  }

  #look(part: Buffer): void {
    if (this.#long === undefined || this.#long.number !== undefined) return;
    const text = this.#long.tail + part.toString("latin1");
    const [, number] = NUMBER.exec(text) ?? [];
    this.#long.number = number === undefined ? undefined : Number(number);
    this.#long.tail = text.slice(-OVERLAP);
  }
}

type Text = { text: string } | { bytes: string };

interface Raw {
  type: string;
  data: { path?: Text; lines?: Text; line_number?: number; submatches?: { start: number; end: number }[] };
}

/** ripgrep's own output; its version is pinned. Of text that is not UTF-8 each byte is a character. */
export function rawOf(json: string) {
  const { type, data } = JSON.parse(json) as Raw;
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

export function messageOf(json: string): Message | undefined {
  const { type, name, isText, lines, number, submatches } = rawOf(json);
  if (type === "begin") return { type, name };
  if (type === "end") return { type };
  if (type !== "match" && type !== "context") return undefined;
  const text = lines.replace(/\r?\n$/, "");
  const [first] = submatches;
  if (type === "context" || first === undefined) return { type, number, text };
  const at = (bytes: number) => (isText ? Buffer.from(text).toString("utf8", 0, bytes).length : bytes);
  return { type, number, text, hit: { start: at(first.start), end: at(first.end) } };
}

function cutMessage(head: string, number = 0): Message | undefined {
  const type = head.startsWith('{"type":"match"') ? "match" : "context";
  const [, escaped = ""] = /"lines":\{"text":"((?:[^"\\]|\\u[0-9a-f]{4}|\\[^u])*)/.exec(head) ?? [];
  return { type, number, text: `${JSON.parse(`"${escaped}"`) as string}…`, ...(type === "match" && { hit: { start: 0, end: 0 } }) };
}
