// Newline-delimited framing (the stdio transport): bytes in, whole lines of text out.
// Works on bytes, so a character split over two chunks stays whole, and costs linear time however the bytes arrive.

/** Takes lines, and what was wrong with those that were none. */
export interface LineSink {
  /** One line without its newline; never blank. */
  line(text: string): void;
  /** A line that cannot be handed on: longer than the limit, or not UTF-8. */
  fault(why: "too-long" | "not-utf-8"): void;
}

const NEWLINE = 10;
const SPACE = 32;
const NOTHING = new Uint8Array(0);
/** A buffer up to this size is kept for the next unfinished line. */
const KEPT = 64 * 1024;
/** Text of UTF-8 bytes, a byte order mark included; undefined when they are none. */
export type Decode = (bytes: Uint8Array) => string | undefined;

/** Cuts chunks of bytes into lines of UTF-8, within a bound. */
export class LineReader {
  readonly #sink: LineSink;
  readonly #limit: number;
  readonly #decode: Decode;
  /** The start of a line whose newline has not come yet, in a buffer that doubles as it fills. */
  #held = NOTHING;
  #heldBytes = 0;
  /** Inside a line that passed the limit: its bytes are dropped up to the next newline. */
  #skipping = false;

  /** `decode` may be given where the platform has a faster one than the web's. */
  constructor(sink: LineSink, limit: number, decode: Decode = webDecode()) {
    this.#sink = sink;
    this.#limit = limit;
    this.#decode = decode;
  }

  push(chunk: Uint8Array): void {
    let from = 0;
    if (this.#heldBytes > 0 || this.#skipping) {
      const end = chunk.indexOf(NEWLINE);
      if (end === -1) return this.#hold(chunk);
      this.#hold(chunk.subarray(0, end));
      this.#finishHeld();
      from = end + 1;
    }
    const last = chunk.lastIndexOf(NEWLINE);
    if (last >= from) this.#lines(chunk.subarray(from, last));
    if (last + 1 < chunk.length) this.#hold(chunk.subarray(Math.max(last + 1, from)));
  }

  /** End of input: a last line without its newline counts when it is whole. */
  end(): void {
    if (this.#heldBytes > 0 || this.#skipping) this.#finishHeld();
  }

  /** Keeps a copy: the stream may use its buffer again, and a view would keep the whole chunk alive. */
  #hold(part: Uint8Array): void {
    if (this.#skipping || part.length === 0) return;
    const length = this.#heldBytes + part.length;
    if (length > this.#limit) {
      this.#held = NOTHING;
      this.#heldBytes = 0;
      this.#skipping = true;
      this.#sink.fault("too-long");
      return;
    }
    if (length > this.#held.length) {
      const larger = new Uint8Array(Math.min(this.#limit, Math.max(length, 2 * this.#held.length, 256)));
      larger.set(this.#held.subarray(0, this.#heldBytes));
      this.#held = larger;
    }
    this.#held.set(part, this.#heldBytes);
    this.#heldBytes = length;
  }

  #finishHeld(): void {
    if (this.#skipping) {
      this.#skipping = false;
      return;
    }
    const whole = this.#held.subarray(0, this.#heldBytes);
    if (this.#held.length > KEPT) this.#held = NOTHING;
    this.#heldBytes = 0;
    this.#one(whole);
  }

  /** Many whole lines at once: one decoding for all of them, unless one is too long or not UTF-8. */
  #lines(bytes: Uint8Array): void {
    let text: string | undefined;
    if (bytes.length <= this.#limit) text = this.#decode(bytes);
    if (text === undefined) return this.#oneByOne(bytes);
    let from = 0;
    for (let end = text.indexOf("\n"); end !== -1; end = text.indexOf("\n", from)) {
      this.#emit(text.slice(from, end));
      from = end + 1;
    }
    this.#emit(from === 0 ? text : text.slice(from));
  }

  #oneByOne(bytes: Uint8Array): void {
    let from = 0;
    for (let end = bytes.indexOf(NEWLINE); end !== -1; end = bytes.indexOf(NEWLINE, from)) {
      this.#one(bytes.subarray(from, end));
      from = end + 1;
    }
    this.#one(bytes.subarray(from));
  }

  #one(bytes: Uint8Array): void {
    if (bytes.length > this.#limit) return this.#sink.fault("too-long");
    const text = this.#decode(bytes);
    if (text === undefined) this.#sink.fault("not-utf-8");
    else this.#emit(text);
  }

  #emit(text: string): void {
    // Only what JSON calls white space makes a blank line; everything else is answered.
    if (text.charCodeAt(0) <= SPACE && /^[ \t\r]*$/.test(text)) return;
    if (text !== "") this.#sink.line(text);
  }
}

function webDecode(): Decode {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  return (bytes) => {
    try {
      return decoder.decode(bytes);
    } catch {
      return undefined;
    }
  };
}
