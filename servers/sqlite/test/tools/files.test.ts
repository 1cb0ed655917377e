// The toolset files: CSV import, export of rows, and backups, all in one folder.
import { existsSync, linkSync, mkdirSync, readdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { randomUUID } from "node:crypto";
import { basename } from "node:path";
import { childProcesses, connectTo, tempFolder } from "@oarlock/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { explainError } from "../../src/db/engine/errors/error-messages.ts";
import { makeDatabase, rowsOf } from "../support/databases.ts";
import { openShop, text, type Shop } from "../support/shop.ts";
import { targetOf } from "../support/target.ts";

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop[Symbol.asyncDispose]());

const at = (name: string): string => shop.folder.at(name);

describe("import_csv", () => {
  test("creates a table with column types that fit the values", async () => {
    writeFileSync(at("in.csv"), '\uFEFFid,name,price,zip\r\n1,"a ""b"", c",1.5,01234\r\n2,,-3,\r\n');
    expect(await shop.structured("import_csv", { path: "in.csv", table: "items", create: true })).toEqual({
      table: "items",
      rows: 2,
      columns: ["id", "name", "price", "zip"],
      types: ["INTEGER", "TEXT", "NUMERIC", "TEXT"],
      detected: { encoding: "utf-8", delimiter: ",", quote: '"', skippedLines: 0, header: true },
      notes: [],
      rolledBack: false,
    });
    expect(rowsOf(shop.file, "SELECT *, typeof(price) FROM items")).toEqual([
      [1, 'a "b", c', 1.5, "01234", "real"],
      [2, null, -3, null, "integer"],
    ]);
  });

  test("names the files of the folder in place of one that is missing", async () => {
    mkdirSync(at("few"));
    expect(await shop.failure("import_csv", { path: "few/a.csv", table: "t" })).toMatch(/not found in the folder for files. It is empty.$/);
    writeFileSync(at("few/umsatz.csv"), "a\n1\n");
    expect(await shop.failure("import_csv", { path: "few/a.csv", table: "t" })).toMatch(/It has umsatz.csv.$/);
    for (let i = 0; i < 10; i += 1) writeFileSync(at(`few/${i}.csv`), "a\n1\n");
    expect(await shop.failure("import_csv", { path: "few/a.csv", table: "t" })).toMatch(/It has (?:\S+, ){9}\S+ and more.$/);
  });

  test("adds all rows to a table or none", async () => {
    writeFileSync(at("more.csv"), "name;id\nx;7\n");
    expect(await shop.structured("import_csv", { path: at("more.csv"), table: "items", dry_run: true })).toMatchObject({
      rows: 1,
      rolledBack: true,
    });
    expect(rowsOf(shop.file, "SELECT count(*) FROM items")).toEqual([[2]]);
    await shop.call("import_csv", { path: "more.csv", table: "items" });
    expect(rowsOf(shop.file, "SELECT name FROM items WHERE id = 7")).toEqual([["x"]]);
    writeFileSync(at("bad.csv"), "id,name\n8,ok\n9,one,two\n");
    expect(await shop.failure("import_csv", { path: "bad.csv", table: "items" })).toContain("The file is not well-formed CSV");
    writeFileSync(at("email.csv"), "name,email\nn,n@x\nm,ada@example.org\n");
    expect(await shop.failure("import_csv", { path: "email.csv", table: "customers" })).toBe(
      'Line 3: UNIQUE constraint failed: customers.email: "ada@example.org", the row with id 1 has it already. To update such rows, import into a new table (create), then INSERT INTO … SELECT … FROM it WHERE true ON CONFLICT (key) DO UPDATE SET column = excluded.column. Nothing was imported.',
    );
    expect(rowsOf(shop.file, "SELECT (SELECT count(*) FROM items), (SELECT count(*) FROM customers)")).toEqual([[3, 3]]);
  });

  test.each([
    ["", {}, "The file is empty: expected"],
    ["a\n1\n", { table: "items", create: true }, "Table items already exists"],
    ["a\n1\n", { table: "item", create: false }, "No such table: item; did you mean items?"],
    ["a\n1\n", { table: "sqlite_x", create: true }, "belongs to SQLite itself"],
  ])("refuses %j with %j", async (content, args, message) => {
    writeFileSync(at("refused.csv"), content);
    expect(await shop.failure("import_csv", { path: "refused.csv", table: "fresh", create: true, ...args })).toContain(message);
  });
});

