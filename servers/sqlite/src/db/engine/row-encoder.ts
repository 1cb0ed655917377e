// Rows as JSON text, within bounds. The text goes through the server as it is: rows as arrays for the structured content, and
// for the text block either objects, while they are few, or the arrays again, where names that are said once save much; or what
// table-text.ts makes of them.
import { DbError } from "../errors.ts";
import { inText } from "../protocol/frames.ts";
import type { Clipped, Column, Format, Room } from "../protocol/requests.ts";
import { tableText, type TableText } from "./row-formats.ts";

export type Value = string | number | bigint | null | Buffer;

/** A number that may be a rounded integer. The statement has to run again with exact integers. */
export class Inexact extends Error {}

/** What is sent of rows: JSON without the brackets around the whole. */
export interface Pieces {
  /** Rows as arrays, which are their text too, unless there is a `table` to stand inside a JSON text. */
  arrays(text: string, table?: string): void;
  /** All rows as objects, when there are few. */
  objects(text: string): void;
}

/** More rows are not told as objects. */
export const MOST_OBJECTS = 100;

/** Rows are encoded together, until they are so many or have so many characters. */
const TOGETHER = { rows: 200, characters: 60_000 };

export class RowsText {
  rowCount = 0;
  full = false;
  bytes = 0;
  readonly clipped: Clipped[] = [];
  readonly #columns: readonly Column[];
  readonly #room: Room;
  readonly #out: Pieces;
  #left: number;
  readonly #exact: boolean;
  readonly #table: TableText | undefined;
  /** What the table begins with, until it is sent. */
  #head = "";
  #waiting: Cell[][] = [];
  /** Those that wait, as the table has them. */
  #lines: string[] = [];
  #characters = 0;
  /** The first rows, as long as they may be told as objects. */
  #few: Cell[][] | undefined = [];
  #sent = false;

  /** `exact`: integers come as such, so no number is a rounded one. */
  constructor(columns: readonly Column[], room: Room, out: Pieces, exact: boolean, format: Format = "json") {
    this.#columns = columns;
    this.#room = room;
    this.#out = out;
    this.#left = room.bytes;
    this.#exact = exact;
    if (format === "json") return;
    this.#table = tableText(format, room.blob);
    this.#few = undefined;
    this.#head = this.#table.head(columns.map(({ name }) => name));
  }

