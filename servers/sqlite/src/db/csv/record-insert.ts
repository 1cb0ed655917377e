// Inserts the rows of a CSV file: into a new table with types for its values, or as the columns of an existing one take them.
import type Database from "better-sqlite3";
import { clip } from "@oarlock/domain-kit";
import { RepeatedInsert } from "../change/repeated-insert.ts";
import type { Engine } from "../engine/engine.ts";
import { refusal } from "../errors.ts";
import { allowWrite } from "../policy/statement-policy.ts";
import type { ImportRequest, NumbersRead } from "../protocol/file-messages.ts";
import { columnsOf, quoteName } from "../schema/schema-pragmas.ts";
import { tableNotFound } from "../schema/table-description.ts";
import { tableNamed } from "../schema/table-list.ts";
import type { ValueFormats } from "./column-profile.ts";
import { columnTypeFor, keeps, readingOf, type ColumnType, type Reading } from "./column-types.ts";
import { blobOf, isInteger64, isNull, isTruncatedBlob, numberOf, type Field, type SqlValue } from "./dialect.ts";
import type { FileProfile } from "./file-profile.ts";
import type { Layout } from "./source/layout.ts";
import { namesInTable } from "./table-header.ts";
import { affinityOf, isNumeric } from "../sql/affinity.ts";
import { convertedByAffinity, numberIn } from "./value-kinds.ts";

/** How a column converts what is inserted: https://sqlite.org/datatype3.html#determination_of_column_affinity */
type Conversion = "text" | "numeric" | "none";

/** Kept for a dry run, which shows them. */
const FIRST_ROWS = 3;

/** For rows that exist already. */
const UPDATES =
  "To update such rows, import into a new table (create), then INSERT INTO … SELECT … FROM it WHERE true ON CONFLICT (key) DO UPDATE SET column = excluded.column";

export interface ImportColumn {
  readonly name: string;
  readonly type: string;
  /** What is done with its fields first. */
  readonly reading: Reading;
  readonly affinity: Conversion;
  /** The type by which a new column keeps its values; undefined in a table that exists. */
  readonly created: ColumnType | undefined;
}

export class RecordInsert {
  readonly columns: readonly ImportColumn[];
  /** Values that stay texts in columns of numbers: how many, and the first, by column. */
  readonly textsInNumbers = new Map<string, { count: number; readonly first: string; readonly row: number }>();
  /** Of columns whose texts were read with the decimal mark that was given. */
  readonly numbers = new Map<string, NumbersRead>();
  /** Of the first rows, as they are given to SQLite. */
  readonly firstValues: SqlValue[][] = [];
  readonly #insert: RepeatedInsert;
  readonly #formats: ValueFormats;