test("import_csv refuses the database file under any name", async () => {
  linkSync(shop.file, at("linked.csv"));
  for (const path of [basename(shop.file), "linked.csv"])
    expect(await shop.failure("import_csv", { path, table: "fresh", create: true })).toBe(
      "Invalid path: this is the file of the database itself. Name a CSV file.",
    );
});

test("ends the process of a backup with its call", async () => {
  await shop.call("read_query", { query: "SELECT 1" });
  const before = childProcesses(process.pid);
  await shop.call("backup_database", { path: "process.db" });
  await expect.poll(() => childProcesses(process.pid).filter((pid) => !before.includes(pid))).toEqual([]);
});

test("import_csv restores a single column with NULL", async () => {
  const query = "SELECT email FROM customers WHERE id <= 3 ORDER BY id";
  await shop.call("export_query", { query, path: "single.csv" });
  expect(await shop.structured("import_csv", { path: "single.csv", table: "single", create: true })).toMatchObject({ rows: 3 });
  expect(rowsOf(shop.file, "SELECT email FROM single")).toEqual(rowsOf(shop.file, query));
});

describe("import_csv", () => {
  const imported = async (content: string | Buffer, table: string): Promise<unknown> => {
    writeFileSync(at("kept.csv"), content);
    await shop.structured("import_csv", { path: "kept.csv", table, create: true });
    return rowsOf(shop.file, `SELECT CAST(v AS TEXT), typeof(v) FROM ${table}`);
  };

  test.each<[what: string, values: string[], type: string]>([
    ["ids of 19 digits", ["1234567890123456789", "9223372036854775807", "-9223372036854775808"], "integer"],
    ["integers past 64 bits", ["1", "9223372036854775808"], "text"],
    ["decimals that doubles hold exactly", ["0.30000000000000004", "1.5"], "real"],
    ["decimals with more digits", ["0.1234567890123456789", "1.5"], "text"],
    ["large integers among whole decimals", ["1234567890123456789", "1.0"], "text"],
    ["numbers beyond doubles", ["1e999", "2.0"], "text"],
  ])("imports %s exactly", async (what, values, type) => {
    const rows = await imported(`v\n${values.join("\n")}\n`, `kept_${what.replaceAll(/\W/g, "_")}`);
    expect(rows).toEqual(values.map((value) => [value, type]));
  });

  test.each(["007", "1e400", "99999999999999999999", " 12"])("keeps %j, behind a thousand integers, as a text", async (value) => {
    const rows = await imported(`v\n${"1\n".repeat(1000)}${value}\n`, `late_${value.length}_${value.trim().length}`);
    expect((rows as unknown[]).at(-1)).toEqual([value, "text"]);
  });

  test("reads UTF-16 and windows-1252", async () => {
    expect(await imported(Buffer.from("\uFEFFv\ncafé\n", "utf16le"), "kept_16")).toEqual([["café", "text"]]);
    expect(await imported(Buffer.from("v\ncafé\n", "latin1"), "kept_1252")).toEqual([["café", "text"]]);
  });

  test("names encoding and layout in its text, and shows the first rows of a dry run", async () => {
    writeFileSync(
      at("bank.csv"),
      Buffer.from("Konto;123\n\nTag;Betrag;Text\n31.01.2024;1.234,50;Café\n01.02.2024;k.A.;x\n02.02.2024;7,00;y\n", "latin1"),
    );
    const args = { path: "bank.csv", table: "bank", create: true, dry_run: true };
    expect(text(await shop.call("import_csv", args))).toBe(
      [
        "Would import 3 rows into bank",
        'Read as windows-1252 (if letters are wrong, pass encoding, such as windows-1250), separated by semicolon, "Konto;123" before it left out. Columns: Tag TEXT, Betrag TEXT, Text TEXT.',
        'Stored as text: Tag ("31.01.2024") look like dates; pass date_format "DD.MM.YYYY" to store YYYY-MM-DD.',
        'Stored as text: Betrag ("1.234,50") look like numbers but for "k.A."; pass decimal "," to store numbers, and nulls ["k.A."] if that means no value.',
        "First rows as they would be stored:",
        '31.01.2024,"1.234,50",Café',
        "01.02.2024,k.A.,x",
        '02.02.2024,"7,00",y',
      ].join("\n"),
    );
    expect(text(await shop.call("import_csv", { ...args, decimal: "," }))).toContain("Numbers of Betrag: 2 from 7 to 1234.5, sum 1241.5.");
    expect(text(await shop.call("import_csv", { ...args, dry_run: false, decimal: ",", date_format: "%d.%m.%Y" }))).toBe(
      [
        "Imported 3 rows into bank",
        'Read as windows-1252 (if letters are wrong, pass encoding, such as windows-1250), separated by semicolon, "Konto;123" before it left out. Columns: Tag TEXT, Betrag REAL, Text TEXT.',
        'Not read with decimal "," as a number, stored as text: 1 value of Betrag, "k.A." in row 2.',
      ].join("\n"),
    );
    expect(rowsOf(shop.file, "SELECT Tag, Betrag, Text FROM bank")).toEqual([
      ["2024-01-31", 1234.5, "Café"],
      ["2024-02-01", "k.A.", "x"],
      ["2024-02-02", 7, "y"],
    ]);
  });

  test.each([
    [`a,b\n1,"x${"z".repeat(5000)}\n`, {}, /^The file is not well-formed CSV: Quote Not Closed: .{1,400}$/s],
    ["a\n1\n", { delimiter: '"' }, /^Invalid delimiter: quotes/],
    ["a\n1\n", { delimiter: "\n" }, /^Invalid delimiter: quotes/],
  ])("refuses malformed CSV and invalid delimiters (%#)", async (content, args, message) => {
    writeFileSync(at("odd.csv"), content);
    expect(await shop.failure("import_csv", { path: "odd.csv", table: "odd", create: true, ...args })).toMatch(message);
  });
});

