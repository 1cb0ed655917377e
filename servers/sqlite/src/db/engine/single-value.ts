// One value of a table, whole.
import { DbError, shown } from "../errors.ts";
import type { BlobAsked, BlobTold } from "../protocol/requests.ts";
import { noSuchTable } from "../schema/table-description.ts";
import type { Engine } from "./engine.ts";
import { tablesOf } from "../schema/table-list.ts";
import { columnNamesOf, quoted, rowidAmong } from "../schema/schema-pragmas.ts";

export function blob({ db }: Engine, { table, column, rowid, most }: BlobAsked): BlobTold {
  const columns = columnNamesOf(db, table);
  if (columns.length === 0) throw noSuchTable(db, table);
  if (!columns.includes(column)) throw new DbError("not-found", `${shown(table)} has no column ${shown(column)}`);
  const name = rowidAmong(columns);
  // Views and WITHOUT ROWID tables have no ids to look for.
  const has = tablesOf(db).some((one) => one.name === table && one.type !== "view" && one.wr === 0);
  if (name === undefined || !has) throw nothing();
  const where = `FROM main.${quoted(table)} WHERE ${name} = ?`;
  const id = BigInt(rowid);
  // SQLite has no larger ids to look for.
  if (BigInt.asIntN(64, id) !== id) throw nothing();
  // Its size first: what is too large is not read.
  const length = db
    .prepare<[bigint], number | null>(`SELECT octet_length(${quoted(column)}) ${where}`)
    .pluck()
    .get(id);
  if (length === undefined || length === null) throw nothing();
  if (length > most)
    throw new DbError("too-large", `The value has ${length} bytes; at most ${most} are read at a time. Read parts of it with substr()`);
  const value = db
    .prepare<[bigint]>(`SELECT ${quoted(column)} ${where}`)
    .pluck()
    .safeIntegers()
    .get(id);
  return Buffer.isBuffer(value) ? { base64: value.toString("base64") } : { text: String(value) };
}

const nothing = (): DbError => new DbError("not-found", "There is no value");
