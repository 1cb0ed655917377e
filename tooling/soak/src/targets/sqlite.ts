/** A database that is read, written and watched, with statements that never end: their processes are killed. */
import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { cancelled, watched } from "../load/kit.ts";
import { fails, must, succeeds } from "../load/expect.ts";
import type { Domain } from "./domain.ts";

const ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n";

export const sqlite: Domain = {
  name: "sqlite",
  prepare(folder) {
    if (!existsSync(folder.at("soak.db"))) {
      const database = new DatabaseSync(folder.at("soak.db"));
      database.exec(`PRAGMA journal_mode = WAL; CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT, n REAL);
        WITH RECURSIVE k(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM k WHERE i < 3000) INSERT INTO item SELECT i, 'item ' || i, i * 1.5 FROM k;`);
      database.close();
    }
    return ["--read-write", `--insights=${folder.at("insights.md")}`, folder.at("soak.db")];
  },
  call: () => ({ name: "read_query", args: { query: ENDLESS } }),
  works: () => ({
    "one row": async (client) =>
      must((await succeeds(client.call("read_query", { query: "SELECT name FROM item WHERE id = 7" }))).includes("item 7"), "no row"),
    rows: async (client) => void (await succeeds(client.call("read_query", { query: "SELECT * FROM item", limit: 500 }))),
    sum: async (client) => void (await succeeds(client.call("read_query", { query: "SELECT count(*), sum(n) FROM item" }))),
    tables: async (client) => void (await succeeds(client.call("list_tables"))),
    table: async (client) => void (await succeeds(client.call("describe_table", { table_name: "item" }))),
    plan: async (client) => void (await succeeds(client.call("explain_query", { query: "SELECT * FROM item WHERE name = 'x'" }))),
    search: async (client) => void (await succeeds(client.call("search_text", { query: "item 299" }))),
    "insert and delete": async (client) => {
      const name = randomUUID();
      await succeeds(client.call("write_query", { query: `INSERT INTO item (name) VALUES ('${name}')` }));
      await succeeds(client.call("write_query", { query: `DELETE FROM item WHERE name = '${name}'` }));
    },
    transaction: async (client) => {
      const name = randomUUID();
      const statements = [`INSERT INTO item (name) VALUES ('${name}')`, `DELETE FROM item WHERE name = '${name}'`].map((query) => ({
        query,
      }));
      await succeeds(client.call("run_transaction", { statements }));
    },
    "past its time": (client) => fails(client.call("read_query", { query: ENDLESS, timeout_ms: 150 })),
    cancelled: (client) => cancelled(client, "read_query", { query: ENDLESS }, 60),
    watched: (client) =>
      watched(client, "sqlite://soak/table/item/rows", () =>
        succeeds(client.call("write_query", { query: "UPDATE item SET n = n + 1 WHERE id = 3" })),
      ),
    resource: async (client) => void (await client.read("sqlite://soak/schema")),
    "no such table": (client) => fails(client.call("read_query", { query: "SELECT * FROM nowhere" })),
  }),
};
