// Marks the JSONL file for being written as a whole, after changes that no history tells.
import type { SqlConnection } from "../sqlite/sql-connection.ts";

export function markMirrorStale(sql: SqlConnection): void {
  sql.run("UPDATE meta SET value = json_set(value, '$.isStale', json('true')) WHERE key = 'mirror'");
}
