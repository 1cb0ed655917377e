// What a server and its database processes say to each other over a pipe: a length, a kind, and bytes.
// Requests are JSON; answers are JSON, or pieces of text that go to the client as they are.

/** Kinds of frames from the child. Rows come in as many pieces as they need before their `done`. */
export const DONE = 0;
export const FAILED = 1;
export const PROGRESS = 2;
/** A piece of the rows as JSON arrays, which is their text too. */
export const ARRAYS = 3;
/** A piece of the rows as JSON objects, encoded once more to stand inside a JSON text. */
export const OBJECTS = 4;
/** The pieces sent until now are void; they come again. */
export const AGAIN = 5;

/** The process has started. */
export const READY = 6;
/** A piece of the rows as JSON arrays, whose text comes apart. */
export const ROWS = 7;
/** A piece of that text, encoded to stand inside a JSON text. */
export const TEXT = 8;

export const HEAD_BYTES = 5;

/** A text as it stands inside a JSON text. */
export const inText = (text: string): string => JSON.stringify(text).slice(1, -1);

export function frameOf(kind: number, body: Buffer | string): Buffer {
  const length = Buffer.byteLength(body);
  const frame = Buffer.allocUnsafe(HEAD_BYTES + length);
  frame.writeUInt32LE(length, 0);
  frame[4] = kind;
  if (typeof body === "string") frame.write(body, HEAD_BYTES);
  else body.copy(frame, HEAD_BYTES);
  return frame;
}

const NOTHING = Buffer.alloc(0);

/** Cuts a stream of bytes into frames, whatever pieces it comes in. `next` goes to the next whole one; it is there until then. */
export class FrameReader {
  kind = FAILED;
  /** What is being cut, and how far. */
  #bytes: Buffer = NOTHING;
  #at = 0;
  #from = 0;
  /** What came since. */
  #more: Buffer[] = [];
  /** Bytes that are not cut yet, and how many are needed to go on. */
  #held = 0;
  #wanted = HEAD_BYTES;

  push(chunk: Buffer): void {
    this.#more.push(chunk);
    this.#held += chunk.length;
  }

  /** False when the rest of it has not come yet. */
  next(): boolean {
    if (this.#held < this.#wanted) return false;
    if (this.#more.length > 0) this.#join();
    const all = HEAD_BYTES + this.#bytes.readUInt32LE(this.#at);
    if (this.#held < all) {
      this.#wanted = all;
      return false;
    }
    this.kind = this.#bytes[this.#at + 4] ?? FAILED;
    this.#from = this.#at + HEAD_BYTES;
    this.#at += all;
    this.#held -= all;
    this.#wanted = HEAD_BYTES;
    return true;
  }

  get body(): Buffer {
    return this.#bytes.subarray(this.#from, this.#at);
  }

  get text(): string {
    return this.#bytes.toString("utf8", this.#from, this.#at);
  }

  #join(): void {
    const rest = this.#bytes.subarray(this.#at);
    const all = rest.length === 0 ? this.#more : [rest, ...this.#more];
    this.#bytes = all.length === 1 ? (all[0] ?? NOTHING) : Buffer.concat(all);
    this.#at = 0;
    this.#more = [];
  }
}
