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

/** Cuts a stream of bytes into frames, whatever pieces it comes in. */
export class FrameReader {
  #pieces: Buffer[] = [];
  #held = 0;
  #wanted = HEAD_BYTES;

  *push(chunk: Buffer): Generator<{ kind: number; body: Buffer }> {
    this.#pieces.push(chunk);
    this.#held += chunk.length;
    while (this.#held >= this.#wanted) {
      const all = this.#pieces.length === 1 ? (this.#pieces[0] ?? chunk) : Buffer.concat(this.#pieces);
      const length = all.readUInt32LE(0);
      if (all.length < HEAD_BYTES + length) {
        this.#pieces = [all];
        this.#wanted = HEAD_BYTES + length;
        return;
      }
      const rest = all.subarray(HEAD_BYTES + length);
      this.#pieces = rest.length === 0 ? [] : [rest];
      this.#held = rest.length;
      this.#wanted = HEAD_BYTES;
      yield { kind: all[4] ?? FAILED, body: all.subarray(HEAD_BYTES, HEAD_BYTES + length) };
    }
  }
}
