// Rule S2 for the toolset files: tools read and write only in the folder for files, and overwrite nothing.
import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startStress, type StressRun } from "./stress.ts";

const posix = process.platform !== "win32";
let stress: StressRun;
beforeAll(async () => {
  stress = await startStress({
    args: (base) => ["--read-write", "--toolsets=default,files", `--files-dir=${base}/ROOT/files`, `${base}/ROOT/main.db`],
    prepare(harness) {
      mkdirSync(harness.at("files/sub"), { recursive: true });
      mkdirSync(harness.at("files-beside"));
      writeFileSync(harness.at("files/there.csv"), "a,b\n1,2\n");
      writeFileSync(harness.at("files-beside/x.csv"), "a\n1\n");
      if (!posix) return;
      symlinkSync(harness.out, harness.at("files/out"));
      symlinkSync(`${harness.out}/secret.txt`, harness.at("files/secret.csv"));
      symlinkSync(`${harness.out}/created.csv`, harness.at("files/dangling.csv"));
      symlinkSync("/dev/zero", harness.at("files/zero.csv"));
      execFileSync("mkfifo", [harness.at("files/pipe.csv")]);
    },
  });
});
afterAll(() => stress[Symbol.asyncDispose]());

const paths = (): string[] => [
  ...[
    "../../OUT/secret.txt",
    "../main.db",
    "..",
    ".",
    "",
    " ",
    "sub",
    "sub/../../main.db",
    "../files-beside/x.csv",
    "/etc/passwd",
    "/dev/stdin",
  ],
  ...[
    `${stress.out}/secret.txt`,
    `${stress.out}/new.csv`,
    stress.file,
    `${stress.file}-wal`,
    `${stress.file}-journal`,
    `${stress.root}/files-beside/x.csv`,
  ],
  ...[
    "out/secret.txt",
    "out/new.csv",
    "secret.csv",
    "dangling.csv",
    "zero.csv",
    "pipe.csv",
    "a\u0000.csv",
    "x".repeat(300),
    `${"a/".repeat(3000)}b`,
  ],
  ...["file:///etc/passwd", "~/x.csv", "../../OUT/new.csv", "sub/../../../OUT/new.csv", `${stress.root}/files/../../OUT/secret.txt`],
];
const LITERAL = new Set(["~/x.csv", "file:///etc/passwd"]);

test.runIf(posix)(
  "S2 no path leads import_csv, export_query or backup_database out of the folder for files",
  async () => {
    for (const path of paths()) {
      const before = stress.inside();
      for (const [tool, args] of [
        ["import_csv", { table: "stolen", create: true }],
        ["export_query", { query: "SELECT * FROM t" }],
        ["backup_database", {}],
      ] as const) {
        const reply = await stress.reply(tool, { path, ...args });
        if (!LITERAL.has(path)) expect(reply.failed, `${tool} ${path.slice(0, 100)}: ${reply.text}`).toBe(true);
        expect(reply.text, `${tool} ${path.slice(0, 100)}`).not.toMatch(/Internal error/);
        expect(reply.text.length, tool).toBeLessThan(1000);
      }
      if (!LITERAL.has(path)) expect(stress.inside(), path.slice(0, 100)).toEqual(before);
    }
    await stress.checkRules();
  },
  60_000,
);

test("S2 export_query and backup_database overwrite no file, and export_query only reads", async () => {
  const before = stress.inside();
  expect((await stress.reply("export_query", { query: "SELECT * FROM t", path: "there.csv" })).failed).toBe(true);
  expect((await stress.reply("backup_database", { path: "there.csv" })).failed).toBe(true);
  for (const query of [
    "DELETE FROM t",
    "WITH a AS (SELECT 1) DELETE FROM t RETURNING *",
    "PRAGMA user_version = 7",
    "VACUUM INTO 'x'",
    "SELECT * FROM dbstat",
    "SELECT load_extension('x')",
  ])
    expect((await stress.reply("export_query", { query, path: "fresh.csv" })).failed, query).toBe(true);
  expect(stress.inside()).toEqual(before);
  await stress.checkRules();
});

test("S4 an endless export is stopped at its time limit and leaves no file", async () => {
  const before = stress.inside();
  const query = "WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c) SELECT i FROM c";
  expect(await stress.reply("export_query", { query, path: "endless.csv", timeout_ms: 600 })).toMatchObject({
    failed: true,
    text: expect.stringMatching(/topped after 600 ms/),
  });
  expect(stress.inside()).toEqual(before);
  await stress.checkRules();
});

test("S6 import_csv stores SQL, formulas and markup in cells as plain values", async () => {
  const cells = ["'); DROP TABLE t; --", '=HYPERLINK("x")', "NULL", "1e5", "\u202e", "DELETE FROM t"];
  writeFileSync(
    stress.at("files/odd.csv"),
    `"name; DROP TABLE t",b\n${cells.map((cell) => `"${cell.replaceAll('"', '""')}",1`).join("\n")}\n`,
  );
  expect((await stress.reply("import_csv", { path: "odd.csv", table: 'odd"; DROP TABLE t; --', create: true })).failed).toBe(false);
  expect(await stress.rows('SELECT "name; DROP TABLE t" FROM "odd""; DROP TABLE t; --" ORDER BY rowid')).toEqual(
    cells.map((cell) => [cell]),
  );
  expect(await stress.rows("SELECT count(*) FROM t")).toEqual([[3]]);
  for (const table of ["texts_data", "sqlite_schema", "sqlite_sequence", "dbstat", "names", "temp.x", ""])
    expect((await stress.reply("import_csv", { path: "there.csv", table })).failed, table).toBe(true);
  await stress.checkRules();
});
