// Reading and changing: the catalogue, bound values, a dry run, and an elicitation before many rows are deleted.
import assert from "node:assert/strict";
import type { Step } from "../../show.ts";
import { count, names } from "../../word-lists.ts";
import { done, textOf } from "../filesystem/replies.ts";
import { found } from "./database.ts";
import { rowsOf, type Scene } from "./scene.ts";

export const catalogue: Step<Scene> = {
  title: "catalogue",
  async play({ client, revision }, say) {
    assert.equal(client.revision, revision);
    const tables = rowsOf(await client.call("list_tables", {})) as { name: string }[];
    const listed = tables.map(({ name }) => name);
    assert.deepEqual(listed, ["customers", "goods", "letters", "orders"]);
    const orders = JSON.parse(done(await client.call("describe_table", { table_name: "orders" })).split("\n")[0] ?? "") as {
      foreignKeys: unknown[];
    };
    assert.equal(orders.foreignKeys.length, 2);
    const tools = await client.tools().all();
    say(
      `${client.serverInfo.name} serves a chandlery's database with ${count(tools.length, "tool")}. It holds ${names(listed)}; orders have ${count(orders.foreignKeys.length, "foreign key")}.`,
    );
  },
};

export const query: Step<Scene> = {
  title: "query",
  async play({ client }, say) {
    const sql = "SELECT name, count(*) AS orders FROM customers JOIN orders ON customer_id = customers.id WHERE port = :port GROUP BY name";
    const rows = rowsOf(await client.call("read_query", { query: sql, params: { port: "Bergen" } }));
    assert.deepEqual(rows, [
      { name: "Ada", orders: 50 },
      { name: "Grace", orders: 50 },
    ]);
    const nasty = await client.call("read_query", { query: sql, params: { port: "x' OR '1'='1" } });
    assert.deepEqual(rowsOf(nasty), []);
    const exact = rowsOf(await client.call("read_query", { query: "SELECT weight FROM goods WHERE name = ?", params: ["rope"] }));
    assert.deepEqual(exact, [{ weight: "9007199254740993" }]);
    say(`Who orders from Bergen? ${JSON.stringify(rows)}. The port is a bound value, so an injection only finds nothing.`);
    say("An integer past 2^53 comes back to the last digit: 9007199254740993.");
    const sly = await client.call("read_query", { query: "WITH gone AS (SELECT 1) DELETE FROM orders RETURNING *" });
    assert.equal(sly.isError, true);
    say(`A DELETE after WITH is refused as a read: “${textOf(sly)}”`);
  },
};

export const dryRun: Step<Scene> = {
  title: "dry run",
  async play({ client, file }, say) {
    const change = { query: "UPDATE goods SET price = price * 2 WHERE price < ?", params: [100] };
    const preview = done(await client.call("write_query", { ...change, dry_run: true }));
    const prices = "SELECT price FROM goods ORDER BY id";
    assert.deepEqual(found(file, prices), [[2.5], [40], [180]]);
    done(await client.call("write_query", change));
    assert.deepEqual(found(file, prices), [[5], [80], [180]]);
    say(`The price of cheap goods doubles. First a dry run: “${preview.split("\n").at(-1)}” Then the real update, which is in the file.`);
  },
};

export const question: Step<Scene> = {
  title: "question",
  async play({ client, file, facts, asked, answers }, say) {
    const clear = () => client.call("write_query", { query: "DELETE FROM orders" });
    const left = () => found(file, "SELECT count(*) FROM orders")[0]?.[0];
    if (!facts.elicit) {
      const refused = await clear();
      assert.equal(refused.isError, true);
      assert.equal(left(), 150);
      return say(`This revision has no elicitation, so 150 orders are not deleted: “${textOf(refused)}”`);
    }
    answers.push({ action: "decline" }, { action: "accept", content: { confirm: true } });
    assert.equal((await clear()).isError, true);
    assert.equal(left(), 150);
    done(await clear());
    assert.equal(left(), 0);
    assert.equal(asked.length, 2);
    say(`Before many rows are deleted, they are counted and the user is asked: “${asked[0]}”`);
    say("The user declines the first time, and all orders stay; the second time they accept, and the orders are deleted.");
  },
};
