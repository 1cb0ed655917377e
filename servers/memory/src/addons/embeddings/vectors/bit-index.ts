// The bits of all vectors in memory. One pass finds those nearest to a query: a search among 300,000 takes 22 ms instead of 64 ms with a function of
// SQL for each. They are read once, in half a second, and take 60 bytes each where vectors have 384 numbers.
import type { SqlConnection } from "../../../graph/sqlite/sql-connection.ts";

/** Rows that are read at a time. */
const CHUNK = 10_000;
const WORD_BYTES = 4;
const WORD_BITS = 8 * WORD_BYTES;

export class BitIndex {
  readonly #sql: SqlConnection;
  /** Identifies the rows that have been read; others may only have been added or deleted since. */
  #version: unknown;
  #count = 0;
  /** 32-bit numbers of each vector. */
  #width = 0;
  #ids = new Float64Array();
  #bits = new Uint32Array();
  /** The same memory. */
  #bytes = new Uint8Array();
  #distances = new Uint16Array();
  /** Of the rows that have been read. */
  #lowest = 0;
  #highest = 0;

  constructor(sql: SqlConnection) {
    this.#sql = sql;
  }

  /** Forgets the rows, which are read again. Deleted ones are then no longer among them. */
  clear(): void {
    [this.#count, this.#lowest, this.#highest] = [0, 0, 0];
  }

  /** Ids of the vectors whose bits differ least; deleted ones may be among them. */
  nearest(bits: Uint8Array, most: number): number[] {
    this.#width = Math.ceil(bits.length / WORD_BYTES);
    this.#readNew();
    const counts = this.#measure(toWords(bits, this.#width));
    let limit = 0;
    for (let within = counts[0] ?? 0; within < most && limit < counts.length;) within += counts[++limit] ?? 0;
    const ids: number[] = [];
    // Those at the limit are more than there is place for.
    for (const isWanted of [(distance: number) => distance < limit, (distance: number) => distance === limit])
      for (let at = 0; at < this.#count && ids.length < most; at++) if (isWanted(this.#distances[at] ?? 0)) ids.push(this.#ids[at] ?? 0);
    return ids;
  }

  /** How many vectors have each distance. */
  #measure(query: Uint32Array): Uint32Array {
    const [width, bits, distances] = [this.#width, this.#bits, this.#distances];
    const counts = new Uint32Array(width * WORD_BITS + 1);
    for (let at = 0, word = 0; at < this.#count; at++) {
      let distance = 0;
      for (let index = 0; index < width; index++) distance += countOnes((bits[word++] ?? 0) ^ (query[index] ?? 0));
      distances[at] = distance;
      counts[distance] = (counts[distance] ?? 0) + 1;
    }
    return counts;
  }

  /** Entities have negative ids, so rows are added at both ends. */
  #readNew(): void {
    const version = this.#sql.get<{ value: unknown }>("SELECT value FROM state WHERE key = 'bitsVersion'")?.value;
    if (version !== this.#version) this.clear();
    this.#version = version;
    this.#read("SELECT id, value FROM bits WHERE id > ? ORDER BY id LIMIT ?", () => this.#highest);
    this.#read("SELECT id, value FROM bits WHERE id < ? ORDER BY id DESC LIMIT ?", () => this.#lowest);
  }

  #read(select: string, end: () => number): void {
    for (let read = CHUNK; read === CHUNK;) {
      const rows = this.#sql.tuples<[number, Buffer]>(select, end(), CHUNK);
      this.#reserve(this.#count + rows.length);
      for (const [id, value] of rows) this.#add(id, value);
      read = rows.length;
    }
  }

  #add(id: number, value: Buffer): void {
    this.#bytes.set(value, this.#count * this.#width * WORD_BYTES);
    this.#ids[this.#count++] = id;
    this.#lowest = Math.min(this.#lowest, id);
    this.#highest = Math.max(this.#highest, id);
  }

  #reserve(count: number): void {
    if (count <= this.#ids.length && count * this.#width <= this.#bits.length) return;
    const capacity = Math.ceil(count * 1.25);
    const [ids, bits] = [this.#ids, this.#bits];
    this.#ids = new Float64Array(capacity);
    this.#bits = new Uint32Array(capacity * this.#width);
    this.#bytes = new Uint8Array(this.#bits.buffer);
    this.#distances = new Uint16Array(capacity);
    this.#ids.set(ids.subarray(0, this.#count));
    this.#bits.set(bits.subarray(0, this.#count * this.#width));
  }
}

/** A copy, as the bytes may stand at any address. */
function toWords(bytes: Uint8Array, width: number): Uint32Array {
  const words = new Uint32Array(width);
  new Uint8Array(words.buffer).set(bytes);
  return words;
}

/** The ones in a 32-bit number, counted in parallel by pairs, fours and bytes. */
function countOnes(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
