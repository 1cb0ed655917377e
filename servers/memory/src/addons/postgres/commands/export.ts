// export on Postgres: writes the current graph, page by page in one transaction.
import type { PostgresGraph } from "../postgres-graph.ts";
import type { PostgresConnection } from "../engine/postgres-connection.ts";
import type { Entity } from "../../../graph/model.ts";
import type { TimedEntity } from "../../../graph/jsonl/records.ts";
import type { RelationRow } from "../../../graph/rows/relations.ts";
import type { Format } from "../../../commands/arguments.ts";
import { print, writeFile } from "../../../commands/export.ts";
import { GRAPH_FORMATS, serialize } from "../../../commands/graph-formats.ts";

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
    const records = await sql.all<{ line: string }>("select line from record where ended is null order by id");
    const content = { entities: allEntities(sql), relations: allRows<RelationRow>(sql, RELATIONS), records };
    const pieces = serialize(GRAPH_FORMATS[format], content);
    await (output === undefined ? print(pieces) : writeFile(output, pieces));
  });
  return 0;
}

type ExportedEntity = Entity & { id: number; extra: string | null };
type StoredEntity = ExportedEntity & { timesByText: Record<string, string> | null };

async function* allEntities(sql: PostgresConnection): AsyncGenerator<ExportedEntity & TimedEntity> {
  for await (const { timesByText, ...entity } of allRows<StoredEntity>(sql, ENTITIES))
    yield timesByText === null ? entity : { ...entity, times: new Map(Object.entries(timesByText)) };
}

async function* allRows<Row extends { id: number }>(sql: PostgresConnection, select: string): AsyncGenerator<Row> {
  for (let last: number | undefined = 0; last !== undefined;) {
    const rows: Row[] = await sql.all<Row>(select, last);
    yield* rows;
    last = rows.at(-1)?.id;
  }
}
