// Rule S2 for the toolset files: what is read and written stays in the folder for files, and nothing that is there is lost.
import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { besiege, type Siege } from "./stress.ts";

const posix = process.platform !== "win32";
let siege: Siege;
beforeAll(async () => {
  siege = await besiege({
    args: (base) => ["--read-write", "--toolsets=default,files", `--files-dir=${base}/ROOT/files`, `${base}/ROOT/main.db`],
    prepare(made) {
      mkdirSync(made.at("files/sub"), { recursive: true });
      mkdirSync(made.at("files-beside"));
      writeFileSync(made.at("files/there.csv"), "a,b\n1,2\n");
      writeFileSync(made.at("files-beside/x.csv"), "a\n1\n");
      if (!posix) return;
      symlinkSync(made.out, made.at("files/out"));
      symlinkSync(`${made.out}/secret.txt`, made.at("files/secret.csv"));
      symlinkSync(`${made.out}/created.csv`, made.at("files/dangling.csv"));
      symlinkSync("/dev/zero", made.at("files/zero.csv"));
      execFileSync("mkfifo", [made.at("files/pipe.csv")]);
    },
  });
});
afterAll(() => siege[Symbol.asyncDispose]());

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
    `${siege.out}/secret.txt`,
    `${siege.out}/new.csv`,
    siege.file,
    `${siege.file}-wal`,
    `${siege.file}-journal`,
    `${siege.root}/files-beside/x.csv`,
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
  ...["file:///etc/passwd", "~/x.csv", "../../OUT/new.csv", "sub/../../../OUT/new.csv", `${siege.root}/files/../../OUT/secret.txt`],
];
const LITERAL = new Set(["~/x.csv", "file:///etc/passwd"]);

test.runIf(posix)(
  "S2 no path leads import_csv, export_query or backup_database out of the folder for files",
  async () => {
    for (const path of paths()) {
      const before = siege.inside();
      for (const [tool, args] of [
        ["import_csv", { table: "stolen", create: true }],
        ["export_query", { query: "SELECT * FROM t" }],
        ["backup_database", {}],
      ] as const) {
        const said = await siege.says(tool, { path, ...args });
        if (!LITERAL.has(path)) expect(said.failed, `${tool} ${path.slice(0, 100)}: ${said.text}`).toBe(true);
        expect(said.text, `${tool} ${path.slice(0, 100)}`).not.toMatch(/Internal error/);
        expect(said.text.length, tool).toBeLessThan(1000);
      }
      if (!LITERAL.has(path)) expect(siege.inside(), path.slice(0, 100)).toEqual(before);
    }
    await siege.judge();
  },
  60_000,
);

test("S2 what is there is not written over, and a statement that is no read is not exported", async () => {
  const before = siege.inside();
  expect((await siege.says("export_query", { query: "SELECT * FROM t", path: "there.csv" })).failed).toBe(true);
  expect((await siege.says("backup_database", { path: "there.csv" })).failed).toBe(true);
  for (const query of [
    "DELETE FROM t",
    "WITH a AS (SELECT 1) DELETE FROM t RETURNING *",
    "PRAGMA user_version = 7",
    "VACUUM INTO 'x'",
    "SELECT * FROM dbstat",
    "SELECT load_extension('x')",
  ])
    expect((await siege.says("export_query", { query, path: "fresh.csv" })).failed, query).toBe(true);
  expect(siege.inside()).toEqual(before);
  await siege.judge();
});

test("S4 an export without end ends at its deadline, and leaves no file; one beside it is served", async () => {
  const before = siege.inside();
  const query = "WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c) SELECT i FROM c";
  const endless = siege.says("export_query", { query, path: "endless.csv", timeout_ms: 600 });
  await siege.plain();
  expect(await endless).toMatchObject({ failed: true, text: expect.stringMatching(/topped after 600 ms/) });
  expect(siege.inside()).toEqual(before);
  await siege.judge();
});

test("S6 odd cells of a CSV are values, whatever they look like", async () => {
  const cells = ["'); DROP TABLE t; --", '=HYPERLINK("x")', "NULL", "1e5", "\u202e", "DELETE FROM t"];
  writeFileSync(
    siege.at("files/odd.csv"),
    `"name; DROP TABLE t",b\n${cells.map((cell) => `"${cell.replaceAll('"', '""')}",1`).join("\n")}\n`,
  );
  expect((await siege.says("import_csv", { path: "odd.csv", table: 'odd"; DROP TABLE t; --', create: true })).failed).toBe(false);
  expect(await siege.rows('SELECT "name; DROP TABLE t" FROM "odd""; DROP TABLE t; --" ORDER BY rowid')).toEqual(
    cells.map((cell) => [cell]),
  );
  expect(await siege.rows("SELECT count(*) FROM t")).toEqual([[3]]);
  for (const table of ["texts_data", "sqlite_schema", "sqlite_sequence", "dbstat", "names", "temp.x", ""])
    expect((await siege.says("import_csv", { path: "there.csv", table })).failed, table).toBe(true);
  await siege.judge();
});
