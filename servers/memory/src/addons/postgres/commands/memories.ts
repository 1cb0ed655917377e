// The memories of a database: the default one and those of its scopes, each in a schema. A memory is removed with its schema.
import type { FoundMemory } from "../../../scopes/found-memory.ts";
import { parseOwner } from "../../../graph/owner.ts";
import type { PostgresLocation } from "../../../postgres-location.ts";
import { isScopeName } from "../../../scopes/scope-name.ts";
import { scopedLocation } from "../../../scopes/scoped-location.ts";
import { PostgresEngine } from "../engine/engine.ts";
import type { PostgresConnection } from "../engine/postgres-connection.ts";

const SCHEMAS = `select n.nspname::text as schema, obj_description(c.oid, 'pg_class') as owner
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relname = 'graph' and c.relkind = 'r' and left(n.nspname, length($1)) = $1 order by 1`;

/** Longer names of schemas end in a digest, and begin with as much of the default one. */
const PREFIX_LENGTH = 23;

/** The default memory first. */
export async function memoriesInPostgres(location: PostgresLocation): Promise<FoundMemory<PostgresLocation>[]> {
  const prefix = location.schema.slice(0, PREFIX_LENGTH);
  const rows = await onEngine(location, (sql) => sql.all<{ schema: string; owner: string | null }>(SCHEMAS, prefix));
  return rows.flatMap(({ schema, owner: text }): FoundMemory<PostgresLocation>[] => {
    const own = { ...location, schema };
    if (schema === location.schema) return [{ location: own, name: schema, scope: undefined, isDefault: true, person: undefined }];
    const owner = parseOwner(text);
    const scope = [owner?.scope ?? "", schema.slice(location.schema.length + 2).replaceAll("_", "-")].find(
      (name) => isScopeName(name) && scopedLocation(location, name).schema === schema,
    );
    // Schemas of other programs, and of memories whose names only begin alike.
    if (scope === undefined && !schema.startsWith(`${location.schema}__`)) return [];
    return [{ location: own, name: schema, scope, isDefault: false, person: owner?.person }];
  });
}

export async function majorVersion(location: PostgresLocation): Promise<number> {
  const row = await onEngine(location, (sql) => sql.get<{ number: string }>("select current_setting('server_version_num') as number"));
  return Math.floor(Number(row?.number) / 10_000);
}

async function onEngine<T>(location: PostgresLocation, action: (sql: PostgresConnection) => Promise<T>): Promise<T> {
  const engine = new PostgresEngine(location);
  try {
    return await engine.run(action);
  } finally {
    await engine.close();
  }
}

const TABLES = "record, turn, relation, observation, entity, type, call, graph";

/** Removes the tables, and the schema where nothing else is in it. */
export async function dropMemory(sql: PostgresConnection, schema: string): Promise<void> {
  await sql.run(`drop table ${TABLES}`);
  const others = await sql.get<{ count: number }>(
    "select count(*) as count from pg_class c join pg_namespace n on n.oid = c.relnamespace where n.nspname = $1",
    schema,
  );
  if (others?.count === 0) await sql.run(`drop schema ${schema}`);
}
