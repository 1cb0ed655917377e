// Imports of CSV files: headers, types of new columns, values in existing ones, and all rows or none.
import { linkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { openFiles, waitUntil } from "@oarlock/testing";
import { describe, expect, test } from "vitest";
import { importing, placeOf } from "../../support/csv-file.ts";
import { rowsOf } from "../../support/databases.ts";
import { openEngine } from "../../support/engine.ts";

const EMPTY = "CREATE TABLE other (a)";
const repeated = (count: number, line: string): string => `${line}\n`.repeat(count);

describe("the header", () => {
  test.each<[string, string[]]>([
    ["a, b ,c\n", ["a", "b", "c"]],
    ['"a"," b "\n', ["a", " b "]],
    ["é,select\n", ["é", "select"]],
    ["\n\na\n", ["a"]],
    ["a,,b,a,A\n1,2,3,4,5\n", ["a", "column_2", "b", "a_2", "A_3"]],
    ["a,a_2,a\n", ["a", "a_2", "a_3"]],
    [",name,\n1,x,\n", ["column_1", "name"]],
  ])("%j names the columns %j", async (content, columns) => {
    await using opened = await openEngine(EMPTY);
    expect(await importing(opened, content, { create: true })).toMatchObject({ table: "t", columns });
    expect(rowsOf(opened.file, "SELECT name FROM pragma_table_info('t')")).toEqual(columns.map((name) => [name]));
  });

  test.each([
    ["", "The file is empty: expected a line of names or values."],
    [`${Array.from({ length: 1001 }, (_, index) => `c${index}`).join(",")}\n`, "Too many columns: the file has 1001, the limit is 1000."],
  ])("%j is refused", async (content, message) => {
    await using opened = await openEngine(EMPTY);
    await expect(importing(opened, content, { create: true })).rejects.toThrow(message);
    expect(opened.engine.db.inTransaction).toBe(false);
    expect(rowsOf(opened.file, "SELECT * FROM sqlite_schema WHERE name = 't'")).toEqual([]);
  });

  test("may name a thousand columns", async () => {
    await using opened = await openEngine(EMPTY);
    const columns = Array.from({ length: 1000 }, (_, index) => `c${index}`);
    expect(await importing(opened, `${columns.join(",")}\n`, { create: true })).toMatchObject({ columns });
  });

  // Programs that quote every field quote plain names, too; this server quotes only names that need it.
  test.each([
    ['"id","a;b"', ["integer", "integer"]],
    ['"a,b","id"', ["integer", "integer"]],
    ['"a,b","1"', ["text", "text"]],
    ['"a;b","c|d"', ["text", "text"]],
    ['"a\tb","c\rd"', ["text", "text"]],
    ['"a\nb","c""d"', ["text", "text"]],
    ['"id",plain', ["text", "text"]],
  ])("%j reads quoted numbers as %j", async (header, types) => {
    await using opened = await openEngine(EMPTY);
    await importing(opened, `${header}\n"5","6"\n`, { create: true });
    const [[first, second] = []] = rowsOf(opened.file, "SELECT * FROM t") as unknown[][];
    expect([first, second].map((value) => (typeof value === "number" ? "integer" : "text"))).toEqual(types);
  });
});

describe("a new table", () => {
  test.each([
    ["its rows", `v\n${repeated(1500, "1")}2\n`, "INTEGER", [1501]],
    ["its last row", `v\n${repeated(1500, "1")}007\n`, "TEXT", [1501]],
    ["no row", "v\n", "TEXT", [0]],
  ])("gets its type by %s", async (_rows, content, type, count) => {
    await using opened = await openEngine(EMPTY);
    expect(await importing(opened, content, { create: true })).toMatchObject({ rows: count[0] });
    expect(rowsOf(opened.file, "SELECT type FROM pragma_table_info('t')")).toEqual([[type]]);
    expect(rowsOf(opened.file, "SELECT count(*) FROM t")).toEqual([count]);
  });

  test("must not exist, and must exist without the switch", async () => {
    await using opened = await openEngine(EMPTY);
    await expect(importing(opened, "a\n1\n", { table: "other", create: true })).rejects.toThrow(
      "Table other already exists. Leave out create to add to it.",
    );
    await expect(importing(opened, "a\n1\n", { table: "othre" })).rejects.toThrow(
      "No such table: othre; did you mean other? Or pass create to make it.",
    );
    await expect(importing(opened, "a\n1\n", { table: "bank" })).rejects.toThrow("No such table: bank; pass create to make it.");
    expect(rowsOf(opened.file, "SELECT * FROM other")).toEqual([]);
  });
});

describe("an existing table", () => {
  // As SQLite determines the affinity of a column by its declared type.
  test.each<[type: string, options: string, values: [given: string, kept: unknown, type: string][]]>([
    [
      "TEXT",
      "",
      [
        ["5", "5", "text"],
        ["007", "007", "text"],
        ["Infinity", "Infinity", "text"],
      ],
    ],
    [
      "VARCHAR(10)",
      "",
      [
        ["5", "5", "text"],
        ["Infinity", "Infinity", "text"],
      ],
    ],
    ["CLOB", "", [["1.5", "1.5", "text"]]],
    [
      "INTEGER",
      "",
      [
        ["5", 5, "integer"],
        ["-Infinity", -Infinity, "real"],
        ["an Infinity", "an Infinity", "text"],
        ["Infinity!", "Infinity!", "text"],
      ],
    ],
    [
      "CHARINT",
      "",
      [
        ["5", 5, "integer"],
        ["Infinity", Infinity, "real"],
      ],
    ],
    [
      "STRING",
      "",
      [
        ["1.5", 1.5, "real"],
        ["Infinity", Infinity, "real"],
      ],
    ],
    [
      "",
      "",
      [
        ["5", 5, "integer"],
        ["1.5", 1.5, "real"],
        ["007", "007", "text"],
        ["Infinity", Infinity, "real"],
        ["a", "a", "text"],
      ],
    ],
    [
      "BLOB",
      "",
      [
        ["5", 5, "integer"],
        ["007", "007", "text"],
      ],
    ],
    [
      "ANY",
      "STRICT",
      [
        ["5", 5, "integer"],
        ["1.5", 1.5, "real"],
        ["007", "007", "text"],
      ],
    ],
    ["TEXT", "STRICT", [["5", "5", "text"]]],
    ["REAL", "STRICT", [["Infinity", Infinity, "real"]]],
  ])("keeps values in a column of type '%s' %s", async (type, options, values) => {
    await using opened = await openEngine(`CREATE TABLE t (id INTEGER PRIMARY KEY, "The V" ${type}) ${options}`);
    await importing(opened, `the v\n${values.map(([given]) => given).join("\n")}\n`);
    expect(rowsOf(opened.file, 'SELECT "The V", typeof("The V") FROM t ORDER BY id')).toEqual(values.map(([, ...kept]) => kept));
  });

  test("accepts NULL, BLOBs and texts that look like them", async () => {
    await using opened = await openEngine("CREATE TABLE t (a INTEGER, b TEXT)");
    await importing(opened, `b,a\n,x'0102'\n"",\n"x'0102'","5"\nx'',7\n`);
    expect(rowsOf(opened.file, "SELECT quote(a), quote(b) FROM t")).toEqual([
      ["X'0102'", "NULL"],
      ["NULL", "''"],
      ["5", "'x''0102'''"],
      ["7", "X''"],
    ]);
  });

  test("refuses a truncated BLOB", async () => {
    await using opened = await openEngine("CREATE TABLE t (a)");
    await expect(importing(opened, "a\n1\nx'0102…'\n")).rejects.toThrow("The value x'0102…' is a truncated BLOB. Nothing was imported.");
    expect(rowsOf(opened.file, "SELECT * FROM t")).toEqual([]);
  });

  test("receives all rows or none", async () => {
    await using opened = await openEngine("CREATE TABLE t (a UNIQUE)");
    await expect(importing(opened, "a\n1\n2\n1\n")).rejects.toThrow("UNIQUE constraint failed: t.a");
    expect([opened.engine.db.inTransaction, rowsOf(opened.file, "SELECT * FROM t")]).toEqual([false, []]);
  });

  test("is changed up to the confirmed number of rows", async () => {
    await using opened = await openEngine(
      "CREATE TABLE t (a TEXT UNIQUE ON CONFLICT REPLACE, b); INSERT INTO t VALUES ('1', 'old'), ('2', 'old')",
    );
    const content = "a,b\n1,new\n2,new\n3,new\n";
    expect(await importing(opened, content, { maxChanges: 1 })).toMatchObject({
      table: "t",
      rows: 3,
      columns: ["a", "b"],
      confirmation: { changes: 2 },
    });
    expect(rowsOf(opened.file, "SELECT * FROM t")).toEqual([
      ["1", "old"],
      ["2", "old"],
    ]);
    expect(await importing(opened, content, { maxChanges: 2 })).not.toHaveProperty("confirmation");
    expect(rowsOf(opened.file, "SELECT count(*) FROM t WHERE b = 'new'")).toEqual([[3]]);
  });

  test("counts rows that triggers change", async () => {
    await using opened = await openEngine(`CREATE TABLE t (a); CREATE TABLE other (b); INSERT INTO other VALUES (1), (2);
      CREATE TRIGGER emptied AFTER INSERT ON t BEGIN DELETE FROM other; END`);
    expect(await importing(opened, "a\n1\n2\n", { maxChanges: 0 })).toMatchObject({ confirmation: {} });
    expect(rowsOf(opened.file, "SELECT * FROM other")).toEqual([[1], [2]]);
  });
});

test("counts rows that triggers change for each import separately", async () => {
  await using opened = await openEngine(`
    CREATE TABLE t (a); CREATE TABLE stock (n); INSERT INTO stock VALUES (0), (0), (0);
    CREATE TRIGGER on_t AFTER INSERT ON t BEGIN UPDATE stock SET n = n + 1; END;`);
  for (const rows of [2, 1]) {
    const text = `a\n${"1\n".repeat(rows)}`;
    expect(await importing(opened, text, { maxChanges: 3 * rows })).toMatchObject({ rows, alsoChanged: 3 * rows });
    expect(await importing(opened, text, { maxChanges: 3 * rows - 1 })).toMatchObject({ confirmation: { changes: 3 * rows } });
  }
  expect(rowsOf(opened.file, "SELECT count(*) FROM t")).toEqual([[3]]);
});

describe("a dry run", () => {
  const KEYS = `CREATE TABLE parent (id INTEGER PRIMARY KEY); INSERT INTO parent VALUES (1);
    CREATE TABLE t (id INTEGER PRIMARY KEY, p REFERENCES parent DEFERRABLE INITIALLY DEFERRED);`;

  test("imports nothing, and names the confirmation that the import needs", async () => {
    await using opened = await openEngine("CREATE TABLE t (a TEXT UNIQUE ON CONFLICT REPLACE); INSERT INTO t VALUES ('1')");
    const reply = await importing(opened, "a\n1\n2\n", { dryRun: true, maxChanges: 0 });
    expect(reply).toMatchObject({ rows: 2, firstRows: '"1"\n"2"\n', needsConfirmation: true });
    expect(reply).not.toHaveProperty("confirmation");
    expect(await importing(opened, "a\n1\n2\n", { dryRun: true, maxChanges: 1 })).not.toHaveProperty("needsConfirmation");
    expect(rowsOf(opened.file, "SELECT * FROM t")).toEqual([["1"]]);
  });

  test("fails when it would break a deferred key", async () => {
    await using opened = await openEngine(KEYS);
    for (const dryRun of [true, false])
      await expect(importing(opened, "id,p\n1,1\n2,9\n", { dryRun })).rejects.toThrow("FOREIGN KEY constraint failed");
    expect(rowsOf(opened.file, "SELECT * FROM t")).toEqual([]);
  });

  test("names the key that a row breaks at once", async () => {
    await using opened = await openEngine(KEYS.replace("DEFERRABLE INITIALLY DEFERRED", ", q REFERENCES t"));
    for (const dryRun of [true, false])
      await expect(importing(opened, "id,p\n1,1\n2,9\n", { dryRun })).rejects.toThrow(
        "Line 3: FOREIGN KEY constraint failed: t (p) refers to parent (id), and a row would refer to 9, which does not exist. Insert the row of parent first. Nothing was imported.",
      );
  });

  test("succeeds beside keys that were broken before", async () => {
    await using opened = await openEngine(KEYS);
    opened.engine.db.exec("PRAGMA foreign_keys = OFF; INSERT INTO t VALUES (7, 9); PRAGMA foreign_keys = ON");
    expect(await importing(opened, "id,p\n1,1\n", { dryRun: true })).toMatchObject({ rows: 1 });
  });
});

describe("the file", () => {
  test("must not be the database, by any name", async () => {
    await using opened = await openEngine("CREATE TABLE t (a)");
    const linked = join(dirname(opened.file), "linked.csv");
    linkSync(opened.file, linked);
    for (const file of [opened.file, linked])
      await expect(importing(opened, "a\n1\n", { file: placeOf(file) })).rejects.toThrow(
        "Invalid path: this is the file of the database itself. Name a CSV file.",
      );
  });

  test.each(['"', "\n", "\r"])("must not have the delimiter %j", async (delimiter) => {
    await using opened = await openEngine("CREATE TABLE t (a)");
    await expect(importing(opened, "a\n1\n", { delimiter })).rejects.toThrow(
      "Invalid delimiter: quotes and line breaks cannot separate values.",
    );
  });

  test("takes the delimiter of the call", async () => {
    await using opened = await openEngine("CREATE TABLE t (a, b)");
    await importing(opened, "b;a\n1,5;2\n", { delimiter: ";" });
    expect(rowsOf(opened.file, "SELECT a, b FROM t")).toEqual([[2, "1,5"]]);
  });

  test.each([
    [
      "a,b\n1,2\n3,4,5\n",
      'line 3 has 3 fields, the header has 2: "3,4,5". Nothing was imported. Pass its delimiter or skip_lines if they were not found. If a text there holds the separator without quotes, pass skip_long_rows:',
    ],
    ["a\n1,2\n", "line 2 has 2 fields, the header has 1"],
    ["a\n\n1\n2,3\n", "line 4 has 2 fields"],
    ['a\n"open\n', "The file is not well-formed CSV: Quote Not Closed"],
    [`a\n${"x".repeat(4_100_000)}\n`, "The file is not well-formed CSV: Max Record Size"],
  ])("must be well-formed (%#)", async (content, message) => {
    await using opened = await openEngine("CREATE TABLE t (a)");
    await expect(importing(opened, content)).rejects.toMatchObject({ code: "sql", message: expect.stringContaining(message) as string });
    expect(rowsOf(opened.file, "SELECT * FROM t")).toEqual([]);
  });

  test("may have blank lines between records of several columns, and NULL in one column", async () => {
    await using opened = await openEngine("CREATE TABLE t (a, b)");
    expect(await importing(opened, "a,b\n\n1,2\n\n")).toMatchObject({ rows: 1 });
    expect(await importing(opened, 'a\n\n""\n')).toMatchObject({ rows: 2 });
    expect(rowsOf(opened.file, "SELECT quote(a) FROM t")).toEqual([["1"], ["NULL"], ["''"]]);
  });

  test.each<[string, Buffer | string, string]>([
    ["UTF-8 with a mark", "\uFEFFa\né\n", "é"],
    ["UTF-16", Buffer.from("\uFEFFa\né\n", "utf16le"), "é"],
    ["characters across chunks", `a\nx${"é".repeat(300_000)}\n`, `x${"é".repeat(300_000)}`],
  ])("may be %s", async (_encoding, content, value) => {
    await using opened = await openEngine("CREATE TABLE t (a)");
    await importing(opened, content);
    expect(rowsOf(opened.file, "SELECT a FROM t")).toEqual([[value]]);
  });

  test.each<[string, Buffer, string]>([
    [
      "one byte that is not UTF-8 beside characters that are",
      Buffer.from("a\né\nx\xe9\n".replace("é", "\xc3\xa9"), "latin1"),
      "It is UTF-8 except for the byte at 6",
    ],
    ["a cut character at its end", Buffer.from("a\né").subarray(0, -1), "It is UTF-8 except for the byte at 2"],
    ["another alphabet in single bytes", Buffer.from([0x61, 0x0a, 0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2]), "does not look like windows-1252"],
    ["bytes that windows-1252 does not define", Buffer.from([0x61, 0x0a, 0x81, 0x66, 0x72]), "does not look like windows-1252"],
    [
      "text of DOS",
      Buffer.from("Name,Ort\nM\u0081ller,K\u0094ln\n", "latin1"),
      'It looks like text of DOS: cp850 gives "Müller", windows-1252 gives "M',
    ],
    ["text of DOS without ü", Buffer.from("Monat,Wert\nM\u0084rz,1\n", "latin1"), 'cp850 gives "März", windows-1252 gives "M„rz"'],
    ["text of DOS with a letter at the end", Buffer.from("a,b\ncaf\u0082,1\n", "latin1"), 'cp850 gives "café"'],
    [
      "a cut unit of UTF-16 at its end",
      Buffer.from("\uFEFFa\né", "utf16le").subarray(0, -1),
      "The file is not valid utf-16le. Nothing was imported. Pass another encoding.",
    ],
  ])("is refused with %s", async (_what, content, message) => {
    await using opened = await openEngine("CREATE TABLE t (a)");
    await expect(importing(opened, content)).rejects.toMatchObject({
      code: "refused",
      message: expect.stringContaining(message) as string,
    });
    expect(rowsOf(opened.file, "SELECT * FROM t")).toEqual([]);
  });

  test.each<[string, Buffer, string]>([
    ["windows-1251", Buffer.from([0x61, 0x0a, 0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2]), "Привет"],
    ["shift_jis", Buffer.from([0x61, 0x0a, 0x93, 0xfa, 0x96, 0x7b]), "日本"],
    ["IBM866", Buffer.from([0x61, 0x0a, 0x8f, 0xe0]), "Пр"],
  ])("takes the encoding %s of the call", async (encoding, content, value) => {
    await using opened = await openEngine("CREATE TABLE t (a)");
    await importing(opened, content, { encoding });
    expect(rowsOf(opened.file, "SELECT a FROM t")).toEqual([[value]]);
  });

  test("refuses an unknown encoding", async () => {
    await using opened = await openEngine("CREATE TABLE t (a)");
    await expect(importing(opened, "a\n1\n", { encoding: "cp9" })).rejects.toThrow("Invalid encoding: cp9 is not known.");
  });

  test("is closed after an import that fails halfway", async () => {
    await using opened = await openEngine("CREATE TABLE t (a)");
    const openCsvFiles = (): string[] =>
      openFiles(process.pid).filter((file) => file.startsWith(dirname(opened.file)) && file.endsWith(".csv"));
    await expect(importing(opened, `a\n1,2\n${"3\n".repeat(500_000)}`)).rejects.toThrow("line 2 has 2 fields");
    await waitUntil(openCsvFiles, (files) => files.length === 0);
  });

  test("must exist", async () => {
    await using opened = await openEngine("CREATE TABLE t (a)");
    const file = join(dirname(opened.file), "none.csv");
    await expect(importing(opened, "", { file: placeOf(file) })).rejects.toThrow("was just removed or replaced");
    writeFileSync(file, "a\n1\n");
    expect(await importing(opened, "", { file: placeOf(file) })).toMatchObject({ rows: 1 });
  });
});

test("reports the progress of an import after each ten thousand rows", async () => {
  await using opened = await openEngine("CREATE TABLE t (a)");
  const reports: [done: number, total: number][] = [];
  const content = `a\n${repeated(25_000, "12345")}`;
  await importing(opened, content, {}, (done, total) => void reports.push([done, total]));
  expect(reports).toHaveLength(2);
  for (const [done, total] of reports) expect([done > 50_000, done <= total, total]).toEqual([true, true, content.length]);
});
