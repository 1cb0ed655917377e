// Subscriptions: notifications for changes by this server and by other programs, and none after unsubscribe. change-watch.deep.test.ts has
// subscriptions over HTTP and of many writes.
import { renameSync, rmSync } from "node:fs";
import { connectTo, tempFolder } from "@oarlock/testing";
import { expect, test } from "vitest";
import { Insights } from "../../../src/insights.ts";
import { makeDatabase, SHOP } from "../../support/databases.ts";
import { expectNotifications, notified, watch } from "../../support/subscriptions.ts";
import { targetOf } from "../../support/target.ts";

/** These tests wait for several looks at a file. Only a busy machine needs longer than a few seconds. */
const PATIENT = 30_000;

test.each(["2025-11-25", "2026-07-28"])(
  "SUB-01 notifies of another program's changes of rows and schema — %s",
  (revision) => expectNotifications("DELETE", { revision }),
  PATIENT,
);

test.each([true, false])(
  "notifies of each replacement of the file (read-only: %j)",
  async (readOnly) => {
    await using folder = tempFolder();
    const file = makeDatabase(folder.at("shop.db"), SHOP);
    await using wired = await connectTo(targetOf({ files: [file], readOnly }));
    const [rows, schema] = [await watch(wired, "sqlite://shop/table/orders/rows"), await watch(wired, "sqlite://shop/schema")];
    for (let round = 0; round < 2; round++) {
      const before = [rows.count, schema.count] as const;
      // A copy with the same change counters, as when a backup is restored.
      renameSync(makeDatabase(folder.at("copy.db"), SHOP), file);
      await notified(rows, before[0]);
      await notified(schema, before[1]);
    }
  },
  PATIENT,
);

test(
  "deviation 'insights': notifies of each insight, also of other servers with the same file",
  async () => {
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
    expect((await wired.client.read("memo://insights")).contents).toMatchObject([
      { text: "No business insights have been discovered yet." },
    ]);
  },
  PATIENT,
);
