// Encodes rows as JSON text within limits. The text goes through the server unchanged: rows as arrays for the structured content, and for
// the text block either objects while rows are few, or the arrays again, where each column name stands once; or CSV or Markdown.
import { escapeControlsInJson, truncateText } from "@oarlock/domain-kit";
import { fieldOf, type Field, type SqlValue } from "../csv/dialect.ts";
import { TEXT_FORMATS, type TextFormat } from "../csv/text-formats.ts";
import { DbError } from "../errors.ts";
import { escapeForJson } from "../protocol/frames.ts";
import type { ClippedValue, Column, Format, RowLimits } from "../protocol/rows.ts";
import { columnKeys } from "./column-keys.ts";
import { holdsReals, realCell } from "./real-columns.ts";

/** A number that may be a rounded integer. The statement has to run again with `bigint`. */
export class InexactInteger extends Error {}

/** Receives rows: JSON without the brackets around the whole list. */
export interface RowOutput {
  /** Rows as arrays. Their JSON is also the text of the reply, unless `text` is given, which is escaped for a JSON string. */
  arrays(json: string, text?: string): void;
  /** All rows as objects, where they are few. */
  objects(json: string): void;
  /** Discards everything received so far. */
  restart(): void;
}

export interface EncoderOptions {
  /** Whether integers come as `bigint`, so that no number is a rounded integer. */
  readonly usesBigInts: boolean;
  /** Default: JSON. */
  readonly format?: Format | undefined;
}

/** With more rows, objects would repeat the column names too often. */
export const MAX_OBJECTS = 100;

/** Where fewer rows fit as objects, the names stand once. */
const MIN_OBJECTS = 10;

/** Rows are encoded in batches: JSON.stringify of many rows is faster than of each. */
const MAX_BATCH_ROWS = 200;
const MAX_BATCH_LENGTH = 60_000;
/** A batch that exceeds the limits is encoded again row by row, so it is a small part of them. */
const BATCH_SHARE = 1 / 4;

const MAX_CLIPPED = 100;

/** A value in JSON. */
type Cell = string | number | null | object;

/** Bytes that a reply has for its columns besides its rows. */
const COLUMN_BYTES = 4000;
const MIN_BYTES = 1000;

/** What the columns take of the room for rows: they stand in the structured content, and their names in the text. */
const columnBytes = (columns: readonly Column[]): number => Math.max(0, 2 * Buffer.byteLength(JSON.stringify(columns)) - COLUMN_BYTES);

export class RowEncoder {
  rowCount = 0;
  /** Rows were left out: a limit was reached. */
  isFull = false;
  /** JSON bytes of the rows as arrays. */
  bytes = 0;
  readonly clipped: ClippedValue[] = [];
  readonly #columns: readonly Column[];
  readonly #limits: RowLimits;
  readonly #output: RowOutput;
  readonly #usesBigInts: boolean;
  /** Of each column: a number in it is a REAL. */
  readonly #isReal: readonly boolean[];
  readonly #format: TextFormat | undefined;
  readonly #maxBatchLength: number;
  #bytesLeft: number;
  #textBytesLeft: number;
  /** The header of the text, until it is sent. */
  #header = "";
  #batch: Cell[][] = [];
  /** The rows of the batch as fields of the text format. */
  #batchFields: Field[][] = [];
  #batchLength = 0;
  /** All rows, as long as they may be sent as objects. */
  #objectRows: Cell[][] | undefined = [];
  #hasSent = false;

  constructor(columns: readonly Column[], limits: RowLimits, output: RowOutput, { usesBigInts, format = "json" }: EncoderOptions) {
    this.#columns = columns;
    this.#limits = limits;
    this.#output = output;
    this.#bytesLeft = Math.max(Math.min(MIN_BYTES, limits.maxBytes), limits.maxBytes - columnBytes(columns));
    this.#textBytesLeft = limits.maxTextBlockBytes ?? Infinity;
    this.#maxBatchLength = Math.min(MAX_BATCH_LENGTH, Math.min(limits.maxBytes, this.#textBytesLeft) * BATCH_SHARE);
    this.#usesBigInts = usesBigInts;
    this.#isReal = columns.map((column) => usesBigInts || holdsReals(column) === "always");
    if (format === "json") return;
    this.#format = TEXT_FORMATS[format];
    this.#objectRows = undefined;
    this.#header = this.#format.header(columns.map(({ name }) => name));
  }

