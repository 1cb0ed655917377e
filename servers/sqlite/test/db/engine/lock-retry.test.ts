// A lock of another program: what the error says when the wait for it is over.
import { expect, test } from "vitest";
import { resetLockWait, retryWhileBusy } from "../../../src/db/engine/lock-retry.ts";
import { openDatabase } from "../../support/databases.ts";
import { openEngine } from "../../support/engine.ts";

test("names a program that keeps a lock, such as a browser, and the way around it", async () => {
  await using opened = await openEngine("CREATE TABLE t (a)");
  using other = openDatabase(opened.file);
  other.exec("BEGIN EXCLUSIVE");
  opened.engine.db.pragma("busy_timeout = 0");
  resetLockWait(60_000);
  expect(() => retryWhileBusy(() => opened.engine.db.prepare("SELECT count(*) FROM t").get())).toThrow(
    /^The database is busy: .*such as a browser, has to be closed, or serve a copy of the file\.$/,
  );
  other.exec("ROLLBACK");
  expect(retryWhileBusy(() => opened.engine.db.prepare("SELECT count(*) AS n FROM t").get())).toEqual({ n: 0 });
});
