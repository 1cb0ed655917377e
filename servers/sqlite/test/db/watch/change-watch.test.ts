// Subscriptions: notifications for changes by this server and by other programs, and none after unsubscribe.
import { renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { connectTo, tempFolder, TESTED_REVISIONS, waitUntil, type TestConnection } from "@oarlock/testing";
import { describe, expect, test, vi } from "vitest";
import { Insights } from "../../../src/insights.ts";
import { makeDatabase, openDatabase, SHOP } from "../../support/databases.ts";
import { targetOf } from "../../support/target.ts";

/** Only a watch that misses a change takes so long; users are promised 3 seconds. */
const HANG_MS = 30_000;

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

const notified = async (seen: Seen, from = 0): Promise<number> =>
  await waitUntil(
    () => seen.count,
    (count) => count > from,
    HANG_MS,
  );

// Each of these starts processes.
vi.setConfig({ maxConcurrency: 3 });
const cells = TESTED_REVISIONS.flatMap((revision) => (["memory", "http"] as const).map((transport) => ({ revision, transport })));

describe.concurrent.each(cells)("— $revision over $transport", ({ revision, transport }) => {
  const mode = transport === "http" ? "WAL" : "DELETE";

  test(`SUB-01 the server notifies of another program's changes of rows and schema in ${mode} mode`, async () => {
    await using folder = tempFolder();
    const file = makeDatabase(folder.at("shop.db"), `PRAGMA journal_mode = ${mode}; ${SHOP}`);
    await using wired = await connectTo(targetOf({ files: [file], readOnly: true }), { revision, transport });
    const [rows, schema] = [await watch(wired, "sqlite://shop/table/orders/rows"), await watch(wired, "sqlite://shop/schema")];
    using other = openDatabase(file);
    other.exec("INSERT INTO orders (customer_id) VALUES (1)");
    await notified(rows);
    expect(schema.count).toBe(0);
    const before = rows.count;
    other.exec("CREATE TABLE more (a)");
    await notified(schema);
    await notified(rows, before);
    for (const { uri } of [rows, schema]) await wired.client.unsubscribe(uri);
    const counts = [rows.count, schema.count];
    other.exec("CREATE TABLE evenmore (a)");
    const again = await watch(wired, "sqlite://shop/table/orders");
    other.exec("ALTER TABLE orders ADD COLUMN note");
    await notified(again);
    expect([rows.count, schema.count]).toEqual(counts);
  });
});

test.each([true, false])("the server notifies of each replacement of the file (read-only: %j)", async (readOnly) => {
  await using folder = tempFolder();
  const file = makeDatabase(folder.at("shop.db"), SHOP);
  await using wired = await connectTo(targetOf({ files: [file], readOnly }));
  const [rows, schema] = [await watch(wired, "sqlite://shop/table/orders/rows"), await watch(wired, "sqlite://shop/schema")];
  for (let round = 0; round < 3; round++) {
    const before = [rows.count, schema.count] as const;
    // A copy with the same change counters, as when a backup is restored.
    renameSync(makeDatabase(folder.at("copy.db"), SHOP), file);
    await notified(rows, before[0]);
    await notified(schema, before[1]);
  }
});

test("the server sends fewer than 60 notifications for 400 of its own writes", async () => {
  await using folder = tempFolder();
  const file = makeDatabase(folder.at("shop.db"), `PRAGMA journal_mode = WAL; ${SHOP}`);
  await using wired = await connectTo(targetOf({ files: [file] }));
  const rows = await watch(wired, "sqlite://shop/table/orders/rows");
  for (let number = 0; number < 400; number += 1)
    await wired.client.call("write_query", { query: "INSERT INTO orders (customer_id) VALUES (2)" });
  await notified(rows);
  expect(rows.count).toBeLessThan(60);
});

test("deviation 'insights': the server notifies of each insight, also of other servers with the same file", async () => {
  await using folder = tempFolder();
  const file = makeDatabase(folder.at("shop.db"), SHOP);
  const notes = folder.at("state/notes.jsonl");
  await using wired = await connectTo(targetOf({ files: [file], insights: () => notes }));
  const memo = await watch(wired, "memo://insights");
  await wired.client.call("append_insight", { insight: "one" });
  await notified(memo);
  const before = memo.count;
  new Insights(() => notes).add("two");
  await notified(memo, before);
  expect((await wired.client.read("memo://insights")).contents).toMatchObject([{ text: expect.stringMatching(/- one\n- two/) }]);
  rmSync(notes);
  expect((await wired.client.read("memo://insights")).contents).toMatchObject([{ text: "No business insights have been discovered yet." }]);
});

test("the watch survives a file of insights that cannot be read for a while", async () => {
  await using folder = tempFolder();
  const file = makeDatabase(folder.at("main.db"), "CREATE TABLE t (id INTEGER PRIMARY KEY)");
  const notes = folder.at("notes.jsonl");
  await using wired = await connectTo(targetOf({ files: [file], insights: () => notes }));
  const memo = await watch(wired, "memo://insights");
  symlinkSync("notes.jsonl", notes); // points to itself
  await sleep(1200);
  rmSync(notes);
  new Insights(() => notes).add("by another server");
  await notified(memo);
});

test("an insight is saved after an incomplete line", async () => {
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

test("an insight that makes the file too large is refused, and the others stay", async () => {
  await using folder = tempFolder();
  const notes = folder.at("notes.jsonl");
  const long = "x".repeat(20_000);
  writeFileSync(notes, `${JSON.stringify(long)}\n`.repeat(399));
  const insights = new Insights(() => notes);
  expect(() => insights.add(long)).toThrow("The memo is full: it has 399 insights");
  expect(insights.add("short")).toEqual({ count: 400, isSaved: true });
  expect(insights.all()).toHaveLength(400);
});
