// Subscriptions: what other programs write is told within 3 seconds, and nothing after the end.
import { renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { connectTo, tempFolder, TESTED_REVISIONS, type TestConnection } from "@oarlock/testing";
import { describe, expect, test, vi } from "vitest";
import { Insights } from "../../../src/insights.ts";
import { makeDatabase, opened, SHOP } from "../../support/databases.ts";
import { soon } from "../../support/wait-until.ts";
import { targetOf } from "../../support/target.ts";

interface Seen {
  uri: string;
  count: number;
}

async function watch({ client }: TestConnection, uri: string): Promise<Seen> {
  const seen = { uri, count: 0 };
  await client.subscribe(uri, () => {
    seen.count += 1;
  });
  return seen;
}

const grown = async (seen: Seen, from = 0): Promise<number> =>
  await soon(
    () => seen.count,
    (count) => count > from,
    3000,
  );

// Each of these has processes of its own.
vi.setConfig({ maxConcurrency: 3 });
const cells = TESTED_REVISIONS.flatMap((revision) => (["memory", "http"] as const).map((transport) => ({ revision, transport })));

describe.concurrent.each(cells)("— $revision over $transport", ({ revision, transport }) => {
  const mode = transport === "http" ? "WAL" : "DELETE";

  test(`SUB-01 another program's write is told, in ${mode} mode: rows at any, schema at changes of it`, async () => {
    await using folder = tempFolder();
    const file = makeDatabase(folder.at("shop.db"), `PRAGMA journal_mode = ${mode}; ${SHOP}`);
    await using wired = await connectTo(targetOf({ files: [file], readOnly: true }), { revision, transport });
    const [rows, schema] = [await watch(wired, "sqlite://shop/table/orders/rows"), await watch(wired, "sqlite://shop/schema")];
    using other = opened(file);
    other.exec("INSERT INTO orders (customer_id) VALUES (1)");
    await grown(rows);
    expect(schema.count).toBe(0);
    const before = rows.count;
    other.exec("CREATE TABLE more (a)");
    await grown(schema);
    await grown(rows, before);
    for (const { uri } of [rows, schema]) await wired.client.unsubscribe(uri);
    const counts = [rows.count, schema.count];
    other.exec("CREATE TABLE evenmore (a)");
    const again = await watch(wired, "sqlite://shop/table/orders");
    other.exec("ALTER TABLE orders ADD COLUMN note");
    await grown(again);
    expect([rows.count, schema.count]).toEqual(counts);
  });
});

test.each([true, false])("another file in the place of the one that is watched is told, each time; read only: %j", async (readOnly) => {
  await using folder = tempFolder();
  const file = makeDatabase(folder.at("shop.db"), SHOP);
  await using wired = await connectTo(targetOf({ files: [file], readOnly }));
  const [rows, schema] = [await watch(wired, "sqlite://shop/table/orders/rows"), await watch(wired, "sqlite://shop/schema")];
  for (let round = 0; round < 3; round++) {
    const before = [rows.count, schema.count] as const;
    // As a copy is put back: made in the same way, so that SQLite counts the same versions in it.
    renameSync(makeDatabase(folder.at("copy.db"), SHOP), file);
    await grown(rows, before[0]);
    await grown(schema, before[1]);
  }
});

test("our own writes are told, 400 of them in fewer than 60 notices", async () => {
  await using folder = tempFolder();
  const file = makeDatabase(folder.at("shop.db"), `PRAGMA journal_mode = WAL; ${SHOP}`);
  await using wired = await connectTo(targetOf({ files: [file] }));
  const rows = await watch(wired, "sqlite://shop/table/orders/rows");
  for (let number = 0; number < 400; number += 1)
    await wired.client.call("write_query", { query: "INSERT INTO orders (customer_id) VALUES (2)" });
  await grown(rows);
  expect(rows.count).toBeLessThan(60);
});

test("deviation 'insights': the memo tells of each insight, and of those of other servers on the same file", async () => {
  await using folder = tempFolder();
  const file = makeDatabase(folder.at("shop.db"), SHOP);
  const notes = folder.at("state/notes.jsonl");
  await using wired = await connectTo(targetOf({ files: [file], insights: () => notes }));
  const memo = await watch(wired, "memo://insights");
  await wired.client.call("append_insight", { insight: "one" });
  await grown(memo);
  await soon(
    () => memo.count,
    (count) => count > 0,
  );
  const before = memo.count;
  new Insights(() => notes).add("two");
  await grown(memo, before);
  expect((await wired.client.read("memo://insights")).contents).toMatchObject([{ text: expect.stringMatching(/- one\n- two/) }]);
  rmSync(notes);
  expect((await wired.client.read("memo://insights")).contents).toMatchObject([{ text: "No business insights have been discovered yet." }]);
});

test("a file of insights that cannot be looked at for a while ends nothing", async () => {
  await using folder = tempFolder();
  const file = makeDatabase(folder.at("main.db"), "CREATE TABLE t (id INTEGER PRIMARY KEY)");
  const notes = folder.at("notes.jsonl");
  await using wired = await connectTo(targetOf({ files: [file], insights: () => notes }));
  const memo = await watch(wired, "memo://insights");
  symlinkSync("notes.jsonl", notes); // a circle
  await sleep(1200);
  rmSync(notes);
  new Insights(() => notes).add("by another server");
  await soon(
    () => memo.count,
    (count) => count > 0,
  );
});

test("an insight is kept behind a line that was never ended", async () => {
  await using folder = tempFolder();
  const notes = folder.at("notes.jsonl");
  for (const [before, known] of [
    ['"one"\n"two"', ["one", "two"]],
    ['"one"\n"torn', ["one"]],
    ["", []],
  ] as const) {
    writeFileSync(notes, before);
    expect(new Insights(() => notes).add("next")).toEqual({ count: known.length + 1, isSaved: true });
    expect(new Insights(() => notes).all()).toEqual([...known, "next"]);
  }
});

test("insights that would make their file too large to be read are refused, and none of the others is lost", async () => {
  await using folder = tempFolder();
  const notes = folder.at("notes.jsonl");
  const long = "x".repeat(20_000);
  writeFileSync(notes, `${JSON.stringify(long)}\n`.repeat(399));
  const insights = new Insights(() => notes);
  expect(() => insights.add(long)).toThrow("The memo is full: it has 399 insights");
  expect(insights.add("short")).toEqual({ count: 400, isSaved: true });
  expect(insights.all()).toHaveLength(400);
});
