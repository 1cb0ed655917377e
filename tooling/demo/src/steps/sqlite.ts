// The SQLite server's show: a chandlery's database, a client, and a scripted user.
import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { DatabaseSync } from "node:sqlite";
import { REVISIONS } from "@oarlock/server-kit/protocol";
import { tempFolder } from "@oarlock/testing";
import {
  commandOf,
  consent,
  jsonOf,
  NEWEST_OF_ERAS,
  notifiedOf,
  openStage,
  showsOf,
  textOf,
  withParts,
  type Stage,
  type Steps,
  type Transport,
} from "../stage.ts";

interface Scene extends Stage {
  /** Works on the file as another program does. */
  database(sql: string): unknown[];
}

const TABLES = `
  CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT NOT NULL, port TEXT NOT NULL);
  CREATE TABLE goods (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, price REAL NOT NULL, weight INTEGER);
  CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER NOT NULL REFERENCES customers(id),
    goods_id INTEGER NOT NULL REFERENCES goods(id), pieces INTEGER NOT NULL);
  INSERT INTO customers (name, port) VALUES ('Ada', 'Bergen'), ('Joshua', 'Halifax'), ('Grace', 'Bergen');
  INSERT INTO goods (name, price, weight) VALUES ('rope', 2.5, 9007199254740993), ('lantern', 40, 3), ('anchor', 180, 60);
  WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 150)
    INSERT INTO orders (customer_id, goods_id, pieces) SELECT 1 + i % 3, 1 + i % 3, i FROM n;`;
const ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n";

async function openScene(revision: string, transport: Transport): Promise<Scene> {
  const folder = tempFolder();
  const file = folder.at("chandlery.db");
  const within = <T>(work: (opened: DatabaseSync) => T): T => {
    const opened = new DatabaseSync(file);
    try {
      return work(opened);
    } finally {
      opened.close();
    }
  };
  within((opened) => opened.exec(TABLES));
  const stage = await openStage(commandOf("sqlite", "--read-write", "--insights", folder.at("insights"), file), { revision, transport });
  return withParts(stage, { database: (sql: string) => within((opened) => opened.prepare(sql).all()) }, folder);
}

const steps: Steps<Scene> = {
  async query({ client, revision }, say) {
    assert.equal(client.revision, revision);
    const query =
      "SELECT name, count(*) AS orders FROM customers JOIN orders ON customer_id = customers.id WHERE port = :port GROUP BY name";
    const rowsOf = async (port: string) => jsonOf(await client.call("read_query", { query, params: { port } }));
    const rows = await rowsOf("Bergen");
    assert.deepEqual(rows, [
      { name: "Ada", orders: 50 },
      { name: "Grace", orders: 50 },
    ]);
    assert.deepEqual(await rowsOf("x' OR '1'='1"), []);
    const exact = await client.call("read_query", { query: "SELECT weight FROM goods WHERE name = ?", params: ["rope"] });
    assert.deepEqual(jsonOf(exact), [{ weight: "9007199254740993" }]);
    say(`Who orders from Bergen? ${JSON.stringify(rows)}. The port is a bound value, so an injection only finds nothing.`);
    const sly = await client.call("read_query", { query: "WITH gone AS (SELECT 1) DELETE FROM orders RETURNING *" });
    assert.equal(sly.isError, true);
    say(`A DELETE after WITH is refused as a read: “${textOf(sly)}”`);
  },
  async question(scene, say) {
    const clear = () => scene.client.call("write_query", { query: "DELETE FROM orders" });
    await consent(scene, clear, () => scene.database("SELECT * FROM orders").length === 0, say);
  },
  async cancellation({ client }, say) {
    const plain = async () => assert.ok(jsonOf(await client.call("read_query", { query: "SELECT count(*) FROM goods" })));
    const cancel = new AbortController();
    const ended = assert.rejects(client.call("read_query", { query: ENDLESS }, { signal: cancel.signal }), /^Error: enough$/);
    await sleep(200);
    const from = performance.now();
    await plain();
    const meanwhile = Math.ceil(performance.now() - from);
    cancel.abort(new Error("enough"));
    await ended;
    await plain();
    say(`A query that counts without end. Meanwhile another is answered in ${meanwhile} ms; then the first is cancelled.`);
    const stopped = await client.call("read_query", { query: ENDLESS, timeout_ms: 300 });
    assert.match(textOf(stopped), /topped after 300 ms/);
    say(`With a deadline of 300 ms it ends by itself: “${textOf(stopped)}”`);
  },
  async subscription(scene, say) {
    const uri = "sqlite://chandlery/table/customers/rows";
    const after = await notifiedOf(scene, uri, async () => {
      await sleep(300); // the first look is taken
      scene.database("INSERT INTO customers (name, port) VALUES ('Ilse', 'Bergen') RETURNING id");
    });
    say(`The client watches the customers. Another program adds one; ${after} ms later the client is notified.`);
  },
};

/** On a pipe in the oldest revision too. */
export const sqlite = showsOf("sqlite", openScene, [...NEWEST_OF_ERAS, REVISIONS.at(-1) ?? ""], steps);
