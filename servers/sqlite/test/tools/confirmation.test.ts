// deviation 'questions': what the user must confirm, and what happens then.
import { basename } from "node:path";
import type { Json } from "@oarlock/server-kit/protocol";
import { accept, cancel, connectTo, decline, runInBothEras, tempFolder, type ScriptedReply, type TestConnection } from "@oarlock/testing";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { createServer } from "../../src/server.ts";
import { makeDatabase, openDatabase, rowsOf, SHOP } from "../support/databases.ts";
import { openShop, text, type Shop } from "../support/shop.ts";
import { targetOf } from "../support/target.ts";

const MANY = `${SHOP} INSERT INTO orders (customer_id, total) WITH RECURSIVE c(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM c WHERE i < 200) SELECT 3, i FROM c;`;
const CONFIRMED: [string, Json, string][] = [
  [
    "write_query",
    { query: "DROP TABLE orders" },
    "DROP would remove the table orders from shop. What refers to it would no longer work: the view spending. Go on?",
  ],
  ["write_query", { query: "ALTER TABLE orders DROP COLUMN placed" }, "ALTER would remove the column placed of orders from shop. Go on?"],
  ["write_query", { query: "DELETE FROM orders" }, "DELETE would delete 203 of 203 rows of orders in shop. Go on?"],
  ["write_query", { query: "UPDATE orders SET total = 0 WHERE id > 50" }, "UPDATE would change 153 of 203 rows of orders in shop. Go on?"],
  [
    "write_query",
    { query: "DELETE FROM customers WHERE id = 3" },
    "DELETE would change 201 rows of shop (DELETE 1 of 3 rows of customers). Triggers and foreign keys would change orders (200 rows). Go on?",
  ],
  [
    "run_transaction",
    { statements: [{ query: "DELETE FROM orders" }, { query: "DROP VIEW spending" }] },
    "The transaction would remove the view spending from shop and change 203 rows of shop (DELETE 203 rows of orders). Go on?",
  ],
];
const DECLINED: [string, ScriptedReply][] = [
  ["false", accept({ confirm: false })],
  ["decline", decline],
  ["cancel", cancel],
];

const state = (file: string): unknown => [
  rowsOf(file, "SELECT name, sql FROM sqlite_schema ORDER BY name"),
  rowsOf(file, "SELECT count(*), max(email) FROM customers"),
  tryRows(file, "SELECT count(*), sum(total) FROM orders"),
];

function tryRows(file: string, sql: string): unknown {
  try {
    return rowsOf(file, sql);
  } catch {
    return "missing";
  }
}

/** Gives a database that is served its first content again. */
function restore(file: string): void {
  using db = openDatabase(file);
  db.exec(
    `PRAGMA foreign_keys = OFF; DROP VIEW IF EXISTS spending; DROP TABLE IF EXISTS orders; DROP TABLE customers; DROP TABLE notes; ${MANY}`,
  );
}

const declinedText = "the user declined. Nothing was done.";

