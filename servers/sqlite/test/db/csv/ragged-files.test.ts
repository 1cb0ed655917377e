// Files in which rows are shorter or longer than the names: their delimiter is found all the same, and such rows are named by their lines.
import { expect, test } from "vitest";
import { importing } from "../../support/csv-file.ts";
import { rowsOf } from "../../support/databases.ts";
import { openEngine } from "../../support/engine.ts";

const row = (id: number, delimiter: string): string => [`n${id}`, `e${id}@x.org`, "DE", "2024-01-02"].join(delimiter);

/** Ten rows; the third one has a value less, the seventh one more. */
const ragged = (delimiter: string): string => {
  const rows = Array.from({ length: 10 }, (_, at) => row(at + 1, delimiter));
  rows[2] = ["n3", "e3@x.org", "DE"].join(delimiter);
  rows[6] = `${rows[6]}${delimiter}extra`;
  return [["name", "email", "country", "created"].join(delimiter), ...rows, ""].join("\n");
};

test.each([";", "\t", "|", ","])("finds the delimiter %j where one row is short and one is long", async (delimiter) => {
  await using opened = await openEngine("CREATE TABLE other (a)");
  const content = ragged(delimiter);
  await expect(importing(opened, content, { create: true })).rejects.toThrow("line 8 has 5 fields, the header has 4");
  const reply = await importing(opened, content, { create: true, skipLongRows: true });
  expect(reply).toMatchObject({ rows: 9, columns: ["name", "email", "country", "created"], detected: { delimiter } });
  expect(reply.notes).toEqual([
    "Shorter than the header: 1 row (line 4); the missing values are NULL.",
    expect.stringMatching(/^Left out, with more values than names: 1 row: line 8 "n7/),
  ]);
  expect(rowsOf(opened.file, "SELECT created FROM t WHERE name = 'n3'")).toEqual([[null]]);
});

test("finds the delimiter where most rows differ from the header", async () => {
  await using opened = await openEngine("CREATE TABLE other (a)");
  const content = ["a;b;c", ...Array.from({ length: 20 }, (_, at) => (at % 3 === 0 ? `${at};x;y` : `${at};x`))].join("\n");
  const reply = await importing(opened, content, { create: true });
  expect(reply).toMatchObject({ rows: 20, columns: ["a", "b", "c"], detected: { delimiter: ";" } });
  expect(reply.notes).toEqual(["Shorter than the header: 13 rows (lines 3, 4, 6, 7, 9, …); the missing values are NULL."]);
});

test.each([
  ["texts with commas below one name", "remark\nHello, world\nOne, two, three\nBye, all\nPlain\n"],
  ["texts with semicolons in some rows", "remark\nfirst; second\nplain\nplain\nplain\n"],
])("keeps one column for %s", async (_form, content) => {
  await using opened = await openEngine("CREATE TABLE other (a)");
  await expect(importing(opened, content, { create: true, skipLongRows: true })).resolves.toMatchObject({ columns: ["remark"] });
});

test("names the delimiter where the names do not fit the table", async () => {
  await using opened = await openEngine("CREATE TABLE customers (name, email)");
  await expect(importing(opened, "name;email\na;b\n", { table: "customers", delimiter: "," })).rejects.toThrow(
    'Table customers has no column name;email; its columns are name, email. Nothing was imported. The file was read with the delimiter ","',
  );
});

test.each([
  ["a line feed ends the rows below a header of Windows", "a,b\r\n1,x\n2,y\n"],
  ["a header ends with a line feed, and rows as on Windows", "a,b\n1,x\r\n2,y\r\n"],
])("reads every row where %s", async (_, content) => {
  await using opened = await openEngine("CREATE TABLE other (a)");
  const reply = await importing(opened, content, { create: true });
  expect(reply).toMatchObject({ rows: 2, columns: ["a", "b"] });
  expect(rowsOf(opened.file, "SELECT * FROM t")).toEqual([
    [1, "x"],
    [2, "y"],
  ]);
});

test("says that the first value of each row was taken as its number", async () => {
  await using opened = await openEngine("CREATE TABLE other (a)");
  const reply = await importing(opened, "customer,city\n1,Smith, Rome\n2,Doe, Oslo\n", { create: true });
  expect(reply.notes).toContain("Each row has one value more than there are names: the first, its number, is column_1.");
});

test("finds the table between lines of text above and below it", async () => {
  await using opened = await openEngine("CREATE TABLE other (a)");
  const rows = ["02.01.2024;Migros;-12.50", "03.01.2024;Coop;-7.20", "05.01.2024;Lohn;4500.00"];
  const above = ["Datum von:;01.01.2024", "Konto:;CH93", "", "Datum;Text;Betrag"];
  const content = [...above, ...rows, "", "Disclaimer:", "Angaben ohne Gewähr, Irrtum vorbehalten"].join("\n");
  const reply = await importing(opened, content, { create: true });
  expect(reply).toMatchObject({ columns: ["Datum", "Text", "Betrag"], detected: { delimiter: ";" } });
  expect(reply.notes[0]).toMatch(/^Shorter than the header: 2 rows \(lines 9, 10\)/);
});
