// A message about a line that is too long to be kept: the facts about it are found while it passes.

/** Quotes inside texts are escaped, so all of these occur only as members. */
const NUMBER = /,"line_number":(\d+)[,}]/;
const OFFSET = /,"absolute_offset":(\d+)[,}]/;
const HIT = /\},"start":(\d+),"end":(\d+)\}/;
/** No member is longer. */
const OVERLAP = 80;
const HEAD_BYTES = 2000;

export class LongMessage {
  readonly #head: string;
  #tail = "";
  #number: number | undefined;
  #offset: number | undefined;
  #hit: number | undefined;

  constructor(start: Buffer) {
    this.#head = start.toString("utf8", 0, HEAD_BYTES);
    this.add(start);
  }

  add(part: Buffer): void {
    if (this.#hit !== undefined) return;
    const text = this.#tail + part.toString("latin1");
    this.#number ??= firstOf(NUMBER, text);
    this.#offset ??= firstOf(OFFSET, text);
    this.#hit = firstOf(HIT, text);
    this.#tail = text.slice(-OVERLAP);
  }

  get isMatch(): boolean {
    return this.#head.startsWith('{"type":"match"');
  }

  get number(): number {
    return this.#number ?? 0;
  }

  /** The name of the file as ripgrep prints it. */
  get name(): string {
    const [, name = ""] = /"path":\{"text":"([^"\\]*)"/.exec(this.#head) ?? [];
    return name;
  }

  /** The beginning of the line. */
  get start(): string {
    const [, escaped = ""] = /"lines":\{"text":"((?:[^"\\]|\\u[0-9a-f]{4}|\\[^u])*)/.exec(this.#head) ?? [];
    return JSON.parse(`"${escaped}"`) as string;
  }

  /** Bytes of the text, in UTF-8, before the line and before its first hit. Undefined for a line of the context. */
  get hit(): { readonly line: number; readonly hit: number } | undefined {
    if (this.#offset === undefined || this.#hit === undefined) return undefined;
    return { line: this.#offset, hit: this.#offset + this.#hit };
  }
}

function firstOf(pattern: RegExp, text: string): number | undefined {
  const [, digits] = pattern.exec(text) ?? [];
  return digits === undefined ? undefined : Number(digits);
}
