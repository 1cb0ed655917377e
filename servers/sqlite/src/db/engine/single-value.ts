// One value of a table, complete.
import { clip } from "@oarlock/domain-kit";
import { fieldOf } from "../csv/dialect.ts";
import { DbError } from "../errors.ts";
import type { ValueReply, ValueRequest } from "../protocol/query-messages.ts";
import { columnNamesOf, quoteName, rowidName } from "../schema/schema-pragmas.ts";
import { tableNotFound } from "../schema/table-description.ts";
import { allTables } from "../schema/table-list.ts";
import type { Engine } from "./engine.ts";

export function readValue({ db }: Engine, { table, column, rowid, maxBytes }: ValueRequest): ValueReply {
  const columns = columnNamesOf(db, table);
  if (columns.length === 0) throw tableNotFound(db, table);
  if (!columns.includes(column)) throw new DbError("not-found", `${clip(table)} has no column ${clip(column)}.`);
  const rowidColumn = rowidName(columns);
  // Views and WITHOUT ROWID tables have no row ids.
  const hasRowids = allTables(db).some((one) => one.name === table && one.type !== "view" && !one.withoutRowid);
  const id = BigInt(rowid);
  const is64Bit = BigInt.asIntN(64, id) === id;
  if (rowidColumn === undefined || !hasRowids || !is64Bit) throw valueNotFound();
  const source = `FROM main.${quoteName(table)} WHERE ${rowidColumn} = ?`;
  // The size comes first: a value that is too large is not read.
  const bytes = db
    .prepare<[bigint], number | null>(`SELECT octet_length(${quoteName(column)}) ${source}`)
    .pluck()
    .get(id);
  if (bytes === undefined || bytes === null) throw valueNotFound();
  if (bytes > maxBytes)
    throw new DbError(
      "too-large",
      `The value is too large: it has ${bytes} bytes, the limit is ${maxBytes}. Read parts of it with substr().`,
    );
  const value = db
    .prepare<[bigint]>(`SELECT ${quoteName(column)} ${source}`)
    .pluck()
    .safeIntegers()
    .get(id);
  return Buffer.isBuffer(value)
    ? { base64: value.toString("base64") }
    : { text: typeof value === "number" ? fieldOf(value).text : String(value) };
}

const valueNotFound = (): DbError => new DbError("not-found", "There is no value at this address: the row does not exist, or it is NULL.");
