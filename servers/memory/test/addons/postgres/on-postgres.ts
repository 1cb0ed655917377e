// Runs tests of the memory on Postgres too: one server for a test file, one schema for each store that a test names.
import { missingPostgres, startPostgres, type Engine } from "@oarlock-tooling/engines";
import { describePostgres } from "@oarlock-tooling/engines/describe";
import { Client } from "pg";
import { afterAll, beforeAll, test } from "vitest";
import { usedSchemas, usePostgres } from "../../support/store-under-test.ts";

/** Registers the tests of the given files, or one that is skipped where no PostgreSQL can be started. */
export async function testOnPostgres(load: () => Promise<unknown>): Promise<void> {
  if ((await missingPostgres()) !== undefined) return (await describePostgres())("on Postgres", () => void registerSkipped());
  let engine: Engine | undefined;
  beforeAll(async () => {
    engine = await startPostgres();
    usePostgres(engine.url);
  });
  afterAll(async () => {
    const isOfOthersToo = process.env["OARLOCK_TEST_POSTGRES"] !== undefined;
    if (engine !== undefined && isOfOthersToo) await dropSchemas(engine.url);
    await engine?.stop();
  });
  usePostgres("postgres://not-started-yet.invalid/");
  await load();
}

async function dropSchemas(url: string): Promise<void> {
  const client = new Client(url);
  await client.connect();
  for (const schema of usedSchemas()) await client.query(`drop schema if exists ${schema} cascade`);
  await client.end();
}

const registerSkipped = (): unknown => test("the tests of SQLite", () => undefined);
