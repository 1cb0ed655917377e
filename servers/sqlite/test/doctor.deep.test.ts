// doctor: what is wrong with the databases, with the remedy. Nothing is created beside them.
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import Database from "better-sqlite3";
import { doctorFailures } from "@oarlock-tooling/test-support/doctor";
import { hashTree, tempFolder } from "@oarlock/testing";
import { expect, test, vi } from "vitest";
import { bin } from "./support/target.ts";

vi.setConfig({ testTimeout: 60_000 });

function createDatabase(file: string, mode: "wal" | "delete"): void {
  const db = new Database(file);
  db.pragma(`journal_mode = ${mode}`);
  db.exec("CREATE TABLE t (a)");
  const insert = db.prepare("INSERT INTO t VALUES (?)");
  for (let count = 0; count < 40; count++) insert.run("x".repeat(2000));
  db.close();
}

test("finds nothing wrong with sound databases, in each journal mode, open elsewhere too", async () => {
  await using folder = tempFolder();
  createDatabase(folder.at("plain.db"), "delete");
  createDatabase(folder.at("log.db"), "wal");
  createDatabase(folder.at("open.db"), "wal");
  const open = new Database(folder.at("open.db"));
  open.exec("INSERT INTO t VALUES (1)");
  const names = ["plain.db", "log.db", "open.db"].map((name) => folder.at(name));
  const before = readdirSync(folder.path);
  expect(await doctorFailures(bin(["doctor", "--json", ...names]))).toEqual([]);
  expect(readdirSync(folder.path)).toEqual(before);
  open.close();
});

test("states in its last line that it did not check the content of a database", async () => {
  await using folder = tempFolder();
  createDatabase(folder.at("shop.db"), "delete");
  writeFileSync(folder.at("shop.db-journal"), "");
  const { command, args = [], env } = bin(["doctor", folder.at("shop.db")], { HOME: folder.path });
  const text = execFileSync(command, args, { env: { ...process.env, ...env }, cwd: folder.path, encoding: "utf8" });
  expect(text).toMatch(/^not checked .*its content was not checked\.$/m);
  expect(text).toMatch(/No check of oarlock-sqlite failed: 1 check not made in full\.\n$/);
});

test("names files that are damaged, not a database, a directory or missing, and changes none", async () => {
  await using folder = tempFolder({ "text.db": "not a database, but a text of some length", "folder.db": {} });
  createDatabase(folder.at("bad.db"), "wal");
  const bytes = readFileSync(folder.at("bad.db"));
  writeFileSync(folder.at("bad.db"), bytes.fill(0x55, 4096 * 3, 4096 * 6));
  const before = hashTree(folder.path);
  const names = ["bad.db", "text.db", "folder.db", "missing.db"].map((name) => folder.at(name));
  expect(await doctorFailures(bin(["doctor", "--json", ...names]))).toMatchObject([
    { message: expect.stringContaining("is damaged"), remedy: expect.stringContaining("backup") },
    { message: expect.stringContaining("is not a SQLite database") },
    { message: expect.stringContaining("is a directory") },
    { message: expect.stringContaining("does not exist") },
  ]);
  expect(hashTree(folder.path)).toBe(before);
});

test("quotes path, reason and remedy of a failed start, from a host's entry", async () => {
  await using folder = tempFolder({ ".cursor": {} });
  const entry = bin([folder.at("missing/shop.db")]);
  writeFileSync(folder.at(".cursor/mcp.json"), JSON.stringify({ mcpServers: { "oarlock-sqlite": entry } }));
  expect(await doctorFailures(bin(["doctor", "--json", "--db-path", folder.at("new.db")], { HOME: folder.path }))).toMatchObject([
    {
      name: "host Cursor",
      message: expect.stringContaining(
        `the folder ${folder.at("missing")} is missing. Create the folder ${folder.at("missing")}, or correct the path.`,
      ),
    },
  ]);
});

test("names the missing folder, however the database path is written", async () => {
  await using folder = tempFolder();
  const [file, missing] = [folder.at("missing/deep/shop.db"), folder.at("missing")];
  const create = `Create the folder ${missing}`;
  for (const [args, remedy] of [
    [["doctor", file], `${create}, or correct the path.`],
    [["--read-write", "doctor", `shop=${file}`], `${create}, or correct the path.`],
    [["--db-path", file, "--read-only", "doctor"], `${create}, correct the path, or start once without --read-only, which creates both.`],
  ] as const)
    expect(await doctorFailures(bin([...args, "--json"]))).toMatchObject([
      { name: "database", message: `${file} does not exist: the folder ${missing} is missing.`, remedy },
    ]);
  expect(await doctorFailures(bin(["doctor", "--json", "--db-path", file]))).toEqual([]); // the start creates folders
  expect(await doctorFailures(bin(["doctor", "--json", "--db-path", folder.at("shop.db"), "--read-only"]))).toMatchObject([
    { message: `${folder.at("shop.db")} does not exist.`, remedy: expect.stringContaining("without --read-only") },
  ]);
});

test("accepts an entry that creates its database at its first start", async () => {
  await using folder = tempFolder({ ".cursor": {} });
  for (const path of ["new.db", "new/deep.db"]) {
    const entry = bin(["--db-path", folder.at(path)]);
    writeFileSync(folder.at(".cursor/mcp.json"), JSON.stringify({ mcpServers: { "oarlock-sqlite": entry } }));
    expect(await doctorFailures(bin(["doctor", "--json", "--db-path", folder.at(path)], { HOME: folder.path }))).toEqual([]);
  }
});
