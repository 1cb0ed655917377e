// Copies of a database that another program has locked.
import { mkdirSync } from "node:fs";
import { tempFolder } from "@oarlock/testing";
import { expect, test } from "vitest";
import { backUp } from "../../../src/db/engine/backup.ts";
import { Engine } from "../../../src/db/engine/engine.ts";
import { resetLockWait } from "../../../src/db/engine/lock-retry.ts";
import { placeOf } from "../../support/csv-file.ts";
import { makeDatabase, openDatabase, rowsOf, SHOP } from "../../support/databases.ts";

test("backUp waits for the lock of another program and reports it as busy at the limit", async () => {
  await using folder = tempFolder();
  const file = makeDatabase(folder.at("shop.db"), SHOP);
  const engine = new Engine({ file, label: "shop", write: false });
  mkdirSync(folder.at("scratch"));
  const requestFor = (name: string) => ({ op: "backup", file: placeOf(folder.at(name)), scratchFolder: folder.at("scratch") }) as const;
  using other = openDatabase(file);
  other.exec("BEGIN EXCLUSIVE");
  // The whole time limit is already spent.
  resetLockWait(5000);
  await expect(backUp(engine, requestFor("first.db"), () => undefined)).rejects.toMatchObject({ code: "busy" });
  other.exec("COMMIT");
  expect(await backUp(engine, requestFor("copy.db"), () => undefined)).toEqual({ pages: expect.any(Number) });
  expect(rowsOf(folder.at("copy.db"), "SELECT count(*) FROM orders")).toEqual([[3]]);
  engine.close();
});