test.each([
  ["ENOSPC", "There is no room for the file"],
  ["EACCES", "Access denied: the operating system does not allow this use of the file"],
])("explainError explains the system error %s", (code, message) => {
  const error = Object.assign(new Error(`${code}: of the system, write`), { code });
  expect(explainError(error, "", undefined)).toMatchObject({ expose: true, message: expect.stringContaining(message) as string });
});

test("explainError explains why a database in WAL mode cannot be read", () => {
  const error = Object.assign(new Error("attempt to write a readonly database"), { code: "SQLITE_READONLY_DIRECTORY" });
  expect(explainError(error, "", undefined)).toMatchObject({ message: expect.stringMatching(/in WAL mode also to read it/) as string });
});

test("read_query and export_query write the same CSV", async () => {
  const query = "SELECT 1 AS a, 1.0 AS b, NULL AS c, '' AS d, x'' AS e, x'01' AS f, 'x,y' AS g, '1' AS h";
  await shop.call("export_query", { query, path: "same.csv" });
  const [block] = (await shop.call("read_query", { query, format: "csv" })).content as { text: string }[];
  expect(block?.text).toBe(readFileSync(at("same.csv"), "utf8"));
  expect(block?.text).toBe(`a,b,c,d,e,f,g,h\r\n1,1.0,,"",x'',x'01',"x,y","1"\r\n`);
});

