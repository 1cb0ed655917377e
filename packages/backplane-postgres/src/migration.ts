// prepareDatabase: checks the database and makes the tables of the backplane.
import { Client } from "pg";
import type { Address } from "./address.ts";
import { MIGRATIONS, SCHEMA } from "./schema.ts";

/** The oldest version of PostgreSQL that the backplane is tested with. */
const OLDEST_MAJOR = 15;

/** Nodes that start at the same time migrate one after another. */
const MIGRATION_MS = 30_000;

/** Any number: it only has to differ from other uses of advisory locks in the database. */
const LOCK = 6_742_931_028;

/** The database refuses this address. Waiting does not help. */
export class Refusal extends Error {}

/**
 * Whether the database is ready; false while it does not answer.
 * @throws Refusal with one sentence.
 */
export async function prepareDatabase({ name, connectionString, answerMs }: Address, mayMigrate: boolean): Promise<boolean> {
  const client = new Client({ connectionString, connectionTimeoutMillis: answerMs, query_timeout: MIGRATION_MS });
  client.on("error", () => {}); // the rejections below report it
  try {
    await client.connect();
    const { rows } = await client.query<{ version: string }>("select current_setting('server_version_num') as version");
    if (Number(rows[0]?.version) < OLDEST_MAJOR * 10_000)
      throw new Refusal(`The database at ${name} is too old: PostgreSQL ${OLDEST_MAJOR} or later is needed.`);
    if ((await versionOf(client)) !== MIGRATIONS.length) await migrate(client, name, mayMigrate);
    return true;
  } catch (error) {
    const refusal = refusalOf(name, error);
    if (refusal !== undefined) throw refusal;
    return false;
  } finally {
    client.end().catch(() => {}); // it may not answer
  }
}

async function migrate(client: Client, name: string, mayMigrate: boolean): Promise<void> {
  if (!mayMigrate)
    throw new Refusal(
      `The database at ${name} has no tables of the backplane in this version: open it once with a user who may create them.`,
    );
  await client.query("begin");
  await client.query("select pg_advisory_xact_lock($1)", [LOCK]);
  const version = await versionOf(client);
  if (version > MIGRATIONS.length) throw new Refusal(`The tables of the backplane at ${name} are newer than this package: update it.`);
  if (version === 0) await client.query(`create schema if not exists ${SCHEMA}`);
  await client.query(`set local search_path to ${SCHEMA}`);
  for (const text of MIGRATIONS.slice(version)) await client.query(text);
  if (version === 0) await client.query("create table schema_version (version integer not null); insert into schema_version values (0)");
  await client.query("update schema_version set version = $1", [MIGRATIONS.length]);
  await client.query("commit");
}

/** 0: there are no tables. */
async function versionOf(client: Client): Promise<number> {
  // Not `to_regclass`: it may answer from a cache, without what another node has just made.
  const { rowCount } = await client.query(
    "select from pg_class where relname = 'schema_version' and relnamespace::regnamespace::text = $1",
    [SCHEMA],
  );
  if (rowCount === 0) return 0;
  return (await client.query<{ version: number }>(`select version from ${SCHEMA}.schema_version`)).rows[0]?.version ?? 0;
}

/** Classes of conditions that pass: connections, conflicts of transactions, resources, the operator, the system. */
const PASSING = /^(08|40|53|55|57|58)/;

/** By the condition codes of PostgreSQL and the codes of Node. */
function refusalOf(name: string, error: unknown): Refusal | undefined {
  if (error instanceof Refusal) return error;
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const text = error instanceof Error ? error.message : String(error);
  if (code.startsWith("28") || /password must be a string/.test(text))
    return new Refusal(`The database at ${name} refuses the user or password.`);
  if (code === "3D000") return new Refusal(`The server at ${name} has no database of this name.`);
  if (code === "42501") return new Refusal(`The user may not create or use the tables of the backplane at ${name}: ${text}.`);
  if (code === "ENOTFOUND") return new Refusal(`The host of the database, ${name}, does not exist.`);
  if (/CERT|SELF_SIGNED|^ERR_TLS|^ERR_SSL|^EPROTO/.test(code) || /SSL/.test(text))
    return new Refusal(`No secure connection to the database at ${name}: ${text}.`);
  if (/^[0-9A-Z]{5}$/.test(code) && !PASSING.test(code))
    return new Refusal(`The tables of the backplane at ${name} cannot be used: ${text}.`);
  return undefined;
}
