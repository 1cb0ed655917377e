// Exports all rows of a query to a new file: CSV, JSON or JSON lines.
import { closeSync, fsyncSync, writeSync } from "node:fs";
import { columnKeys } from "../rows/column-keys.ts";
import { realCell } from "../rows/real-columns.ts";
import type { Engine } from "../engine/engine.ts";
import { exactInteger } from "../engine/engine.ts";
import { retryWhileBusy } from "../engine/lock-retry.ts";
import { createPlace } from "../file-places.ts";
import type { ExportReply, ExportRequest, FilePlace, ReportProgress } from "../protocol/file-messages.ts";
import type { Column } from "../protocol/rows.ts";
import { boundParams } from "../engine/bound-params.ts";
import { fieldOf, type SqlValue } from "./dialect.ts";
import { isLikeFormula } from "./formulas.ts";
import { CSV } from "./text-formats.ts";

const BATCH_ROWS = 500;
/** A batch ends earlier where its values are long, in UTF-16 units. */
const BATCH_LENGTH = 256 * 1024;
const ROWS_PER_REPORT = 10_000;

export function exportRows(engine: Engine, request: ExportRequest, reportProgress: ReportProgress): ExportReply {
  const { statement, prepared, columns, texts, missingCollation } = engine.allowed(request.sql, "read");
  const values = boundParams(engine.db, statement, request.params);
  const format = FORMATS[request.format](columns);
  using file = new NewFile(request.file);
  file.write(format.start);
  const mayBeSpreadsheet = request.format === "csv";
  let hasFormulas = mayBeSpreadsheet && columns.some(({ name }) => isLikeFormula(name));
  let rows = 0;
  let batch: SqlValue[][] = [];
  let batchLength = 0;
  const writeBatch = (): void => {
    file.write(format.rows(batch, rows - batch.length));
    batch = [];
    batchLength = 0;
  };
  retryWhileBusy(() => {
    for (const row of prepared.safeIntegers(true).iterate(...values) as Iterable<SqlValue[]>) {
      rows += 1;
      batch.push(row);
      batchLength += lengthOf(row);
      hasFormulas ||= mayBeSpreadsheet && row.some((value) => typeof value === "string" && isLikeFormula(value));
      if (batch.length === BATCH_ROWS || batchLength > BATCH_LENGTH) writeBatch();
      if (rows % ROWS_PER_REPORT === 0) reportProgress(rows, 0);
    }
  });
  writeBatch();
  file.write(format.end);
  file.sync();
  return { rows, bytes: file.bytes, hasReplacementCharacter: file.hasReplacementCharacter, hasFormulas, texts, missingCollation };
}

const lengthOf = (row: readonly SqlValue[]): number =>
  row.reduce<number>((sum, value) => sum + (typeof value === "string" || Buffer.isBuffer(value) ? value.length : 8), 0);

interface FileFormat {
  readonly start: string;
  rows(batch: readonly SqlValue[][], rowsBefore: number): string;
  readonly end: string;
}

const FORMATS: Readonly<Record<ExportRequest["format"], (columns: readonly Column[]) => FileFormat>> = {
  csv: (columns) => ({
    start: CSV.header(columns.map(({ name }) => name)),
    rows: (batch) => CSV.rows(batch.map((row) => row.map((value) => fieldOf(value)))),
    end: "",
  }),
  json: (columns) => ({
    start: "[",
    rows: (batch, rowsBefore) =>
      batch.map((row, index) => `${rowsBefore + index > 0 ? ",\n" : ""}${jsonObject(columnKeys(columns), row)}`).join(""),
    end: "]\n",
  }),
  jsonl: (columns) => ({
    start: "",
    rows: (batch) => batch.map((row) => `${jsonObject(columnKeys(columns), row)}\n`).join(""),
    end: "",
  }),
};

const jsonObject = (keys: readonly string[], row: readonly SqlValue[]): string =>
  `{${row.map((value, index) => `${keys[index]}${JSON.stringify(jsonValue(value))}`).join(",")}}`;

function jsonValue(value: SqlValue): unknown {
  if (Buffer.isBuffer(value)) return { bytes: value.length, base64: value.toString("base64") };
  if (typeof value === "bigint") return exactInteger(value);
  return typeof value === "number" ? (Number.isFinite(value) ? realCell(value) : String(value)) : value;
}

class NewFile implements Disposable {
  bytes = 0;
  hasReplacementCharacter = false;
  readonly #descriptor: number;

  constructor(place: FilePlace) {
    this.#descriptor = createPlace(place);
  }

  write(text: string): void {
    const buffer = Buffer.from(text);
    for (let at = 0; at < buffer.length;) at += writeSync(this.#descriptor, buffer, at);
    this.bytes += buffer.length;
    this.hasReplacementCharacter ||= text.includes("\uFFFD");
  }

  sync(): void {
    fsyncSync(this.#descriptor);
  }

  [Symbol.dispose](): void {
    closeSync(this.#descriptor);
  }
}
