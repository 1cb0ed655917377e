// Every format that tables in Postgres have had, as the servers of their time wrote them: upgraded, and refused where a newer server has
// upgraded them.
import { readFileSync } from "node:fs";
import { Client } from "pg";
import { expect, test } from "vitest";
import { FORMAT_VERSION } from "../../../src/addons/postgres/tables.ts";
import { postgresLocationOf } from "../../../src/postgres-location.ts";
import { checkUpgraded } from "../../formats/upgraded.ts";
import { serveInProcess } from "../../support/in-process.ts";
import { runCommand as run } from "../../support/run-command.ts";
import { dbOf } from "../../support/store-under-test.ts";

async function query(db: string, sql: string): Promise<unknown[]> {
  const { address, schema } = postgresLocationOf(db);
  const client = new Client({ connectionString: address, options: `-c search_path=${schema},public` });
  await client.connect();
  try {
    return (await client.query(sql)).rows as unknown[];
  } finally {
    await client.end();
  }
}

const FORMATS = Array.from({ length: FORMAT_VERSION }, (_, at) => at + 1);
const REFUSAL = new RegExp(
  `Memory has format ${FORMAT_VERSION + 1}, and this server reads up to format ${FORMAT_VERSION}: a newer server has upgraded it`,
);

export function formatTests(): void {
  test.each(FORMATS)("upgrades format %d, and keeps facts and history", async (format) => {
    const file = `/formats/${format}.db`;
    const { schema } = postgresLocationOf(dbOf(file));
    await query(dbOf(file), "create extension if not exists pg_trgm with schema public");
    await query(dbOf(file), `create schema ${schema}`);
    await query(dbOf(file), readFileSync(new URL(`../../formats/postgres-${format}.sql`, import.meta.url), "utf8"));
    {
      await using server = await serveInProcess(file);
      await checkUpgraded(server);
    }
    expect(await query(dbOf(file), "select format from graph")).toEqual([{ format: FORMAT_VERSION }]);
    expect(await run(["verify", "--db", dbOf(file)])).toMatchObject({ code: 0 });
  });

  test("refuses a newer format at the start, in each command, and in a server that runs already", async () => {
    const file = "/formats/newer.db";
    await using running = await serveInProcess(file);
    await running.create("a");
    await query(dbOf(file), `update graph set format = ${FORMAT_VERSION + 1}`);
    expect(await running.refuses("add_observations", { observations: [{ entityName: "a", contents: ["b"] }] })).toMatch(REFUSAL);
    // Reads look once a second.
    await expect.poll(async () => (await running.call("read_graph")).text).toMatch(REFUSAL);
    for (const words of [["export"], ["verify"], ["users", "list"]]) {
      const { code, stderr } = await run([...words, "--db", dbOf(file)]);
      expect([words[0], code, stderr.join()]).toEqual([words[0], 3, expect.stringMatching(REFUSAL)]);
    }
    await query(dbOf(file), `update graph set format = ${FORMAT_VERSION}`);
    expect(await running.names()).toEqual(["a"]);
  });
}
