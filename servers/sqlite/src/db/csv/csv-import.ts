// Imports a CSV file into a table: all of its rows, or none.
import { statSync, type BigIntStats } from "node:fs";
import type Database from "better-sqlite3";
import { clip } from "@oarlock/domain-kit";
import { exceeds } from "../change/altered-rows.ts";
import { checkNoMoreBrokenKeys, countBrokenKeys } from "../change/deferred-keys.ts";
import type { Engine } from "../engine/engine.ts";
import { namingDeferredKey } from "../change/foreign-key-errors.ts";
import { RepeatedInsert } from "../change/repeated-insert.ts";
import { refusal } from "../errors.ts";
import { openPlace } from "../file-places.ts";
import { allowWrite } from "../policy/statement-policy.ts";
import type { ImportReply, ImportRequest, ReportProgress } from "../protocol/file-messages.ts";
import { columnsOf, quoteName } from "../schema/schema-pragmas.ts";
import { tableNotFound } from "../schema/table-description.ts";
import { tableNamed } from "../schema/table-list.ts";
import { columnTypeFor, keeps, type ColumnType } from "./column-types.ts";
import { CsvFile } from "./csv-reader.ts";
import { blobOf, fieldOf, isNull, isTruncatedBlob, numberOf, type Field, type SqlValue } from "./dialect.ts";

/** The first rows, by which the columns of a new table get their types. */
const SAMPLE_ROWS = 1000;
const MAX_COLUMNS = 1000;
const ROWS_PER_REPORT = 10_000;

