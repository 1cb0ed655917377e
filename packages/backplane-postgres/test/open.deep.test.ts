// Opening a backplane on a database: what rejects with one sentence, what does not, and how the tables are made.
import { startPostgres, type Engine } from "@oarlock-tooling/engines";
import { describePostgres } from "@oarlock-tooling/engines/describe";
import { Client } from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { postgresBackplane } from "../src/index.ts";
import { refusal } from "./support/refusal.ts";

const closing = <T extends { close(): Promise<void> }>(backplane: T): T & AsyncDisposable =>
  Object.assign(backplane, { [Symbol.asyncDispose]: () => backplane.close() });

const describeEngine = await describePostgres({ own: true });

describeEngine("a database", () => {
  let engine: Engine;
  beforeAll(async () => {
    engine = await startPostgres({ own: true });
  });
  afterAll(() => engine.stop());

  /** The address of a new and empty database. */
  async function createDatabase(name: string, user = "oarlock"): Promise<URL> {
    await run(engine.url, `create database ${name}`);
    const url = new URL(engine.url);
    url.pathname = `/${name}`;
    url.username = user;
    return url;
  }

  test("refuses unknown users and databases, and TLS that it does not have", async () => {
    const { host } = new URL(engine.url);
    expect(await refusal(`postgres://nobody:secret@${host}/postgres`)).toBe(`The database at ${host} refuses the user or password.`);
    expect(await refusal(`postgres://oarlock@${host}/missing`)).toBe(`The server at ${host} has no database of this name.`);
    expect(await refusal(`${engine.url}?sslmode=verify-full`)).toMatch(/^No secure connection to the database at .+ SSL connections\.$/);
  });

  test("creates its tables by the nodes that start first, even from many at once", async () => {
    const { href } = await createDatabase("many");
    const nodes = await Promise.all(Array.from({ length: 6 }, () => postgresBackplane(href)));
    expect(await Promise.all(nodes.map((node) => node.put("key", "", { ttlMs: 60_000, when: "absent" })))).toContain(1);
    await Promise.all(nodes.map((node) => node.close()));
  });

  test("refuses without tables a user who may not create them, and serves this user once they exist", async () => {
    const url = await createDatabase("limited", "limited");
    const { host } = url;
    await run(engine.url, "create role limited login");
    expect(await refusal(url.href)).toMatch(/^The user may not create or use the tables of the backplane at .+: permission denied/);
    url.username = "oarlock";
    expect(await refusal(url.href, { migrate: false })).toBe(
      `The database at ${host} has no tables of the backplane in this version: open it once with a user who may create them.`,
    );
    expect(await refusal(url.href)).toBe("opened");
    await run(url.href, "grant usage on schema oarlock_backplane to limited");
    await run(url.href, "grant select, insert, update, delete on all tables in schema oarlock_backplane to limited");
    url.username = "limited";
    await using backplane = closing(await postgresBackplane(url.href, { migrate: false }));
    await backplane.put("key", "text", { ttlMs: 60_000 });
    expect(await backplane.append("key", { writer: "a", texts: ["1"] })).toEqual({ stream: 1, position: 1 });
    expect(await backplane.take("bucket", 1, 1, 1)).toBe(1);
    await backplane.drop("key");
  });

  test("refuses to start on tables of a newer package", async () => {
    const { href, host } = await createDatabase("newer");
    expect(await refusal(href)).toBe("opened");
    await run(href, "update oarlock_backplane.schema_version set version = 99");
    expect(await refusal(href)).toBe(`The tables of the backplane at ${host} are newer than this package: update it.`);
  });

  test("keeps the prefixes of several deployments apart", async () => {
    await using one = closing(await postgresBackplane(engine.url, { prefix: "one" }));
    await using two = closing(await postgresBackplane(engine.url, { prefix: "two" }));
    await one.put("key", "one", { ttlMs: 60_000 });
    expect(await two.get("key")).toBeUndefined();
    const messages: string[] = [];
    await two.subscribe(
      "key",
      (text) => messages.push(text),
      () => {},
    );
    await one.publish("key", "of one");
    await two.publish("key", "of two");
    await expect.poll(() => messages).toEqual(["of two"]);
  });

  test("accepts a separate address for notifications", async () => {
    await using node = closing(await postgresBackplane(engine.url, { listenUrl: `${engine.url}?application_name=notices` }));
    const messages: string[] = [];
    await node.subscribe(
      "topic",
      (text) => messages.push(text),
      () => {},
    );
    await node.publish("topic", "text");
    await expect.poll(() => messages).toEqual(["text"]);
    const names = await run(engine.url, "select query from pg_stat_activity where application_name = 'notices'");
    expect(names).toHaveLength(1);
  });
});

async function run(url: string, text: string): Promise<unknown[]> {
  const client = new Client(url);
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end();
  }
}
