// Removes old history from Postgres: rows that ended up to a call. What is current stays, however old it is.
import type { DeletedCounts } from "../../../graph/write/deletion.ts";
import type { PostgresConnection } from "../engine/postgres-connection.ts";
import { lockState } from "./graph-state.ts";

/** Rows of one table that one transaction removes: other calls do not wait long. */
const BATCH = 2000;

/** Removes a part of what ended before the time. Returns undefined when nothing is left. */
export async function pruneBatch(sql: PostgresConnection, endedBefore: number): Promise<DeletedCounts | undefined> {
  await lockState(sql);
  const last = (await sql.get<{ seq: number | null }>("select max(seq) as seq from call where at <= $1", endedBefore))?.seq ?? 0;
  const removeFrom = (table: string, column = "ended"): Promise<number> =>
    sql.run(`delete from ${table} where id in (select id from ${table} where ${column} <= $1 limit ${BATCH})`, last);
  const counts = {
    observations: await removeFrom("observation"),
    relations: await removeFrom("relation"),
    entities: await removeFrom("entity"),
  };
  const others = (await removeFrom("turn", "seq")) + (await removeFrom("record"));
  if (counts.observations + counts.relations + counts.entities + others === 0) return undefined;
  await sql.run("update graph set history_start = greatest(history_start, $1)", last);
  return counts;
}