describe("export_query", () => {
  test.each(["json", "jsonl"])("writes both columns of one name to %s", async (format) => {
    await shop.call("export_query", { query: "SELECT 1 AS a, 2 AS a, 3 AS a_2, 4 AS __proto__", path: `two.${format}`, format });
    expect(readFileSync(at(`two.${format}`), "utf8")).toContain('{"a":1,"a_3":2,"a_2":3,"__proto__":4}');
  });

  const query = "SELECT id, name, email, photo FROM customers WHERE id <> 3 ORDER BY id";
  test.each([
    ["csv", "id,name,email,photo\r\n1,Ada,ada@example.org,x'0102ff'\r\n2,Grace,grace@example.org,\r\n"],
    [
      "json",
      '[{"id":1,"name":"Ada","email":"ada@example.org","photo":{"bytes":3,"base64":"AQL/"}},\n{"id":2,"name":"Grace","email":"grace@example.org","photo":null}]\n',
    ],
    [
      "jsonl",
      '{"id":1,"name":"Ada","email":"ada@example.org","photo":{"bytes":3,"base64":"AQL/"}}\n{"id":2,"name":"Grace","email":"grace@example.org","photo":null}\n',
    ],
  ])("writes %s", async (format, content) => {
    const structured = await shop.structured("export_query", { query, path: `out.${format}`, format });
    expect(structured).toEqual({ path: `out.${format}`, rows: 2, bytes: content.length });
    expect(readFileSync(at(`out.${format}`), "utf8")).toBe(content);
  });

  test("never overwrites a file and leaves no file after a failure", async () => {
    expect(await shop.failure("export_query", { query, path: "out.csv" })).toBe(
      "out.csv already exists and is not overwritten. Choose another name.",
    );
    await shop.failure("export_query", { query: "SELECT * FROM nowhere", path: "none.csv" });
    await shop.failure("export_query", {
      query: "WITH RECURSIVE c(x) AS (VALUES (1) UNION ALL SELECT x + 1 FROM c) SELECT x FROM c",
      path: "none.csv",
      timeout_ms: 300,
    });
    await shop.failure("export_query", { query: "DELETE FROM orders", path: "none.csv" });
    expect(readdirSync(shop.folder.path).filter((name) => /none|part/.test(name))).toEqual([]);
  });
});

test("backup_database copies the database", async () => {
  expect(text(await shop.call("backup_database", { path: "copy.db" }))).toMatch(/^Copied shop to copy\.db: \d+ pages$/);
  expect(rowsOf(at("copy.db"), "SELECT name FROM customers ORDER BY id")).toEqual([["Ada"], ["Grace"], ["Edsger"]]);
  expect(await shop.failure("backup_database", { path: "copy.db" })).toContain("already exists");
});

test("backup_database leaves free room out of a compact copy", async () => {
  await using large = await openShop({
    sql: `PRAGMA journal_mode = WAL; CREATE TABLE t (id INTEGER PRIMARY KEY, a, b AS (a || 'x')); CREATE VIRTUAL TABLE words USING fts5(w); CREATE INDEX i ON t (a);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000) INSERT INTO t SELECT i, printf('%.50d', i) FROM n;
      INSERT INTO words VALUES ('heron'); DELETE FROM t WHERE id % 3`,
  });
  const reply = await large.call("backup_database", { path: "copy.db", compact: true });
  const { pages, pagesBefore } = reply.structuredContent as { pages: number; pagesBefore: number };
  expect(pages).toBeLessThan(pagesBefore * 0.6);
  expect(text(reply)).toBe(
    `Copied shop to copy.db: ${pages} pages of ${pagesBefore}. The database keeps its size: its operator may put the copy in its place while no program has it open.`,
  );
  const read = "SELECT count(*), sum(id), (SELECT count(*) FROM words WHERE words MATCH 'heron') FROM t";
  expect(rowsOf(large.folder.at("copy.db"), read)).toEqual(rowsOf(large.file, read));
  expect(await large.failure("backup_database", { path: "copy.db", compact: true })).toContain("already exists");
  expect(await large.failure("write_query", { query: "VACUUM" })).toContain(
    "backup_database with compact: true (a tool of --toolsets files)",
  );
});

