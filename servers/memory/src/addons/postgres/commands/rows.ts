// Reads all rows of a memory in Postgres, and fills a new one.
import {
  COLUMNS,
  copyRows,
  type Copied,
  type Marks,
  type Row,
  type RowSource,
  type Table,
  type Value,
} from "../../../commands/copies/row-copy.ts";
import { GraphError } from "../../../graph/errors.ts";
import { fold } from "../../../graph/text-index/normalization.ts";
import type { PostgresConnection } from "../engine/postgres-connection.ts";
import type { PostgresGraph } from "../postgres-graph.ts";
import { recordOwner } from "../prepare-tables.ts";
import { parseOwner } from "../../../graph/owner.ts";
import { lockState, readState } from "../write/graph-state.ts";

/** Calls `action` with one state of the memory. */
export async function readPostgresRows<T>(graph: PostgresGraph, action: (source: RowSource) => Promise<T>): Promise<T> {
  await graph.open();
  return await graph.engine.transaction({}, (sql) => action(sourceOf(sql)));
}

const sourceOf = (sql: PostgresConnection): RowSource => ({
  select: async (text) => (await sql.all<Record<string, Value>>(text)).map((row) => Object.values(row)),
  async marks(): Promise<Marks> {
    const { seq, entityId, observationId, relationId, historyStart, purged, cursorKey } = await readState(sql);
    const comment = await sql.get<{ text: string | null }>("select obj_description('graph'::regclass) as text");
    return {
      highest: { call: seq, entity: entityId, observation: observationId, relation: relationId },
      historyStart,
      purged,
      cursorKey: Buffer.from(cursorKey).toString("base64"),
      owner: comment?.text ?? null,
    };
  },
});

/** Fills tables that are created here, in one transaction. Throws where they have something already. */
export async function fillPostgres(graph: PostgresGraph, source: RowSource): Promise<Copied> {
  await graph.open();
  return await graph.engine.transaction({ isChange: true }, async (sql) => {
    const { seq } = await lockState(sql);
    const { schema, displayName } = graph.engine.location;
    if (seq > 0)
      throw new GraphError(
        "invalid",
        `Schema ${schema} of Postgres at ${displayName} has a memory: nothing was written there. Name another one.`,
      );
    sql.hasChanged = true;
    const copied = await copyRows(source, { insert: (table, rows) => insertInto(sql, table, rows) });
    await writeMarks(sql, await source.marks());
    return copied;
  });
}

/** Columns whose folded form has a column of its own. */
const FOLDED: Partial<Record<Table, number>> = { type: 1, entity: 1, observation: 2 };

async function insertInto(sql: PostgresConnection, table: Table, rows: readonly Row[]): Promise<void> {
  const columns: [name: string, type: string][] = Object.entries(COLUMNS[table]);
  const lists = columns.map((_, at) => rows.map((row) => row[at] ?? null));
  const folded = FOLDED[table];
  if (folded !== undefined) {
    columns.push(["folded", "text"]);
    lists.push(rows.map((row) => fold(String(row[folded]))));
  }
  const names = columns.map(([name]) => name).join(", ");
  const types = columns.map(([, type], at) => `$${at + 1}::${type}[]`).join(", ");
  await sql.run(`insert into ${table} (${names}) overriding system value select * from unnest(${types})`, ...lists);
}

async function writeMarks(sql: PostgresConnection, { highest, historyStart, purged, cursorKey, owner }: Marks): Promise<void> {
  await sql.run(
    `update graph set seq = $1, entity_id = $2, observation_id = $3, relation_id = $4, history_start = $5, purged = $6,
       cursor_key = decode($7, 'base64'), type_id = (select coalesce(max(id), 0) from type),
       entities = (select count(*) from entity where ended is null), relations = (select count(*) from relation where ended is null)`,
    highest.call,
    highest.entity,
    highest.observation,
    highest.relation,
    historyStart,
    purged,
    cursorKey,
  );
  for (const table of ["turn", "record"])
    await sql.run(`select setval(pg_get_serial_sequence('${table}', 'id'), (select coalesce(max(id), 0) + 1 from ${table}), false)`);
  const known = parseOwner(owner);
  if (known !== undefined) await recordOwner(sql, known);
}
