// Copies of a database that another program has locked.
import { existsSync } from "node:fs";
import { tempFolder } from "@oarlock/testing";
import { expect, test } from "vitest";
import { backUp } from "../../../src/db/engine/backup.ts";
import { Engine } from "../../../src/db/engine/engine.ts";
import { resetLockWait } from "../../../src/db/engine/lock-retry.ts";
import { makeDatabase, openDatabase, rowsOf, SHOP } from "../../support/databases.ts";

test("backUp waits for the lock of another program and reports it as busy at the limit", async () => {
  await using folder = tempFolder();
  const file = makeDatabase(folder.at("shop.db"), SHOP);
  const engine = new Engine({ file, label: "shop", write: false });
  const request = { op: "backup", file: folder.at("copy.db") } as const;
  using other = openDatabase(file);
  other.exec("BEGIN EXCLUSIVE");
  // The whole time limit is already spent.
  resetLockWait(5000);
  await expect(backUp(engine, request, () => undefined)).rejects.toMatchObject({ code: "busy" });
  expect(existsSync(request.file)).toBe(false);
  other.exec("COMMIT");
  expect(await backUp(engine, request, () => undefined)).toEqual({ pages: expect.any(Number) });
  expect(rowsOf(request.file, "SELECT count(*) FROM orders")).toEqual([[3]]);
  engine.close();
});
