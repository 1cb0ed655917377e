// export on Postgres: writes the current graph, page by page in one transaction.
import type { PostgresGraph } from "../postgres-graph.ts";
import type { PostgresConnection } from "../engine/postgres-connection.ts";
import type { Entity } from "../../../graph/model.ts";
import type { RelationRow } from "../../../graph/rows/relations.ts";
import type { Format } from "../../../commands/arguments.ts";
import { print, writeFile } from "../../../commands/export.ts";
import { GRAPH_FORMATS, type GraphFormat } from "../../../commands/graph-formats.ts";

const PAGE_ROWS = 500;

const ENTITIES = `select e.id, e.name, t.name as "entityType", e.extra, o.observations, o."timesByText"
  from (select * from entity where id > $1 and ended is null order by id limit ${PAGE_ROWS}) e join type t on t.id = e.type
  cross join lateral (select coalesce(json_agg(text order by id), '[]') as observations,
      json_object_agg(text, times) filter (where times is not null) as "timesByText" from observation where entity = e.id and ended is null) o
  order by e.id`;

const RELATIONS = `select id, source, target, type, extra from relation where id > $1 and ended is null order by id limit ${PAGE_ROWS}`;

/** Returns the exit code. */
export async function exportFromPostgres(
  graph: PostgresGraph,
  { format, output }: { readonly format: Format; readonly output: string | undefined },
): Promise<number> {
  await graph.engine.transaction({}, async (sql) => {
    const pieces = serialize(GRAPH_FORMATS[format], sql);
    await (output === undefined ? print(pieces) : writeFile(output, pieces));
  });
  return 0;
}

type ExportedEntity = Entity & { id: number; extra: string | null; timesByText: Record<string, string> | null };

async function* serialize(format: GraphFormat, sql: PostgresConnection): AsyncGenerator<string> {
  yield format.start;
  let isFirst = true;
  for await (const { timesByText, ...entity } of allRows<ExportedEntity>(sql, ENTITIES)) {
    const times = timesByText === null ? {} : { times: new Map(Object.entries(timesByText)) };
    yield format.entity({ ...entity, ...times }, isFirst);
    isFirst = false;
  }
  yield format.middle;
  isFirst = true;
  for await (const row of allRows<RelationRow & { extra: string | null }>(sql, RELATIONS)) {
    yield format.relation(row, isFirst);
    isFirst = false;
  }
  const records =
    format.record === undefined ? [] : await sql.all<{ line: string }>("select line from record where ended is null order by id");
  for (const { line } of records) yield format.record?.(line) ?? "";
  yield format.end;
}

async function* allRows<Row extends { id: number }>(sql: PostgresConnection, select: string): AsyncGenerator<Row> {
  for (let last: number | undefined = 0; last !== undefined;) {
    const rows: Row[] = await sql.all<Row>(select, last);
    yield* rows;
    last = rows.at(-1)?.id;
  }
}