  constructor(engine: Engine, request: ImportRequest, file: FileProfile, formats: ValueFormats, layout: Layout) {
    this.#formats = formats;
    this.columns = request.create
      ? createTable(engine.db, request.table, file, formats)
      : tableColumns(engine.db, request.table, file, formats, layout);
    const list = this.columns.map(({ name }) => quoteName(name)).join(", ");
    const values = this.columns.map(() => "?").join(", ");
    this.#insert = new RepeatedInsert(
      engine,
      allowWrite(engine.db, `INSERT INTO ${quoteName(request.table)} (${list}) VALUES (${values})`),
      UPDATES,
    );
  }

  /** @param row Counted from 1, without the header. */
  run(record: readonly Field[], row: number): void {
    const values = this.columns.map((column, index) => this.#valueOf(record[index] ?? { text: "", isQuoted: false }, column, row));
    if (this.firstValues.length < FIRST_ROWS) this.firstValues.push(values);
    this.#insert.run(values);
  }

  altered: RepeatedInsert["altered"] = () => this.#insert.altered();
  alsoChanged: RepeatedInsert["alsoChanged"] = () => this.#insert.alsoChanged();

  #valueOf(field: Field, column: ImportColumn, row: number): SqlValue {
    if (isNull(field)) return null;
    if (isTruncatedBlob(field))
      throw refusal(
        `The value ${clip(field.text, 40)} is a truncated BLOB. Nothing was imported. Export the complete rows with export_query.`,
      );
    const blob = blobOf(field);
    if (blob !== undefined) return blob;
    const { decimal, date } = this.#formats;
    if (column.reading === "date") return date?.toIso(field.text) ?? field.text;
    if (column.reading === "number" && decimal !== undefined) {
      const number = numberIn(field.text, decimal);
      if (number !== undefined) {
        this.#addUp(column.name, number);
        return isInteger64(field.text.trim()) ? BigInt(field.text.trim()) : number;
      }
    } else if (column.created !== undefined && !keeps(column.created, field))
      throw refusal("The file was changed by another program during the import. Nothing was imported. Call again.");
    return this.#asWritten(field, column, row);
  }

  #addUp(column: string, number: number): void {
    const { count, least, most, sum } = this.numbers.get(column) ?? { count: 0, least: number, most: number, sum: 0 };
    // To 6 decimals: the sum of cents is what a person would add up.
    const total = Math.round((sum + number) * 1e6) / 1e6;
    this.numbers.set(column, { count: count + 1, least: Math.min(least, number), most: Math.max(most, number), sum: total });
  }

  /**
   * Numbers are inserted as text where the column converts them, because it then keeps what it cannot convert (`007` in a TEXT
   * column); where it converts nothing they are inserted as numbers.
   */
  #asWritten(field: Field, { name, affinity, reading }: ImportColumn, row: number): SqlValue {
    const isInfinity = affinity === "numeric" && /^-?Infinity$/.test(field.text);
    if (reading === "as written" && (affinity === "none" || isInfinity)) return numberOf(field) ?? field.text;
    if (affinity === "numeric" && reading === "as written" && field.text !== "" && !convertedByAffinity(field.text)) {
      const seen = this.textsInNumbers.get(name);
      if (seen === undefined) this.textsInNumbers.set(name, { count: 1, first: field.text, row });
      else seen.count += 1;
    }
    return field.text;
  }
}

function createTable(db: Database.Database, table: string, { names, columns }: FileProfile, formats: ValueFormats): ImportColumn[] {
  if (tableNamed(db, table) !== undefined) throw refusal(`Table ${clip(table)} already exists. Leave out create to add to it.`);
  const created = names.map((name, index): ImportColumn => {
    const profile = columns[index];
    const reading = profile === undefined ? "as written" : readingOf(profile, formats);
    const type = profile === undefined ? "TEXT" : columnTypeFor(profile, reading);
    return { name, type, reading, affinity: conversionOf(type, false), created: type };
  });
  const declared = created.map(({ name, type }) => `${quoteName(name)} ${type}`.trimEnd());
  allowWrite(db, `CREATE TABLE ${quoteName(table)} (${declared.join(", ")})`).prepared.run();
  return created;
}

function tableColumns(db: Database.Database, table: string, file: FileProfile, formats: ValueFormats, layout: Layout): ImportColumn[] {
  const existing = tableNamed(db, table);
  if (existing === undefined) throw tableNotFound(db, table, "pass create to make it.");
  const info = columnsOf(db, table).filter(({ hidden }) => hidden === 0);
  const types = new Map(info.map(({ name, type }) => [name.toLowerCase(), type]));
  const columns = (layout.hasHeader ? columnsOf(db, table) : info).map(({ name }) => name);
  return namesInTable(file.names, layout, table, columns).map((name, index): ImportColumn => {
    const type = types.get(name.toLowerCase()) ?? "";
    const affinity = conversionOf(type, existing.strict);
    const profile = file.columns[index];
    const reading = profile === undefined ? "as written" : readingOf(profile, formats);
    return { name, type, affinity, reading: reading === "number" && affinity === "text" ? "as written" : reading, created: undefined };
  });
}

function conversionOf(type: string, strict: boolean): Conversion {
  const affinity = strict && /^any$/i.test(type) ? "none" : affinityOf(type);
  return isNumeric(affinity) ? "numeric" : affinity === "text" ? "text" : "none";
}
