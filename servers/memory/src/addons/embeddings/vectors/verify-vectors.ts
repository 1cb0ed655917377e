// Checks a file of vectors, and changes nothing. What is wrong in it is mended by deleting it: it is made anew.
import { counted } from "@oarlock/domain-kit";
import { openDatabase } from "../../../graph/sqlite/driver.ts";
import { SqlConnection } from "../../../graph/sqlite/sql-connection.ts";
import { APPLICATION_ID, FORMAT_VERSION } from "./vector-tables.ts";
import type { Progress } from "./vector-file.ts";

const LOCK_TIMEOUT_MS = 5000;

/** `hasText`: whether the memory has or had the text with this id, which is negative for the name of an entity. */
export function* verifyVectors(path: string, hasText: (id: number) => boolean): Generator<string> {
  try {
    const sql = new SqlConnection(openDatabase(path, { readonly: true, timeout: LOCK_TIMEOUT_MS }));
    try {
      for (const problem of problemsIn(sql, hasText)) yield `vectors: ${problem}. Delete ${path} while no server runs: it is made anew`;
    } finally {
      sql.close();
    }
  } catch (error) {
    yield `vectors not readable: ${error instanceof Error ? error.message : String(error)}. Delete ${path} while no server runs: it is made anew`;
  }
}

function* problemsIn(sql: SqlConnection, hasText: (id: number) => boolean): Generator<string> {
  if (sql.get("SELECT 1 FROM sqlite_schema LIMIT 1") === undefined) return;
  if (sql.db.pragma("application_id", { simple: true }) !== APPLICATION_ID) return yield "the file is of another program";
  for (const { integrity_check: line } of sql.all<{ integrity_check: string }>("PRAGMA integrity_check(20)")) if (line !== "ok") yield line;
  // Another version is replaced at the next start.
  if (sql.db.pragma("user_version", { simple: true }) !== FORMAT_VERSION) return;
  const json = sql.get<{ value: string }>("SELECT value FROM state WHERE key = 'progress'")?.value;
  const dimensions = json === undefined ? 0 : (JSON.parse(json) as Progress).dimensions; // written by VectorFile
  let [wrong, unknown] = [0, 0];
  for (const { id, length } of sql.iterate<{ id: number; length: number }>("SELECT id, length(value) AS length FROM vector")) {
    if (length !== dimensions) wrong++;
    if (!hasText(id)) unknown++;
  }
  if (wrong > 0) yield `${counted(wrong, "vector")} of another length than ${dimensions}`;
  if (unknown > 0) yield `${counted(unknown, "vector")} of texts that the memory does not have`;
}