  /** False when the row has no room: it is not taken, nor will be any other. The row becomes ours. */
  add(row: Value[]): boolean {
    if (this.full || this.rowCount === this.#room.limit) return this.#stop();
    const given = this.#table === undefined ? undefined : [...row];
    this.#characters += this.#plain(row);
    if (given !== undefined) this.#lines.push(this.#table?.line(given, row) ?? "");
    this.#waiting.push(row as Cell[]); // #plain has made it so
    this.rowCount += 1;
    return (this.#waiting.length < TOGETHER.rows && this.#characters < TOGETHER.characters) || this.#flush();
  }

  /** Sends what is left. */
  end(): void {
    this.#flush();
    if (this.#table !== undefined && !this.#sent) this.#out.arrays("", inText(this.#head));
    if (this.#few === undefined) return;
    const keys = keysOf(this.#columns);
    const objects = this.#few.map((row) => `{${row.map((cell, index) => `${keys[index]}${JSON.stringify(cell)}`).join(",")}}`);
    this.#out.objects(objects.join(","));
  }

  #stop(): false {
    this.full = true;
    return false;
  }

  #flush(): boolean {
    const [rows, lines] = [this.#waiting, this.#lines];
    if (rows.length === 0) return !this.full;
    if (rows[0]?.length !== this.#columns.length) throw new DbError("busy", "The tables were changed meanwhile; ask again");
    this.#waiting = [];
    this.#lines = [];
    this.#characters = 0;
    if (this.#send(rows, lines)) return true;
    // Too heavy together: as many of them as fit.
    this.rowCount -= rows.length;
    for (const [index, row] of rows.entries()) {
      if (!this.#send([row], lines.slice(index, index + 1))) break;
      this.rowCount += 1;
    }
    while ((this.clipped.at(-1)?.row ?? -1) >= this.rowCount) this.clipped.pop();
    return this.#stop();
  }

  /** False when there is no room for them. One row is sent nevertheless: a reply that is too large says so itself. */
  #send(rows: Cell[][], lines: readonly string[]): boolean {
    const text = JSON.stringify(rows).slice(1, -1);
    const bytes = Buffer.byteLength(text);
    const few = this.#few !== undefined && this.#few.length + rows.length <= MOST_OBJECTS;
    // The text block holds all this once more, with a backslash before each quote; objects bring their names.
    const names = few ? rows.length * this.#nameBytes : 0;
    const told = this.#table === undefined ? undefined : inText(this.#head + lines.join(""));
    const weight = told === undefined ? 2 * bytes + names + escapes(text, rows) : bytes + Buffer.byteLength(told);
    if (weight > this.#left && (this.#sent || rows.length > 1 || this.#room.noneIfTooLarge === true)) return false;
    this.#left -= weight;
    this.#out.arrays(this.#sent ? `,${text}` : text, told);
    this.#head = "";
    this.#sent = true;
    this.bytes += bytes;
    if (few) this.#few?.push(...rows);
    else this.#few = undefined;
    return true;
  }

  get #nameBytes(): number {
    let bytes = 2;
    for (const { name } of this.#columns) bytes += 2 * name.length * 3 + 8;
    return bytes;
  }

  /** Makes what JSON cannot hold into what it can, in place; gives about how many characters the row has. */
  #plain(row: Value[]): number {
    let characters = 0;
    for (let index = 0; index < row.length; index += 1) {
      const value = row[index] ?? null;
      if (typeof value === "string") {
        characters += value.length;
        if (value.length > this.#room.cell) row[index] = this.#cut(value, index);
      } else if (typeof value === "number") {
        if (!(value <= MOST_EXACT && value >= -MOST_EXACT)) row[index] = this.#number(value);
      } else if (value !== null) row[index] = this.#rare(value, index) as Value; // a cell by now
    }
    return characters;
  }

  #number(value: number): string | number {
    if (!Number.isFinite(value)) return String(value);
    if (!this.#exact && Math.abs(value) <= 2 ** 63) throw new Inexact();
    return value;
  }

  #rare(value: bigint | Buffer, index: number): Cell {
    if (typeof value === "bigint") return value <= MOST_EXACT && value >= -MOST_EXACT ? Number(value) : String(value);
    const { length } = value;
    const { blob } = this.#room;
    if (length > blob) this.#clip(index, length);
    return { bytes: length, base64: value.toString("base64", 0, Math.min(blob, length)) };
  }

  #cut(value: string, index: number): string {
    this.#clip(index, value.length);
    const text = value.slice(0, this.#room.cell);
    // Not in the middle of a character.
    return `${/[\uD800-\uDBFF]$/.test(text) ? text.slice(0, -1) : text}…`;
  }

  #clip(index: number, length: number): void {
    if (this.clipped.length < 100) this.clipped.push({ row: this.rowCount, column: this.#columns[index]?.name ?? "", length });
  }
}

/** A value as JSON has it. */
type Cell = string | number | null | { bytes: number; base64: string };

const MOST_EXACT = Number.MAX_SAFE_INTEGER;

/** How many characters of the rows' JSON text get a backslash when it stands in a JSON text itself. */
function escapes(text: string, rows: readonly Cell[][]): number {
  if (text.includes("\\")) return JSON.stringify(text).length - text.length;
  let quotes = 0;
  for (const row of rows) for (const cell of row) quotes += typeof cell === "string" ? 2 : typeof cell === "object" ? 6 : 0;
  return quotes;
}

/** Beginnings of the members of an object, kept for each statement. */
const known = new WeakMap<readonly Column[], string[]>();

/** Where columns have one name, the later ones get a number. */
export function keysOf(columns: readonly Column[]): string[] {
  const kept = known.get(columns);
  if (kept !== undefined) return kept;
  const taken = new Set(columns.map(({ name }) => name));
  const seen = new Set<string>();
  const keys = columns.map(({ name }) => {
    let key = name;
    for (let number = 2; seen.has(key); number += 1) key = taken.has(`${name}_${number}`) ? name : `${name}_${number}`;
    seen.add(key);
    return `${JSON.stringify(key)}:`;
  });
  known.set(columns, keys);
  return keys;
}
