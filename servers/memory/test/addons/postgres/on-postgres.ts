// Runs tests of the memory on Postgres too: one server for a test file, one schema for each store that a test names.
import { missingPostgres, startPostgres, type Engine } from "@oarlock-tooling/engines";
import { describePostgres } from "@oarlock-tooling/engines/describe";
import { Client } from "pg";
import { afterAll, afterEach, beforeAll, test } from "vitest";
import { TABLES } from "../../../src/addons/postgres/tables.ts";
import { reuseSchemas, usePostgres } from "../../support/store-under-test.ts";

/** Registers the tests of the given files, or one that is skipped where no PostgreSQL can be started. */
export async function testOnPostgres(load: () => Promise<unknown>): Promise<void> {
  if ((await missingPostgres()) !== undefined) return (await describePostgres())("on Postgres", () => void registerSkipped());
  let engine: Engine | undefined;
  let client: Client | undefined;
  beforeAll(async () => {
    engine = await startPostgres();
    usePostgres(engine.url);
    client = new Client(engine.url);
    await client.connect();
  });
  afterEach(() => reuseSchemas((schema) => emptied(client!, schema)));
  afterAll(async () => {
    if (process.env["OARLOCK_TEST_POSTGRES"] !== undefined) await dropSchemas(client!); // it is of others too
    await client?.end();
    await engine?.stop();
  });
  usePostgres("postgres://not-started-yet.invalid/");
  await load();
}

const FIRST_ROW = TABLES.slice(TABLES.lastIndexOf("insert into graph"));
const EMPTY = `${[...TABLES.matchAll(/create table (\w+)/g)].map(([, table]) => `delete from ${table}`).join("; ")}; ${FIRST_ROW}`;

/** False where there are no tables yet, or further schemas of its scopes. */
async function emptied(client: Client, schema: string): Promise<boolean> {
  const { rows } = await client.query<{ name: string }>("select nspname as name from pg_namespace where starts_with(nspname, $1)", [
    schema,
  ]);
  if (rows.length !== 1) return false;
  await client.query(`begin; set local search_path = ${schema}, public; ${EMPTY}; commit`);
  return true;
}

async function dropSchemas(client: Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>("select nspname as name from pg_namespace where starts_with(nspname, $1)", [
    `test_${process.pid}_`,
  ]);
  for (const { name } of rows) await client.query(`drop schema ${name} cascade`);
}

const registerSkipped = (): unknown => test("the tests of SQLite", () => undefined);
