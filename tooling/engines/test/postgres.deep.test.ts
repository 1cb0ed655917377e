// PostgreSQL for tests: it starts, stands still while it is paused, and keeps its data.
import { Client } from "pg";
import { expect, test } from "vitest";
import { describePostgres } from "../src/describe-engine.ts";
import { startPostgres } from "../src/index.ts";

async function query(url: string, text: string, timeoutMs = 60_000): Promise<unknown[]> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: timeoutMs, query_timeout: timeoutMs });
  client.on("error", () => {});
  try {
    await client.connect();
    return (await client.query({ text, rowMode: "array" })).rows.flat();
  } finally {
    client.end().catch(() => {});
  }
}

const describeEngine = await describePostgres({ own: true });

describeEngine("PostgreSQL", () => {
  test("keeps what was stored when it is killed and restarted", async () => {
    await using engine = await startPostgres({ own: true });
    await query(engine.url, "create table kept as select 1 as number");
    const idle = new Client(engine.url);
    const isCut = new Promise((resolve) => idle.on("error", resolve));
    await idle.connect();
    await engine.kill();
    await isCut;
    await expect(query(engine.url, "select 1")).rejects.toThrow("ECONNREFUSED");
    await engine.restart();
    expect(await query(engine.url, "select number from kept")).toEqual([1]);
  });

  test("answers no connection, open or new, while it is paused", async () => {
    await using engine = await startPostgres({ own: true });
    const open = new Client({ connectionString: engine.url });
    open.on("error", () => {});
    await open.connect();
    await engine.pause();
    const answer = open.query("select 2 as two");
    await expect(query(engine.url, "select 1", 1000)).rejects.toThrow(/timeout/);
    expect(await Promise.race([answer, Promise.resolve("no answer")])).toBe("no answer");
    await engine.resume();
    expect((await answer).rows).toEqual([{ two: 2 }]);
    await open.end();
  });
});
