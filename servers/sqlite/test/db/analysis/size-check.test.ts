// The size of a database is measured while this process uses it.
import { readFileSync, statSync } from "node:fs";
import { needs } from "@oarlock/testing";
import { expect, test } from "vitest";
import { checkSize } from "../../../src/db/analysis/size-check.ts";
import { openEngine } from "../../support/engine.ts";

test("leaves the connection of the server the locks that it holds", needs("/proc"), async () => {
  await using opened = await openEngine("CREATE TABLE t (a)");
  const { db } = opened.engine;
  db.pragma("journal_mode = WAL");
  db.exec("BEGIN IMMEDIATE; INSERT INTO t VALUES (1)");
  const locks = (): string[] =>
    readFileSync("/proc/locks", "utf8")
      .split("\n")
      .filter((line) => line.includes(` ${process.pid} `) && line.includes(`:${statSync(opened.file).ino} `));
  const before = locks().length;
  expect(before).toBeGreaterThan(0);
  db.exec("COMMIT");
  expect(checkSize(opened.engine)).toMatchObject({ largest: [{ table: "sqlite_schema" }, { table: "t" }] });
  expect(locks()).toHaveLength(before);
});
