// Subscriptions of a client, with the number of notifications that it received.
import { connectTo, tempFolder, waitUntil, type ConnectToOptions, type TestConnection } from "@oarlock/testing";
import { expect } from "vitest";
import { makeDatabase, openDatabase, SHOP } from "./databases.ts";
import { targetOf } from "./target.ts";

/** Only a watch that misses a change takes so long; users are promised 3 seconds. */
const HANG_MS = 30_000;

export interface Seen {
  uri: string;
  count: number;
}

export async function watch({ client }: TestConnection, uri: string): Promise<Seen> {
  const seen = { uri, count: 0 };
  await client.subscribe(uri, () => {
    seen.count += 1;
  });
  return seen;
}

export const notified = async (seen: Seen, from = 0): Promise<number> =>
  await waitUntil(
    () => seen.count,
    (count) => count > from,
    HANG_MS,
  );

/** Expects notifications of the rows and the schema that another program changes in this journal mode. */
export async function expectNotifications(mode: "DELETE" | "WAL", options: ConnectToOptions): Promise<void> {
  await using folder = tempFolder();
  const file = makeDatabase(folder.at("shop.db"), `PRAGMA journal_mode = ${mode}; ${SHOP}`);
  await using wired = await connectTo(targetOf({ files: [file], readOnly: true }), options);
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
}