describe("deviation 'questions'", () => {
  const folder = tempFolder();
  afterAll(() => folder[Symbol.asyncDispose]());
  const file = makeDatabase(folder.at("shop.db"), MANY);
  const before = state(file);

  describe("a client with a user", () => {
    let wired: TestConnection;
    let answer = accept();
    const asked: string[] = [];
    beforeAll(async () => {
      wired = await connectTo(targetOf({ files: [file] }), {
        elicit: ({ message }) => {
          asked.push(message);
          return answer;
        },
      });
    });
    afterAll(() => wired[Symbol.asyncDispose]());

    test.each(CONFIRMED)("ELIC-08 runs %s %j after the user accepts", async (name, args, message) => {
      answer = accept({ confirm: true });
      asked.length = 0;
      const result = await wired.client.call(name, args);
      const after = state(file);
      restore(file);
      expect(result.isError, text(result)).toBeUndefined();
      expect(asked).toEqual([message]);
      expect(after).not.toEqual(before);
    });

    test.each(CONFIRMED)("ELIC-20 does not run %s %j if the user does not confirm", async (name, args) => {
      answer = accept({ confirm: false });
      const result = await wired.client.call(name, args);
      expect(result.isError).toBe(true);
      expect(text(result)).toContain(declinedText);
      expect(state(file)).toEqual(before);
    });
  });

  // One of each tool: the handlers ask the same way whatever the statement is.
  describe.each([[...CONFIRMED[0]!, DECLINED] as const, [...CONFIRMED[5]!, DECLINED.slice(0, 1)] as const])(
    "%s %j",
    (name, args, message, refusals) => {
      const stage = async () => {
        const own = tempFolder();
        onTestFinished(() => own[Symbol.asyncDispose]());
        const copy = makeDatabase(own.at("shop.db"), MANY);
        const { server } = createServer({ databases: [{ name: basename(copy, ".db"), file: copy, write: true }] });
        return { server, effects: () => state(copy) };
      };

      test("ELIC-08 runs after the user accepts, in both eras", async () => {
        const { answer, requests, effects } = await runInBothEras(stage, { call: name, args }, { replies: [accept({ confirm: true })] });
        expect(requests.map(({ params }) => (params as Json)["message"])).toEqual([message]);
        expect(answer).not.toMatchObject({ result: { isError: true } });
        expect(effects).not.toEqual(before);
      });

      test.each(refusals)("ELIC-20 does not run in either era if the user answers with %s", async (_answer, line) => {
        const { answer, effects } = await runInBothEras(stage, { call: name, args }, { replies: [line] });
        expect(answer).toMatchObject({ result: { isError: true, content: [{ text: expect.stringContaining(declinedText) }] } });
        expect(effects).toEqual(before);
      });
    },
  );

  describe("a client without a user", () => {
    let shop: Shop;
    let free: Shop;
    beforeAll(async () => {
      [shop, free] = [await openShop({ sql: MANY }), await openShop({ sql: MANY, allowDestructive: true })];
    });
    afterAll(async () => {
      await shop[Symbol.asyncDispose]();
      await free[Symbol.asyncDispose]();
    });

    test.each(CONFIRMED)("is refused %s %j", async (name, args) => {
      expect(await shop.failure(name, args)).toContain("--allow-destructive");
      expect(state(shop.file)).toEqual(before);
    });

    const announced = "Without dry_run the user is asked first; where the client cannot ask, the call is refused.";
    test.each(CONFIRMED)("learns from a dry run of %s %j that the user will be asked", async (name, args) => {
      const result = await shop.call(name, { ...args, dry_run: true });
      expect(text(result)).toContain(announced);
      expect(result.structuredContent).toMatchObject({ needsConfirmation: true, rolledBack: true });
      expect(text(await free.call(name, { ...args, dry_run: true }))).not.toContain(announced);
    });

    test("reads no such sentence in a dry run of a change that needs no user", async () => {
      const result = await shop.call("write_query", { query: "DELETE FROM orders WHERE id = 1", dry_run: true });
      expect(text(result)).not.toContain(announced);
      expect(result.structuredContent).not.toHaveProperty("needsConfirmation");
    });

    test.each(CONFIRMED)("runs %s %j with --allow-destructive", async (name, args) => {
      await free.call(name, args);
      restore(free.file);
    });
  });

  test("the question names many statements by the rows of each table together", async () => {
    await using shop = await openShop({ sql: MANY });
    const statements = [
      ...Array.from({ length: 20 }, (_, at) => ({ query: `UPDATE orders SET total = ${at} WHERE id <= 10` })),
      { query: "UPDATE Orders SET total = 1 WHERE id = 11" },
      { query: "DELETE FROM orders WHERE id = 12" },
    ];
    expect(await shop.failure("run_transaction", { statements })).toContain(
      "change 202 rows of shop (UPDATE 201 rows of orders, DELETE 1 row of orders)",
    );
  });

  test("--confirm-above sets the number of rows that need no confirmation", async () => {
    await using some = await openShop({ sql: MANY, confirmAbove: 203 });
    expect(await some.structured("write_query", { query: "UPDATE orders SET total = 1" })).toMatchObject({ changes: 203 });
  });
});
