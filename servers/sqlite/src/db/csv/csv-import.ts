// A CSV file into a table: all of its rows or none.
import { createReadStream, statSync } from "node:fs";
import { Readable } from "node:stream";
import { TextDecoder } from "node:util";
import type Database from "better-sqlite3";
import { DbError, refused, shown } from "../errors.ts";
import type { ImportAsked, ImportTold } from "../protocol/requests.ts";
import { noSuchTable } from "../schema/table-description.ts";
import { brokenIn, mustKeep } from "../engine/deferred-keys.ts";
import type { Engine } from "../engine/engine.ts";
import { codeOf } from "../engine/lock-retry.ts";
import { keeps, kindOf, type Kind } from "./column-types.ts";
import { tablesOf } from "../schema/table-list.ts";
import { quoted } from "../schema/schema-pragmas.ts";
import { vetWrite } from "../policy/statement-policy.ts";

/** Rows from which the kinds of the columns of a new table are told. */
const LOOKED_AT = 1000;
const MOST_COLUMNS = 1000;

export async function importCsv(engine: Engine, asked: ImportAsked, progress: (done: number, total: number) => void): Promise<ImportTold> {
  const { db } = engine;
  if (isSame(asked.file, engine.place.file)) throw refused("path: this is the file of the database itself, not CSV");
  if (/["\r\n]/.test(asked.delimiter)) throw refused("delimiter: a quote or the end of a line cannot stand between values");
  const { CsvError, parse } = await import("csv-parse");
  const parser = parse({
    delimiter: asked.delimiter,
    bom: true,
    relax_column_count: false,
    skip_empty_lines: true,
    max_record_size: 4_000_000,
  });
  const stream = createReadStream(asked.file, { highWaterMark: 256 * 1024 });
  const texts = Readable.from(checked(stream));
  texts.once("error", (error) => parser.destroy(error));
  texts.pipe(parser);
  engine.begin();
  try {
    const before = asked.dryRun ? brokenIn(db) : 0;
    const told = await fill(db, asked, parser as AsyncIterable<string[]>, () => progress(stream.bytesRead, asked.bytes));
    if (asked.dryRun) mustKeep(db, before);
    else engine.commit();
    return told;
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const { message } = error;
    const told = message.length > 300 ? `${message.slice(0, 300)}…` : message;
    throw new DbError("sql", `The file is not well-formed CSV: ${told}. Nothing was imported`);
  } finally {
    stream.destroy();
    if (db.inTransaction) db.exec("ROLLBACK");
  }
}

/** Whatever they are called. Who closes the file of a database gives up the locks that the same process holds on it. */
function isSame(file: string, other: string): boolean {
  const [one, two] = [statSync(file, { throwIfNoEntry: false }), statSync(other, { throwIfNoEntry: false })];
  return one !== undefined && one.dev === two?.dev && one.ino === two.ino;
}

/** The bytes of a text. What is none in the encoding that it begins with would come with signs in its place: it is refused. */
async function* checked(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let decoder: TextDecoder | undefined;
  try {
    for await (const chunk of bytes) {
      decoder ??= new TextDecoder(chunk[0] === 0xff && chunk[1] === 0xfe ? "utf-16le" : "utf-8", { fatal: true });
      decoder.decode(chunk, { stream: true });
      yield chunk;
    }
    decoder?.decode();
  } catch (error) {
    if (codeOf(error) !== "ERR_ENCODING_INVALID_ENCODED_DATA") throw error;
    throw new DbError("sql", "The file is no text in UTF-8; save it in that encoding. Nothing was imported");
  }
}

async function fill(
  db: Database.Database,
  asked: ImportAsked,
  records: AsyncIterable<string[]>,
  progress: () => void,
): Promise<ImportTold> {
  let header: string[] | undefined;
  let first: string[][] | undefined = [];
  let insert: ((row: readonly string[]) => void) | undefined;
  let rows = 0;
  const start = (): void => {
    insert = inserterFor(db, asked, header ?? [], first ?? []);
    for (const row of first ?? []) insert(row);
    first = undefined;
  };
  for await (const record of records) {
    if (header === undefined) header = headerOf(record);
    else {
      rows += 1;
      if (first !== undefined) first.push(record);
      else insert?.(record);
      if (first?.length === LOOKED_AT) start();
      if (rows % 10_000 === 0) progress();
    }
  }
  if (header === undefined) throw refused("The file is empty: expected a first line with the names of the columns");
  if (first !== undefined) start();
  return { table: asked.table, rows, columns: header };
}

function headerOf(names: readonly string[]): string[] {
  const header = names.map((name) => name.trim());
  if (header.length > MOST_COLUMNS) throw refused(`The file has ${header.length} columns; at most ${MOST_COLUMNS} are taken`);
  const wrong = header.find(
    (name, index) => name === "" || header.findIndex((other) => other.toLowerCase() === name.toLowerCase()) !== index,
  );
  if (wrong !== undefined)
    throw refused(`The first line must name each column once, and ${wrong === "" ? "one has no name" : `${shown(wrong)} stands twice`}`);
  return header;
}

function inserterFor(
  db: Database.Database,
  { table, create }: ImportAsked,
  header: readonly string[],
  first: readonly (readonly string[])[],
): (row: readonly string[]) => void {
  const exists = tablesOf(db).some(({ name }) => name.toLowerCase() === table.toLowerCase());
  if (exists && create) throw refused(`There is a table ${shown(table)} already; leave out create to add to it`);
  if (!exists && !create) throw noSuchTable(db, table);
  const kinds = header.map((_, index): Kind => (create ? kindOf(first.map((row) => row[index] ?? "")) : "TEXT"));
  if (create) {
    const columns = header.map((name, index) => `${quoted(name)} ${kinds[index]}`);
    vetWrite(db, `CREATE TABLE ${quoted(table)} (${columns.join(", ")})`).prepared.run();
  }
  const names = header.map((name) => quoted(name)).join(", ");
  const { prepared } = vetWrite(db, `INSERT INTO ${quoted(table)} (${names}) VALUES (${header.map(() => "?").join(", ")})`);
  return (row) => {
    const changed = row.findIndex((value, index) => !keeps(kinds[index] ?? "TEXT", value));
    if (changed !== -1)
      throw refused(
        `The first rows make ${shown(header[changed] ?? "")} a column of the kind ${kinds[changed]}, which does not keep ${shown(row[changed] ?? "")} as it is. Nothing was imported; make the table with a column of TEXT and leave out create`,
      );
    prepared.run(...row.map((value) => (value === "" ? null : value)));
  };
}
