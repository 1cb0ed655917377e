// The pipe between the server and a database process. A frame is a length (4 bytes), a kind (1 byte) and a body.
// Requests are JSON. Replies are JSON, or pieces of text that go to the client unchanged: encoding rows once, in the child, halves the
// time of a reply with 10,000 rows.

/** Kinds of frames from the child. Rows come in any number of pieces before their REPLY. */
export const REPLY = 0;
export const ERROR = 1;
export const PROGRESS = 2;
/** Rows as JSON arrays, which are also their text. */
export const ARRAYS = 3;
/** Rows as JSON objects, for the text. */
export const OBJECTS = 4;
/** Discards the rows sent so far: the statement runs again. */
export const RESTART = 5;
/** The process has started. */
export const READY = 6;
/** Rows as JSON arrays whose text comes in a TEXT frame. */
export const ARRAYS_ONLY = 7;
/** Text of the rows, already escaped for a JSON string. */
export const TEXT = 8;

export const HEADER_BYTES = 5;

/** The text as the inside of a JSON string, without the quotes. */
export const escapeForJson = (text: string): string => JSON.stringify(text).slice(1, -1);

export function frameOf(kind: number, body: Buffer | string): Buffer {
  const length = Buffer.byteLength(body);
  const frame = Buffer.allocUnsafe(HEADER_BYTES + length);
  frame.writeUInt32LE(length, 0);
  frame[4] = kind;
  if (typeof body === "string") frame.write(body, HEADER_BYTES);
  else body.copy(frame, HEADER_BYTES);
  return frame;
}

const NO_BYTES = Buffer.alloc(0);

/** Splits a stream of bytes into frames. `next` moves to the next complete frame; `kind`, `body` and `text` describe the current one. */
export class FrameReader {
  kind = ERROR;
  #buffer: Buffer = NO_BYTES;
  /** Where the next frame begins in the buffer. */
  #nextStart = 0;
  #bodyStart = 0;
  /** Chunks that are not in the buffer yet. */
  #chunks: Buffer[] = [];
  /** Bytes that are in no frame yet, and how many the next step needs. */
  #available = 0;
  #needed = HEADER_BYTES;

  push(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#available += chunk.length;
  }

  /** False when the next frame is not complete. */
  next(): boolean {
    if (this.#available < this.#needed) return false;
    if (this.#chunks.length > 0) this.#joinChunks();
    const frameBytes = HEADER_BYTES + this.#buffer.readUInt32LE(this.#nextStart);
    if (this.#available < frameBytes) {
      this.#needed = frameBytes;
      return false;
    }
    this.kind = this.#buffer[this.#nextStart + 4] ?? ERROR;
    this.#bodyStart = this.#nextStart + HEADER_BYTES;
    this.#nextStart += frameBytes;
    this.#available -= frameBytes;
    this.#needed = HEADER_BYTES;
    return true;
  }

  get body(): Buffer {
    return this.#buffer.subarray(this.#bodyStart, this.#nextStart);
  }

  get text(): string {
    return this.#buffer.toString("utf8", this.#bodyStart, this.#nextStart);
  }

  #joinChunks(): void {
    const rest = this.#buffer.subarray(this.#nextStart);
    const all = rest.length === 0 ? this.#chunks : [rest, ...this.#chunks];
    this.#buffer = all.length === 1 ? (all[0] ?? NO_BYTES) : Buffer.concat(all);
    this.#nextStart = 0;
    this.#chunks = [];
  }
}
