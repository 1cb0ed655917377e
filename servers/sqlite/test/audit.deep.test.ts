// --audit: the lines of the rounds of one call are joined.
import { accept, connectTo, decline, scriptUser, tempFolder } from "@oarlock/testing";
import { expect, test } from "vitest";
import { makeDatabase } from "./support/databases.ts";
import { bin } from "./support/target.ts";

test("joins the line of a confirmation to the line of its outcome, in the newest revision", async () => {
  await using folder = tempFolder();
  const file = makeDatabase(folder.at("shop.db"), "CREATE TABLE orders (a); INSERT INTO orders VALUES (1), (2), (3)");
  const user = scriptUser([decline, accept({ confirm: true })]);
  {
    // A call that becomes a task on a slow machine has one line.
    const command = bin(["--read-write", "--task-after", "0", "--confirm-above", "1", "--audit", folder.at("audit.jsonl"), file]);
    await using wired = await connectTo(command, { revision: "2026-07-28", ...user.handlers });
    for (const query of ["DELETE FROM orders", "DELETE FROM orders", "INSERT INTO orders VALUES (4)"])
      await wired.client.call("write_query", { query });
  }
  user.done();
  const lines = folder.read("audit.jsonl").trimEnd().split("\n");
  const entries = lines.map((line) => JSON.parse(line) as { outcome: string; call?: string; touched: string[] }); // the format under test
  expect(entries.map(({ outcome }) => outcome)).toEqual(["asked", "failed", "asked", "done", "done"]);
  for (const { touched } of entries) expect(touched).toEqual(["shop", "orders"]);
  const [first, declined, second, accepted, single] = entries.map(({ call }) => call);
  expect([declined, accepted, single]).toEqual([first, second, undefined]);
  expect(first).toMatch(/^[\da-f-]{36}$/);
  expect(second).not.toBe(first);
});
