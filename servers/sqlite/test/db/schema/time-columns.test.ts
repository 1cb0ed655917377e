// Numbers that are points in time, in the forms that programs store, with the SQL that reads them.
import Database from "better-sqlite3";
import { expect, test } from "vitest";
import { timeColumns } from "../../../src/db/schema/time-columns.ts";

test.each<[what: string, column: string, values: string, reads: string | undefined]>([
  ["Unix seconds", "out_at", "(1773697716)", "2026-03-16 21:48:36"],
  ["seconds with a fraction", "mtime", "(1773697716.5)", "2026-03-16 21:48:36"],
  ["milliseconds", "dateAdded", "(1773697716000)", "2026-03-16 21:48:36"],
  ["Firefox's microseconds", "last_visit_date", "(1773697716000000)", "2026-03-16 21:48:36"],
  ["Chrome's microseconds since 1601", "visit_time", "(13418171316000000)", "2026-03-16 21:48:36"],
  ["Core Data's seconds since 2001", "ZCREATIONDATE", "(795390516.25)", "2026-03-16 21:48:36"],
  ["iMessage's nanoseconds since 2001", "date", "(795390516000000000)", "2026-03-16 21:48:36"],
  ["a name with a blank", "Created At", "(1773697716)", "2026-03-16 21:48:36"],
  ["zeros and NULLs between", "expires", "(0), (NULL), (1773697716)", "1970-01-01 00:00:00"],
  ["texts", "created", "('2026-03-16')", undefined],
  ["texts between numbers", "created", "(1773697716), ('soon')", undefined],
  ["numbers of another size", "time", "(12), (1773697716)", undefined],
  ["another name", "phone", "(1773697716)", undefined],
  ["no rows", "created_at", "(NULL)", undefined],
])("tells how SQL reads points in time: %s", (_, column, values, reads) => {
  const db = new Database(":memory:");
  db.exec(`CREATE TABLE t ("${column}"); INSERT INTO t VALUES ${values}`);
  const { [column]: expression } = timeColumns(db, "t");
  expect(expression === undefined ? undefined : db.prepare(`SELECT ${expression} FROM t`).pluck().get()).toBe(reads);
});
