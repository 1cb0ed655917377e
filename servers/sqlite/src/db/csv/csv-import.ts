// Imports a CSV file into a table: all of its rows, or none.
import { statSync, type BigIntStats } from "node:fs";
import { clip, systemErrorCode } from "@oarlock/domain-kit";
import { exceeds } from "../change/altered-rows.ts";
import { checkNoMoreBrokenKeys, countBrokenKeys } from "../change/deferred-keys.ts";
import type { Engine } from "../engine/engine.ts";
import { namingDeferredKey } from "../change/foreign-key-errors.ts";
import { requireTrustedOwner } from "../database-file.ts";
import { DbError, refusal } from "../errors.ts";
import { openPlace } from "../file-places.ts";
import type { ImportReply, ImportRequest, ReportProgress } from "../protocol/file-messages.ts";
import { DateFormat } from "./date-format.ts";
import { profileFile, rowsOf } from "./file-profile.ts";
import { importNotes } from "./import-notes.ts";
import { RecordInsert } from "./record-insert.ts";
import { CsvSource } from "./source/csv-source.ts";
import { storedRows } from "./stored-rows.ts";

const ROWS_PER_REPORT = 10_000;

export async function importCsv(engine: Engine, request: ImportRequest, reportProgress: ReportProgress): Promise<ImportReply> {
  const { db } = engine;
  const descriptor = openPlace(request.file, (stat) => {
    // Closing a second descriptor of the database file would release SQLite's locks on it.
    if (isSameFile(stat, engine.options.file)) throw refusal("Invalid path: this is the file of the database itself. Name a CSV file.");
    if (engine.options.lockdown === true) requireTrustedOwner(stat, request.file.name);
  });
  using source = await CsvSource.open(descriptor, request);
  engine.beginWrite();
  try {
    const brokenBefore = request.dryRun ? countBrokenKeys(db) : 0;
    const { insert, ...imported } = await importRows(engine, request, source, () => reportProgress(source.bytesRead, request.bytes));
    const also = insert.alsoChanged();
    const reply = { ...imported, ...also };
    const altered = insert.altered();
    const needsConfirmation = exceeds(altered, request);
    if (request.dryRun) {
      checkNoMoreBrokenKeys(db, brokenBefore);
      return { ...reply, ...(needsConfirmation && { needsConfirmation }) };
    }
    if (needsConfirmation) return { ...reply, confirmation: { changes: altered.count, ...also } };
    namingDeferredKey(db, () => engine.commit());
    return reply;
  } finally {
    engine.rollback();
  }
}

/** Names the line of the file whose values the table does not take. */
function namingLine(line: number, act: () => void): void {
  try {
    act();
  } catch (error) {
    if (!(error instanceof Error) || !/^(?:sql$|SQLITE_(?:CONSTRAINT|MISMATCH))/.test(systemErrorCode(error) ?? "")) throw error;
    throw new DbError("sql", `Line ${line}: ${error.message}${/[.?!…]$/.test(error.message) ? "" : "."} Nothing was imported.`);
  }
}

/** Compares the files themselves, not their names: a hard link is the same file. */
function isSameFile(one: BigIntStats, file: string): boolean {
  const two = statSync(file, { bigint: true, throwIfNoEntry: false });
  return one.dev === two?.dev && one.ino === two.ino;
}

interface Imported extends ImportReply {
  readonly insert: RecordInsert;
}

/** Reads the file twice: the types of columns depend on every value. */
async function importRows(engine: Engine, request: ImportRequest, source: CsvSource, report: () => void): Promise<Imported> {
  const { table, decimal, dateFormat, dryRun } = request;
  const formats = { decimal, date: dateFormat === undefined ? undefined : new DateFormat(dateFormat) };
  const options = {
    skipsRepeatedHeaders: request.skipRepeatedHeaders === true,
    skipsLongRows: request.skipLongRows === true,
    nulls: new Set(request.nulls),
  };
  const file = await profileFile(source, formats, options);
  const insert = new RecordInsert(engine, request, file, formats, source.layout);
  let rows = 0;
  for await (const [record, row, line] of rowsOf(source, file.names.length, options)) {
    rows += 1;
    namingLine(line, () => insert.run(record, row));
    if (rows % ROWS_PER_REPORT === 0) report();
  }
  const { encoding, layout } = source;
  const { delimiter, quote, skipLines, hasHeader, hasUnnamedIndex } = layout;
  return {
    table,
    rows,
    columns: insert.columns.map(({ name }) => name),
    types: insert.columns.map(({ type }) => type),
    detected: { encoding, delimiter, quote, skippedLines: skipLines, header: hasHeader },
    notes: importNotes(file, insert, formats, { hasHeader, hasUnnamedIndex, ...options }),
    ...(source.skippedText !== "" && { skippedText: clip(source.skippedText, 120) }),
    ...(dryRun && { firstRows: storedRows(engine.db, insert.columns, insert.firstValues) }),
    ...(dryRun && insert.numbers.size > 0 && { sums: Object.fromEntries(insert.numbers) }),
    insert,
  };
}
