// Rule S2 for the toolset files: tools read and write only in the folder for files, and overwrite nothing.
import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openFortress, type Fortress } from "./fortress.ts";

const posix = process.platform !== "win32";
let fortress: Fortress;
beforeAll(async () => {
  fortress = await openFortress({
    files: "files",
    prepare(run) {
      mkdirSync(run.at("files/sub"), { recursive: true });
      mkdirSync(run.at("files-beside"));
      writeFileSync(run.at("files/there.csv"), "a,b\n1,2\n");
      writeFileSync(run.at("files-beside/x.csv"), "a\n1\n");
      if (!posix) return;
      symlinkSync(run.out, run.at("files/out"));
      symlinkSync(`${run.out}/secret.txt`, run.at("files/secret.csv"));
      symlinkSync(`${run.out}/created.csv`, run.at("files/dangling.csv"));
      symlinkSync("/dev/zero", run.at("files/zero.csv"));
      execFileSync("mkfifo", [run.at("files/pipe.csv")]);
    },
  });
});
afterAll(() => fortress[Symbol.asyncDispose]());

/** OUT and ROOT stand for the two folders. */
const PATHS = [
  ...["../../OUT/secret.txt", "../main.db", "..", ".", "", " ", "sub", "sub/../../main.db", "../files-beside/x.csv", "/etc/passwd"],
  ...["/dev/stdin", "OUT/secret.txt", "OUT/new.csv", "ROOT/main.db", "ROOT/main.db-wal", "ROOT/main.db-journal", "ROOT/files-beside/x.csv"],
  ...["out/secret.txt", "out/new.csv", "secret.csv", "dangling.csv", "zero.csv", "pipe.csv", "a\u0000.csv", "x".repeat(300)],
  ...[`${"a/".repeat(3000)}b`, "file:///etc/passwd", "~/x.csv", "../../OUT/new.csv", "sub/../../../OUT/new.csv"],
  "ROOT/files/../../OUT/secret.txt",
];
const LITERAL = new Set(["~/x.csv", "file:///etc/passwd"]);
const withFolders = (path: string): string => path.replace(/^OUT/, fortress.out).replace(/^ROOT/, fortress.root);

describe.runIf(posix).each([
  ["import_csv", { table: "stolen", create: true }],
  ["export_query", { query: "SELECT * FROM t" }],
  ["backup_database", {}],
] as const)("S2 keeps %s inside the folder for files with the path", (tool, args) => {
  test.each(PATHS.map((path, at) => [path.slice(0, 40), at] as const))("%j (%i)", async (_, at) => {
    const path = PATHS[at]!;
    const before = fortress.inside();
    const reply = await fortress.reply(tool, { path: withFolders(path), ...args });
    if (!LITERAL.has(path)) expect(reply.failed, reply.text).toBe(true);
    expect(reply.text).not.toMatch(/Internal error/);
    expect(reply.text.length).toBeLessThan(1000);
    if (!LITERAL.has(path)) expect(fortress.inside()).toEqual(before);
  });
});

test.each([
  ["export_query", { query: "SELECT * FROM t" }],
  ["backup_database", {}],
])("S2 overwrites no file by %s", async (tool, args) => {
  const before = fortress.inside();
  expect((await fortress.reply(tool, { path: "there.csv", ...args })).failed).toBe(true);
  expect(fortress.inside()).toEqual(before);
});

test.each([
  "DELETE FROM t",
  "WITH a AS (SELECT 1) DELETE FROM t RETURNING *",
  "PRAGMA user_version = 7",
  "VACUUM INTO 'x'",
  "SELECT * FROM dbstat",
  "SELECT load_extension('x')",
])("S2 export_query only reads: %s", async (query) => {
  const before = fortress.inside();
  expect((await fortress.reply("export_query", { query, path: "fresh.csv" })).failed).toBe(true);
  expect(fortress.inside()).toEqual(before);
});

test("S4 stops an endless export at its time limit and leaves no file", async () => {
  const before = fortress.inside();
  const query = "WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c) SELECT i FROM c";
  expect(await fortress.reply("export_query", { query, path: "endless.csv", timeout_ms: 300 })).toMatchObject({
    failed: true,
    text: expect.stringMatching(/topped after 300 ms/),
  });
  expect(fortress.inside()).toEqual(before);
  await fortress.checkRules();
});

test("S6 import_csv stores SQL, formulas and markup in cells as plain values", async () => {
  const cells = ["'); DROP TABLE t; --", '=HYPERLINK("x")', "NULL", "1e5", "\u202e", "DELETE FROM t"];
  writeFileSync(
    fortress.at("files/odd.csv"),
    `"name; DROP TABLE t",b\n${cells.map((cell) => `"${cell.replaceAll('"', '""')}",1`).join("\n")}\n`,
  );
  expect((await fortress.reply("import_csv", { path: "odd.csv", table: 'odd"; DROP TABLE t; --', create: true })).failed).toBe(false);
  expect(await fortress.rows('SELECT "name; DROP TABLE t" FROM "odd""; DROP TABLE t; --" ORDER BY rowid')).toEqual(
    cells.map((cell) => [cell]),
  );
  expect(await fortress.rows("SELECT count(*) FROM t")).toEqual([[3]]);
  for (const table of ["texts_data", "sqlite_schema", "sqlite_sequence", "dbstat", "names", "temp.x", ""])
    expect((await fortress.reply("import_csv", { path: "there.csv", table })).failed, table).toBe(true);
  await fortress.checkRules();
});