  /**
   * Takes a row and changes it in place. False: a limit is reached, and neither this row nor a further one is taken.
   * @param fullLengths Bytes of values that the statement itself has cut; null for the others.
   */
  add(row: SqlValue[], fullLengths?: readonly SqlValue[]): boolean {
    if (this.isFull || this.rowCount === this.#limits.maxRows) return this.#stop();
    const values = this.#format === undefined ? undefined : [...row];
    this.#batchLength += this.#toCells(row, fullLengths);
    if (values !== undefined) this.#batchFields.push(this.#toFields(values, row));
    this.#batch.push(row as Cell[]); // #toCells has replaced every other value
    this.rowCount += 1;
    return (this.#batch.length < MAX_BATCH_ROWS && this.#batchLength < this.#maxBatchLength) || this.#flush();
  }

  /** Sends what is left. */
  end(): void {
    this.#flush();
    if (this.#format !== undefined && !this.#hasSent) this.#output.arrays("", escapeForJson(this.#header));
    if (this.#objectRows === undefined) return;
    const keys = columnKeys(this.#columns);
    const objects = this.#objectRows.map((row) => `{${row.map((cell, index) => `${keys[index]}${JSON.stringify(cell)}`).join(",")}}`);
    this.#output.objects(escapeControlsInJson(objects.join(",")));
  }

  #stop(): false {
    this.isFull = true;
    return false;
  }

  #flush(): boolean {
    const [rows, fields] = [this.#batch, this.#batchFields];
    if (rows.length === 0) return !this.isFull;
    if (rows[0]?.length !== this.#columns.length) throw new DbError("busy", "The tables were changed while the statement ran. Try again.");
    this.#batch = [];
    this.#batchFields = [];
    this.#batchLength = 0;
    if (this.#send(rows, fields)) return true;
    // The batch is too large: send as many of its rows as fit.
    this.rowCount -= rows.length;
    for (const [index, row] of rows.entries()) {
      if (!this.#send([row], fields.slice(index, index + 1))) break;
      this.rowCount += 1;
    }
    while ((this.clipped.at(-1)?.row ?? -1) >= this.rowCount) this.clipped.pop();
    return this.#stop();
  }

  /** False: the rows are larger than what is left. A first row is sent all the same, see {@link RowLimits.omitOversizedRow}. */
  #send(rows: Cell[][], fields: readonly Field[][]): boolean {
    const json = escapeControlsInJson(JSON.stringify(rows).slice(1, -1));
    const jsonBytes = Buffer.byteLength(json);
    const text = this.#format === undefined ? undefined : escapeForJson(this.#header + this.#format.rows(fields));
    const asObjects = this.#objectRows !== undefined && this.#objectRows.length + rows.length <= MAX_OBJECTS;
    const textBytes = text === undefined ? jsonBytes + addedByEscaping(json, rows) : Buffer.byteLength(text);
    const blockBytes = textBytes + (asObjects ? rows.length * this.#nameBytes() : 0);
    const mustSend = !this.#hasSent && rows.length === 1 && this.#limits.omitOversizedRow !== true;
    if (jsonBytes + blockBytes > this.#bytesLeft || blockBytes > this.#textBytesLeft) {
      if (asObjects && this.#hasManyNames()) {
        this.#listNamesOnce();
        return this.#send(rows, fields);
      }
      if (!mustSend) return false;
    }
    this.#bytesLeft -= jsonBytes + blockBytes;
    this.#textBytesLeft -= blockBytes;
    this.#output.arrays(this.#hasSent ? `,${json}` : json, text);
    this.#header = "";
    this.#hasSent = true;
    this.bytes += jsonBytes;
    if (asObjects) this.#objectRows?.push(...rows);
    else this.#objectRows = undefined;
    return true;
  }

  /** Whether the names alone leave room for less than {@link MIN_OBJECTS} rows. */
  #hasManyNames(): boolean {
    return MIN_OBJECTS * this.#nameBytes() > Math.min(this.#limits.maxBytes, this.#limits.maxTextBlockBytes ?? Infinity);
  }

  /** Gives back what the names take in each row, for a list of them. */
  #listNamesOnce(): void {
    const header = Buffer.byteLength(JSON.stringify(JSON.stringify(this.#columns.map(({ name }) => name))));
    const saved = (this.#objectRows?.length ?? 0) * this.#nameBytes() - header;
    this.#objectRows = undefined;
    this.#bytesLeft += saved;
    this.#textBytesLeft += saved;
  }

  /** An upper bound of the bytes that the column names add to a row as an object. */
  #nameBytes(): number {
    let bytes = 2;
    for (const { name } of this.#columns) bytes += 2 * name.length * 3 + 8;
    return bytes;
  }

  /** Replaces values that JSON cannot hold or that are too long. Returns roughly how many characters the row has. */
  #toCells(row: SqlValue[], fullLengths?: readonly SqlValue[]): number {
    let length = 0;
    for (let index = 0; index < row.length; index += 1) {
      const value = row[index] ?? null;
      if (typeof value === "string") {
        length += value.length;
        const full = Number(fullLengths?.[index] ?? value.length);
        if (full > this.#limits.maxTextLength) row[index] = this.#clipText(value, index, full);
      } else if (typeof value === "number") {
        if (!(value <= Number.MAX_SAFE_INTEGER && value >= -Number.MAX_SAFE_INTEGER)) row[index] = this.#largeNumber(value);
        else if (this.#isReal[index] === true && Number.isInteger(value)) row[index] = realCell(value) as SqlValue; // a cell by now
      } else if (typeof value === "bigint") row[index] = Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
      else if (value !== null) {
        length += Math.min(value.length, this.#limits.maxBlobBytes);
        row[index] = this.#blobCell(value, index, Number(fullLengths?.[index] ?? value.length)) as unknown as SqlValue; // a cell by now
      }
    }
    return length;
  }

  /** Texts are truncated as in their cells; BLOBs are written as such, not as their cells. */
  #toFields(values: readonly SqlValue[], cells: readonly SqlValue[]): Field[] {
    const { maxBlobBytes } = this.#limits;
    return values.map((value, index) => fieldOf(typeof value === "string" ? (cells[index] ?? "") : value, maxBlobBytes));
  }

  #largeNumber(value: number): SqlValue {
    if (!Number.isFinite(value)) return String(value);
    if (!this.#usesBigInts && Math.abs(value) <= 2 ** 63) throw new InexactInteger();
    return realCell(value) as SqlValue; // a cell by now
  }

  #blobCell(value: Buffer, index: number, length: number): Cell {
    const { maxBlobBytes } = this.#limits;
    if (length > maxBlobBytes) this.#noteClipped(index, length);
    return { bytes: length, base64: value.toString("base64", 0, Math.min(maxBlobBytes, length)) };
  }

  #clipText(value: string, index: number, length: number): string {
    this.#noteClipped(index, length);
    return truncateText(value, this.#limits.maxTextLength);
  }

  #noteClipped(index: number, length: number): void {
    if (this.clipped.length < MAX_CLIPPED) this.clipped.push({ row: this.rowCount, column: this.#columns[index]?.name ?? "", length });
  }
}

/** How many characters are added when the JSON text of the rows is escaped for a JSON string. */
function addedByEscaping(json: string, rows: readonly Cell[][]): number {
  if (json.includes("\\")) return JSON.stringify(json).length - json.length;
  let quotes = 0;
  for (const row of rows)
    for (const cell of row) quotes += typeof cell === "string" ? 2 : cell !== null && typeof cell === "object" ? 6 : 0;
  return quotes;
}