test("keeps the folder for files of the start when a link replaces it (L5)", async () => {
  await using own = tempFolder();
  for (const name of ["files", "out", "db"]) mkdirSync(own.at(name));
  const file = makeDatabase(own.at("db/m.db"), "CREATE TABLE t (v)");
  await using wired = await connectTo(targetOf({ files: [file], filesDir: own.at("files") }));
  renameSync(own.at("files"), own.at("moved"));
  symlinkSync(own.at("out"), own.at("files"));
  writeFileSync(own.at("out/in.csv"), "v\nsecret\n");
  for (const [tool, args] of [
    ["import_csv", { path: "in.csv", table: "t" }],
    ["export_query", { query: "SELECT 1", path: "new.csv" }],
    ["backup_database", { path: "new.db" }],
  ] as const)
    expect(text(await wired.client.call(tool, args))).toBe("The folder for files cannot be read.");
  expect(readdirSync(own.at("out"))).toEqual(["in.csv"]);
});

describe("the folder for files", () => {
  test.each(["../out.csv", "/tmp/out-of-here.csv", "link/out.csv", "shop.db-wal", "SHOP.DB-JOURNAL", "", "a\0b", "\ud800.csv"])(
    "is not left through the path %j",
    async (path) => {
      if (!existsSync(at("link"))) symlinkSync("/tmp", at("link"));
      expect(await shop.failure("export_query", { query: "SELECT 1", path })).toMatch(
        /is not in the folder for files|reserves names that end in|Invalid path: expected the path of a file/,
      );
      expect(await shop.failure("backup_database", { path })).not.toBe("");
      expect(existsSync(`/tmp/${basename(path.replaceAll("\0", ""))}`) && basename(path) === "out-of-here.csv").toBe(false);
    },
  );

  test("names its files where a path names a folder that it does not have", async () => {
    expect(await shop.failure("import_csv", { path: "data/orders.csv", table: "o", create: true })).toMatch(
      /^No folder data in the folder for files, where paths begin\. It has /,
    );
  });

  test("is not left through a link", async () => {
    symlinkSync("/etc/hostname", at("hosts.csv"));
    expect(await shop.failure("import_csv", { path: "hosts.csv", table: "h", create: true })).toBe(
      "hosts.csv is not an ordinary file. Name a file, not a link, directory or device.",
    );
  });
});

test("backup_database writes to a path that is too long for SQLite itself", async () => {
  const deep = Array.from({ length: 6 }, () => "d".repeat(100)).join("/");
  mkdirSync(at(deep), { recursive: true });
  await shop.call("backup_database", { path: `${deep}/copy.db` });
  expect(readdirSync(at(deep))).toEqual(["copy.db"]);
});

describe("export_query warns of formulas", () => {
  const warning = "Some texts begin like formulas: open this file as text in a spreadsheet.";
  test.each([
    ["SELECT '=1+1' AS a", "csv", true],
    ["SELECT 1 AS a UNION ALL SELECT '@SUM(A1)'", "csv", true],
    ['SELECT 1 AS "+a"', "csv", true],
    ["SELECT char(9) || 'a' AS a", "csv", true],
    ["SELECT '-5' AS a, -5 AS b, 'a=b' AS c, x'3d31' AS d", "csv", false],
    ["SELECT '=1+1' AS a", "json", false],
  ])("in %s as %s: %s", async (query, format, isWarned) => {
    const path = `formulas-${randomUUID()}.${format}`;
    expect(text(await shop.call("export_query", { query, path, format })).includes(warning)).toBe(isWarned);
  });
});

test("export_query distinguishes an empty BLOB from NULL in CSV", async () => {
  await shop.call("export_query", { query: "SELECT x'' AS a, NULL AS b, x'00' AS c", path: "blobs.csv" });
  expect(readFileSync(at("blobs.csv"), "utf8")).toBe("a,b,c\r\nx'',,x'00'\r\n");
});