export async function importCsv(engine: Engine, request: ImportRequest, reportProgress: ReportProgress): Promise<ImportReply> {
  const { db } = engine;
  if (/["\r\n]/.test(request.delimiter)) throw refusal("Invalid delimiter: quotes and line breaks cannot separate values.");
  const descriptor = openPlace(request.file, (stat) => {
    // Closing a second descriptor of the database file would release SQLite's locks on it.
    if (isSameFile(stat, engine.options.file)) throw refusal("Invalid path: this is the file of the database itself. Name a CSV file.");
  });
  await using file = await CsvFile.open(descriptor, request.delimiter);
  engine.beginWrite();
  try {
    const brokenBefore = request.dryRun ? countBrokenKeys(db) : 0;
    const { insert, ...imported } = await importRecords(engine, request, file, () => reportProgress(file.bytesRead, request.bytes));
    const also = insert.alsoChanged();
    const reply = { ...imported, ...also };
    if (request.dryRun) checkNoMoreBrokenKeys(db, brokenBefore);
    else {
      const altered = insert.altered();
      if (exceeds(altered, request)) return { ...reply, confirmation: { changes: altered.count, ...also } };
      namingDeferredKey(db, () => engine.commit());
    }
    return reply;
  } finally {
    engine.rollback();
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

async function importRecords(engine: Engine, request: ImportRequest, file: CsvFile, report: () => void): Promise<Imported> {
  let header: Header | undefined;
  const sample: Field[][] = [];
  let insert: RecordInsert | undefined;
  let rows = 0;
  for await (const record of file.records()) {
    if (header === undefined) {
      header = parseHeader(record);
      continue;
    }
    rows += 1;
    const fields = header.quotesEverything ? record.map(({ text }) => ({ text, isQuoted: false })) : record;
    if (insert !== undefined) insert.run(fields);
    else if (sample.push(fields) === SAMPLE_ROWS) insert = insertSample(engine, request, header.names, sample);
    if (rows % ROWS_PER_REPORT === 0) report();
  }
  if (header === undefined) throw refusal("The file is empty: expected a first line with the names of the columns.");
  insert ??= insertSample(engine, request, header.names, sample);
  return { table: request.table, rows, columns: header.names, insert };
}

function insertSample(engine: Engine, request: ImportRequest, names: readonly string[], sample: readonly Field[][]): RecordInsert {
  const insert = prepareInsert(engine, request, names, sample);
  for (const record of sample) insert.run(record);
  return insert;
}

interface Header {
  readonly names: string[];
  /** The program that wrote the file quotes every field, so quotes do not mark text. */
  readonly quotesEverything: boolean;
}

function parseHeader(fields: readonly Field[]): Header {
  const names = fields.map(({ text, isQuoted }) => (isQuoted ? text : text.trim()));
  if (names.length > MAX_COLUMNS) throw refusal(`Too many columns: the file has ${names.length}, the limit is ${MAX_COLUMNS}.`);
  if (names.some((name) => name.trim() === ""))
    throw refusal("Invalid header: a column has no name. The first line must name every column.");
  const lower = names.map((name) => name.toLowerCase());
  const duplicate = names.find((_, index) => lower.indexOf(lower[index] ?? "") !== index);
  if (duplicate !== undefined) throw refusal(`Invalid header: the column ${clip(duplicate)} is named twice. Rename one.`);
  const isPlain = (name: string): boolean => !fieldOf(name).isQuoted && !/[",;\t|\r\n]/.test(name);
  const quotesEverything = fields.every(({ isQuoted }) => isQuoted) && names.some(isPlain);
  return { names, quotesEverything };
}

interface RecordInsert {
  run(record: readonly Field[]): void;
  altered: RepeatedInsert["altered"];
  alsoChanged: RepeatedInsert["alsoChanged"];
}

/** Creates the table where that is wanted, and prepares its INSERT. */
function prepareInsert(
  engine: Engine,
  { table, create }: ImportRequest,
  names: readonly string[],
  sample: readonly Field[][],
): RecordInsert {
  const { db } = engine;
  const existing = tableNamed(db, table);
  if (existing !== undefined && create) throw refusal(`Table ${clip(table)} already exists. Leave out create to add to it.`);
  if (existing === undefined && !create) throw tableNotFound(db, table);
  const types = names.map((_, index): ColumnType => (create ? columnTypeFor(sample.flatMap((record) => record[index] ?? [])) : "TEXT"));
  if (create) {
    const columns = names.map((name, index) => `${quoteName(name)} ${types[index]}`);
    allowWrite(db, `CREATE TABLE ${quoteName(table)} (${columns.join(", ")})`).prepared.run();
  }
  const affinities = affinitiesOf(db, table, names, existing?.strict === true);
  const columnList = names.map((name) => quoteName(name)).join(", ");
  const allowed = allowWrite(db, `INSERT INTO ${quoteName(table)} (${columnList}) VALUES (${names.map(() => "?").join(", ")})`);
  const insert = new RepeatedInsert(engine, allowed);
  return {
    run(record) {
      const lost = record.findIndex((field, index) => !keeps(types[index] ?? "TEXT", field));
      if (lost !== -1) throw notKept(names[lost] ?? "", types[lost] ?? "TEXT", record[lost]?.text ?? "");
      insert.run(record.map((field, index) => valueOf(field, affinities[index] ?? "text")));
    },
    altered: () => insert.altered(),
    alsoChanged: () => insert.alsoChanged(),
  };
}

const notKept = (column: string, type: ColumnType, text: string): Error =>
  refusal(
    `The first rows make ${clip(column)} a column of type ${type}, which would change the value ${clip(text)}. Nothing was imported. Create the table with a TEXT column first, and leave out create.`,
  );

/** How a column converts what is inserted: https://sqlite.org/datatype3.html#determination_of_column_affinity */
type Affinity = "text" | "numeric" | "none";

function affinitiesOf(db: Database.Database, table: string, names: readonly string[], strict: boolean): Affinity[] {
  const types = new Map(columnsOf(db, table).map(({ name, type }) => [name.toLowerCase(), type]));
  return names.map((name) => affinityOf(types.get(name.toLowerCase()) ?? "", strict));
}

function affinityOf(type: string, strict: boolean): Affinity {
  if (strict && /^any$/i.test(type)) return "none";
  if (/int/i.test(type)) return "numeric";
  if (/char|clob|text/i.test(type)) return "text";
  return type === "" || /blob/i.test(type) ? "none" : "numeric";
}

/**
 * The value to insert. Numbers are inserted as text where the column converts them, because it then keeps what it cannot convert
 * (`007` in a TEXT column); where it converts nothing they are inserted as numbers.
 */
function valueOf(field: Field, affinity: Affinity): SqlValue {
  if (isNull(field)) return null;
  if (isTruncatedBlob(field))
    throw refusal(
      `The value ${clip(field.text, 40)} is a truncated BLOB. Nothing was imported. Export the complete rows with export_query.`,
    );
  const blob = blobOf(field);
  if (blob !== undefined) return blob;
  const isInfinity = affinity === "numeric" && /^-?Infinity$/.test(field.text);
  return affinity === "none" || isInfinity ? (numberOf(field) ?? field.text) : field.text;
}
