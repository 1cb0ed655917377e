// Subscriptions over HTTP, and of many writes.
import { connectTo, tempFolder, TESTED_REVISIONS } from "@oarlock/testing";
import { expect, test } from "vitest";
import { makeDatabase, SHOP } from "../../support/databases.ts";
import { expectNotifications, notified, watch } from "../../support/subscriptions.ts";
import { targetOf } from "../../support/target.ts";

test.each(TESTED_REVISIONS)("SUB-01 notifies of another program's changes in WAL mode — %s over HTTP", (revision) =>
  expectNotifications("WAL", { revision, transport: "http" }),
);

test("sends fewer than 60 notifications for 400 of its own writes", async () => {
  await using folder = tempFolder();
  const file = makeDatabase(folder.at("shop.db"), `PRAGMA journal_mode = WAL; ${SHOP}`);
  await using wired = await connectTo(targetOf({ files: [file] }));
  const rows = await watch(wired, "sqlite://shop/table/orders/rows");
  for (let number = 0; number < 400; number += 1)
    await wired.client.call("write_query", { query: "INSERT INTO orders (customer_id) VALUES (2)" });
  await notified(rows);
  expect(rows.count).toBeLessThan(60);
});
