// Finds a character of a line by its column, in UTF-16 units from 1: as searches and edits count columns.
import { counted } from "@oarlock/domain-kit";
import { DiskError } from "../errors.ts";
import { afterNewline } from "../text/lines.ts";
import { decode, encode, unitOf, type Encoding } from "../text/encoding.ts";
import { BLOCK_BYTES, readInto } from "./byte-reader.ts";
import type { Reach } from "./line-seeker.ts";

/** The byte of the column in bytes that begin with the line. */
export function columnStart(bytes: Buffer, encoding: Encoding, line: number, column = 1): number {
  const after = afterNewline(bytes, encoding, 0);
  const end = after === -1 ? bytes.length : after - unitOf(encoding);
  const seeker = new ColumnSeeker(encoding, column);
  const at = seeker.find(bytes.subarray(0, end));
  if (at === undefined) throw pastEnd(line, column, seeker.seen);
  return at;
}

/** The bytes from the start of the line, at `reach.from`, to the column. */
export async function seekColumn(reach: Reach, line: number, column: number): Promise<number> {
  const seeker = new ColumnSeeker(reach.encoding, column);
  for (let at = reach.from; at < reach.size;) {
    const block = await readInto(reach.fd, Buffer.allocUnsafe(Math.min(BLOCK_BYTES, reach.size - at)), at, reach.signal);
    if (block.length === 0) break;
    const after = afterNewline(block, reach.encoding, 0);
    const found = seeker.find(after === -1 ? block : block.subarray(0, after - unitOf(reach.encoding)));
    if (found !== undefined) return at - reach.from + found;
    if (after !== -1) break;
    at += block.length;
  }
  throw pastEnd(line, column, seeker.seen);
}

/** Counts the characters of a line, block by block. */
class ColumnSeeker {
  /** Characters before the next block. */
  seen = 0;
  readonly #encoding: Encoding;
  readonly #column: number;

  constructor(encoding: Encoding, column: number) {
    this.#encoding = encoding;
    this.#column = column;
  }

  /** The byte in the block; undefined where the column lies behind it. A column at the end of a line is none of its characters. */
  find(block: Buffer): number | undefined {
    const wanted = this.#column - 1 - this.seen;
    const [length, at] = this.#measure(block, wanted);
    if (length > wanted || (this.#column === 1 && this.seen === 0)) return at;
    this.seen += length;
    return undefined;
  }

  /** The characters of the block, and the byte of the wanted one. */
  #measure(block: Buffer, wanted: number): [number, number] {
    if (this.#encoding === "utf-8") return utf8Units(block, wanted);
    if (unitOf(this.#encoding) === 2) return wideUnits(block, wanted, this.#encoding === "utf-16be");
    const text = decode(block, this.#encoding);
    if (text.length <= wanted) return [text.length, 0];
    return [text.length, encode(text.slice(0, firstColumn(wanted, text.charCodeAt(wanted))), this.#encoding).length];
  }
}

function wideUnits(bytes: Buffer, wanted: number, isBigEndian: boolean): [number, number] {
  const length = bytes.length >> 1;
  if (length <= wanted) return [length, 0];
  const unit = isBigEndian ? bytes.readUInt16BE(2 * wanted) : bytes.readUInt16LE(2 * wanted);
  return [length, 2 * firstColumn(wanted, unit)];
}

/** The second column of a character that has two belongs to it, so a text begins with the next character. */
const firstColumn = (column: number, unit: number): number => ((unit & 0xfc00) === 0xdc00 ? column + 1 : column);

/** UTF-16 units of UTF-8 bytes up to the wanted one, and its byte. A character may be divided between two blocks. */
function utf8Units(bytes: Buffer, wanted: number): [number, number] {
  let units = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    if ((byte & 0xc0) === 0x80) continue;
    if (units >= wanted) return [units + 1, at];
    units += byte >= 0xf0 ? 2 : 1;
  }
  return [units, bytes.length];
}

const pastEnd = (line: number, column: number, length: number): DiskError =>
  new DiskError("invalid", `startColumn ${column} is past the end of line ${line}: it has ${counted(length, "character")}.`);
