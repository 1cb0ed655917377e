// Copies of a database that another program has locked.
import { existsSync } from "node:fs";
import { tempFolder } from "@oarlock/testing";
import { expect, test } from "vitest";
import { backUp } from "../../../src/db/engine/backup.ts";
import { Engine } from "../../../src/db/engine/engine.ts";
import { resetLockWait } from "../../../src/db/engine/lock-retry.ts";
import { makeDatabase, opened, rowsOf, SHOP } from "../../support/databases.ts";

test("a copy waits for the lock of another program, and says so where it waits too long", async () => {
  await using folder = tempFolder();
  const file = makeDatabase(folder.at("shop.db"), SHOP);
  const engine = new Engine({ file, label: "shop", write: false });
  const asked = { op: "backup", file: folder.at("copy.db") } as const;
  using other = opened(file);
  other.exec("BEGIN EXCLUSIVE");
  // It has waited for so long already.
  resetLockWait(5000);
  await expect(backUp(engine, asked, () => undefined)).rejects.toMatchObject({ code: "busy" });
  expect(existsSync(asked.file)).toBe(false);
  other.exec("COMMIT");
  expect(await backUp(engine, asked, () => undefined)).toEqual({ pages: expect.any(Number) });
  expect(rowsOf(asked.file, "SELECT count(*) FROM orders")).toEqual([[3]]);
  engine.close();
});
