// Creates the tables of a memory in Postgres, and checks those that exist.
import { escapeLiteral } from "pg";
import { GraphError } from "../../graph/errors.ts";
import type { Owner } from "../../graph/owner.ts";
import type { PostgresEngine } from "./engine/engine.ts";
import type { PostgresConnection } from "./engine/postgres-connection.ts";
import { checkFormat, FORMAT_VERSION, TABLES, UPGRADES } from "./tables.ts";

/** Held while tables are created. */
const LOCK = 0x4f_41_52_4d;
const MIN_VERSION = 150_000;

/** Throws a GraphError with the next step for the operator. */
export async function prepareTables(engine: PostgresEngine, readOnly: boolean, owner?: Owner): Promise<void> {
  const { schema, displayName } = engine.location;
  await engine.run(async (sql) => {
    await checkServer(sql, displayName);
    if (!(await hasTables(sql, schema))) {
      if (readOnly)
        throw new GraphError(
          "not-found",
          `No memory in schema ${schema} of Postgres at ${displayName}. Start once without --read-only to create it.`,
        );
      await createTables(sql, schema, displayName);
    }
    const format = await formatOf(sql);
    checkFormat(format);
    if (owner !== undefined && !readOnly) await recordOwner(sql, owner);
    if (format === FORMAT_VERSION) return;
    if (readOnly)
      throw new GraphError(
        "invalid",
        `Memory in schema ${schema} of Postgres at ${displayName} has the older format ${format}. Start once without --read-only to upgrade it.`,
      );
    await upgrade(sql);
  });
}

export const formatOf = async (sql: PostgresConnection): Promise<number> =>
  (await sql.get<{ format: number }>("select format from graph"))?.format ?? 0;

/** In a comment of the table, which needs no other format. */
export async function recordOwner(sql: PostgresConnection, owner: Owner): Promise<void> {
  const known = await sql.get<{ text: string | null }>("select obj_description('graph'::regclass) as text");
  if (known?.text !== null) return;
  const comment = async (): Promise<void> => void (await sql.run(`comment on table graph is ${escapeLiteral(JSON.stringify(owner))}`));
  // Who does not own the tables can use them all the same.
  await inLockedTransaction(sql, comment).catch(() => undefined);
}

async function upgrade(sql: PostgresConnection): Promise<void> {
  await inLockedTransaction(sql, async () => {
    // Another process may have upgraded them in the meantime.
    for (const [version, upgradeFrom] of UPGRADES) if ((await formatOf(sql)) === version) await upgradeFrom(sql);
  });
}

async function checkServer(sql: PostgresConnection, displayName: string): Promise<void> {
  const server = await sql.get<{ version: string; encoding: string }>(
    "select current_setting('server_version_num') as version, current_setting('server_encoding') as encoding",
  );
  if (Number(server?.version) < MIN_VERSION)
    throw new GraphError("invalid", `Postgres at ${displayName} is too old: version 15 or later is expected. Update it.`);
  if (server?.encoding !== "UTF8")
    throw new GraphError(
      "invalid",
      `Database at ${displayName} has the encoding ${server?.encoding}: UTF8 is expected. Name another database.`,
    );
}

const hasTables = async (sql: PostgresConnection, schema: string): Promise<boolean> =>
  (await sql.get(
    "select 1 from pg_class where relname = 'graph' and relnamespace = (select oid from pg_namespace where nspname = $1)",
    schema,
  )) !== undefined;

async function createTables(sql: PostgresConnection, schema: string, displayName: string): Promise<void> {
  await inLockedTransaction(sql, async () => {
    // Another process may have created them in the meantime.
    if (await hasTables(sql, schema)) return;
    await createExtension(sql, displayName);
    await sql.run(`create schema if not exists ${schema}`);
    await sql.run(TABLES);
  });
}

/** No other process creates or upgrades tables meanwhile. */
async function inLockedTransaction(sql: PostgresConnection, change: () => Promise<void>): Promise<void> {
  await sql.run("begin");
  try {
    await sql.run(`select pg_advisory_xact_lock(${LOCK})`);
    await change();
    await sql.run("commit");
  } catch (error) {
    await sql.run("rollback").catch(() => undefined);
    throw error;
  }
}

async function createExtension(sql: PostgresConnection, displayName: string): Promise<void> {
  if ((await sql.get("select 1 from pg_extension where extname = 'pg_trgm'")) !== undefined) return;
  try {
    await sql.run("create extension if not exists pg_trgm with schema public");
  } catch {
    throw new GraphError(
      "invalid",
      `Postgres extension pg_trgm is missing in the database at ${displayName}, and this user may not create it. As an administrator of the database, run: CREATE EXTENSION pg_trgm WITH SCHEMA public;`,
    );
  }
}
