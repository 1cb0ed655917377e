// --lockdown: a database, its companions and imported files of another owner are refused, at the start and afterwards. Root gives files away.
import { chownSync, copyFileSync, renameSync, writeFileSync } from "node:fs";
import { connectTo, tempFolder } from "@oarlock/testing";
import { describe, expect, test } from "vitest";
import { checkMachine } from "../../src/doctor.ts";
import { findServedFiles } from "../../src/served-files.ts";
import { makeDatabase, openDatabase, SHOP } from "../support/databases.ts";
import { text } from "../support/shop.ts";
import { targetOf } from "../support/target.ts";

/** Only root can give a file to another user. */
const isRoot = process.geteuid?.() === 0;
const OTHER = 4711;
const line = (...positionals: string[]) => ({ positionals, dbPath: undefined, readWrite: true, readOnly: false, lockdown: true });
const HIDDEN = /hidden by --lockdown: its owner, user 4711, is neither the user of this server nor root: .*\(chown\)/;

describe.runIf(isRoot)("with --lockdown", () => {
  test.each(["", "-wal", "-journal", "-shm"])("a database whose file%s belongs to another user is not served", async (suffix) => {
    await using folder = tempFolder();
    const [own, foreign] = [makeDatabase(folder.at("own.db"), SHOP), makeDatabase(folder.at("foreign.db"), SHOP)];
    if (suffix !== "") writeFileSync(foreign + suffix, "");
    chownSync(foreign + suffix, OTHER, OTHER);
    const { databases, skipped } = findServedFiles(line(own, foreign));
    expect(databases.map(({ name }) => name)).toEqual(["own"]);
    expect(skipped).toEqual([expect.stringMatching(HIDDEN)]);
    expect(() => findServedFiles(line(foreign))).toThrow(
      expect.objectContaining({ code: 3, message: expect.stringMatching(HIDDEN) as string }),
    );
    expect(findServedFiles({ ...line(own, foreign), lockdown: false }).skipped).toEqual([]);
    const checks = checkMachine({ ...line(foreign), queries: undefined, filesDir: undefined });
    expect(JSON.stringify(checks)).toMatch(HIDDEN);
  });

  test("a database that is replaced by one of another user, or gets a log from one, is not read any more", async () => {
    await using folder = tempFolder();
    const file = makeDatabase(folder.at("shop.db"), `PRAGMA journal_mode = WAL; ${SHOP}`);
    await using wired = await connectTo(targetOf({ files: [file], lockdown: true }));
    const names = async () => text(await wired.client.call("read_query", { query: "SELECT name FROM customers WHERE id = 1" }));
    expect(await names()).toContain("Ada");
    copyFileSync(file, folder.at("other.db"));
    chownSync(folder.at("other.db"), OTHER, OTHER);
    renameSync(folder.at("other.db"), file);
    await expect.poll(names).toMatch(HIDDEN);
    expect(text(await wired.client.call("write_query", { query: "UPDATE customers SET name = 'x'" }))).toMatch(HIDDEN);
    chownSync(file, 0, 0);
    await expect.poll(names).toContain("Ada");
    using db = openDatabase(file);
    db.exec("UPDATE customers SET email = NULL");
    chownSync(`${file}-wal`, OTHER, OTHER);
    await expect.poll(names).toMatch(/hidden by --lockdown[^]*shop-wal/);
  });

  test("a CSV file of another user is not imported", async () => {
    await using folder = tempFolder({ "a.csv": "a,b\n1,2\n" });
    const file = makeDatabase(folder.at("shop.db"), SHOP);
    await using wired = await connectTo(targetOf({ files: [file], filesDir: folder.path, lockdown: true }));
    const load = async (table: string) => text(await wired.client.call("import_csv", { path: folder.at("a.csv"), table, create: true }));
    expect(await load("one")).toContain("1 row");
    chownSync(folder.at("a.csv"), OTHER, OTHER);
    expect(await load("two")).toMatch(HIDDEN);
  });
});
