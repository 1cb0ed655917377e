// CSV files in the forms that other programs write: imported as they mean it, or refused with the argument that is missing.
import { describe, expect, test } from "vitest";
import type { ImportRequest } from "../../../src/db/protocol/file-messages.ts";
import { importing } from "../../support/csv-file.ts";
import { rowsOf } from "../../support/databases.ts";
import { openEngine } from "../../support/engine.ts";

interface ForeignFile {
  readonly content: string | Buffer;
  readonly request?: Partial<ImportRequest>;
  readonly columns: string[];
  readonly rows: unknown[][];
  readonly notes?: RegExp[];
}

const latin1 = (text: string): Buffer => Buffer.from(text, "latin1");

const FILES: Record<string, ForeignFile> = {
  "a bank's, with lines before the table": {
    content: latin1(
      '"Umsätze";"01.02.2024"\n"IBAN";"DE12 3456"\n\n"Tag";"An";"Betrag"\n"31.01.2024";"Müller & Söhne";"-1.234,56"\n"30.01.2024";"Café";"12,50"\n',
    ),
    columns: ["Tag TEXT", "An TEXT", "Betrag TEXT"],
    rows: [
      ["31.01.2024", "Müller & Söhne", "-1.234,56"],
      ["30.01.2024", "Café", "12,50"],
    ],
    notes: [/^Stored as text: Tag \("31.01.2024"\) look like dates; pass date_format "DD.MM.YYYY"/, /Betrag .* pass decimal ","/],
  },
  "a bank's, with its formats named": {
    content: latin1("Tag;Betrag;Konto\n31.01.2024;-1.234,56;0012\n;k.A.;10115\n30.2.2024;12,50;7\n1.3.2024;7-;8\n"),
    request: { decimal: ",", dateFormat: "DD.MM.YYYY" },
    columns: ["Tag TEXT", "Betrag REAL", "Konto TEXT"],
    rows: [
      ["2024-01-31", -1234.56, "0012"],
      [null, "k.A.", "10115"],
      ["30.2.2024", 12.5, "7"],
      ["2024-03-01", -7, "8"],
    ],
    notes: [/Not read in this date format, stored as text: 1 value of Tag, "30.2.2024" in row 3/, /1 value of Betrag, "k.A." in row 2/],
  },
  "Excel's, with a line that names the separator": {
    content: "sep=;\r\na;b\r\n1;x\r\n",
    columns: ["a INTEGER", "b TEXT"],
    rows: [[1, "x"]],
  },
  "Excel's, German": {
    content: "\uFEFFName;Menge;Preis;PLZ\r\nA;1;2,5;01067\r\nB;2;3,25;10115\r\n",
    request: { decimal: "," },
    columns: ["Name TEXT", "Menge INTEGER", "Preis REAL", "PLZ TEXT"],
    rows: [
      ["A", 1, 2.5, "01067"],
      ["B", 2, 3.25, "10115"],
    ],
  },
  "Excel's, French": {
    content: latin1("Libellé;Montant\r\nLoyer;1 250,00\r\nCafé;2,40\r\n"),
    request: { decimal: "," },
    columns: ["Libellé TEXT", "Montant REAL"],
    rows: [
      ["Loyer", 1250],
      ["Café", 2.4],
    ],
  },
  "Excel's Unicode text": {
    content: Buffer.from("\uFEFFName\tZahl\r\nÄ\t1\r\n", "utf16le"),
    columns: ["Name TEXT", "Zahl INTEGER"],
    rows: [["Ä", 1]],
  },
  "a DOS program's": {
    content: latin1("Stra\u00E1e;Preis\nGr\u0081ner Weg \u009A;\u00D5\n"),
    request: { encoding: "CP858" },
    columns: ["Straße TEXT", "Preis TEXT"],
    rows: [["Grüner Weg Ü", "€"]],
  },
  "a Czech DOS program's": {
    content: latin1("M\u00D8sto\n\u009Fe\u00E7tina\n"),
    request: { encoding: "ibm852" },
    columns: ["Město TEXT"],
    rows: [["čeština"]],
  },
  "windows-1252 with low and closing quotation marks": {
    content: latin1("a;b\n\u0084Wort\u0093 und \u0082so\u0091;5\u0094\nCaf\u00E9;\u0093word\u0094\n"),
    columns: ["a TEXT", "b TEXT"],
    rows: [
      ["„Wort“ und ‚so‘", "5”"],
      ["Café", "“word”"],
    ],
  },
  "UTF-16 without a mark": {
    content: Buffer.from("name,v\nann,1\nbob,2\n", "utf16le").swap16(),
    columns: ["name TEXT", "v INTEGER"],
    rows: [
      ["ann", 1],
      ["bob", 2],
    ],
  },
  "an American bank's": {
    content: 'Date,Amount,Memo\n1/31/2024 3:04 PM,"1,234.50",x\n2/1/2024 12:00 AM,-12.00,y\n',
    request: { decimal: ".", dateFormat: "MM/DD/YYYY hh:mm A" },
    columns: ["Date TEXT", "Amount REAL", "Memo TEXT"],
    rows: [
      ["2024-01-31 15:04:00", 1234.5, "x"],
      ["2024-02-01 00:00:00", -12, "y"],
    ],
  },
  "pandas', with an index": {
    content: ",name,v\n0,a,1.5\n1,b,2\n",
    columns: ["column_1 INTEGER", "name TEXT", "v NUMERIC"],
    rows: [
      [0, "a", 1.5],
      [1, "b", 2],
    ],
  },
  "R's, with numbers of rows": {
    content: '"name","x"\n"1","a",5\n"2","b",6\n',
    columns: ["column_1 TEXT", "name TEXT", "x INTEGER"],
    rows: [
      ["1", "a", 5],
      ["2", "b", 6],
    ],
  },
  "with a delimiter at the end of each line": {
    content: "a;b;\n1;2;\n3;4;\n",
    columns: ["a INTEGER", "b INTEGER"],
    rows: [
      [1, 2],
      [3, 4],
    ],
  },
  "with a delimiter at the end of each row": {
    content: "a;b\n1;2;\n3;4;\n",
    columns: ["a INTEGER", "b INTEGER"],
    rows: [
      [1, 2],
      [3, 4],
    ],
  },
  "of pipes, with spellings that a number loses": {
    content: "id|name|amount\n1|a, b|1.10\n2|c|1E5\n",
    columns: ["id INTEGER", "name TEXT", "amount TEXT"],
    rows: [
      [1, "a, b", "1.10"],
      [2, "c", "1E5"],
    ],
  },
  "the World Bank's, with years as names": {
    content:
      '"Data Source","WDI"\n\n"Last Updated","2024-01-01"\n\n"Country","Code","1960","1961"\n"Aruba","ABW","54608","55811"\n"X","XYZ","","1"\n',
    columns: ["Country TEXT", "Code TEXT", "1960 INTEGER", "1961 INTEGER"],
    rows: [
      ["Aruba", "ABW", 54_608, 55_811],
      ["X", "XYZ", null, 1],
    ],
  },
  "DATEV's": {
    content: latin1(
      '"EXTF";700;21;"Buchungsstapel";12;20240131;;"RE"\nUmsatz;S/H;Konto;Belegdatum;Text;;;;\n100,50;"S";8400;3101;"Grün";;;;\n12,00;"H";8400;0102;"x";;;;\n',
    ),
    columns: ["Umsatz TEXT", "S/H TEXT", "Konto INTEGER", "Belegdatum TEXT", "Text TEXT"],
    rows: [
      ["100,50", "S", 8400, "3101", "Grün"],
      ["12,00", "H", 8400, "0102", "x"],
    ],
  },
  "without a line of names": {
    content: "1,2024-01-02,a\n2,2024-01-03,b\n",
    columns: ["column_1 INTEGER", "column_2 TEXT", "column_3 TEXT"],
    rows: [
      [1, "2024-01-02", "a"],
      [2, "2024-01-03", "b"],
    ],
  },
  "MySQL's, in single quotes": {
    content: "id;t\n1;'it''s; x'\n2;'b'\n",
    columns: ["id INTEGER", "t TEXT"],
    rows: [
      [1, "it's; x"],
      [2, "b"],
    ],
  },
  "MySQL's, with backslashes": {
    content: 'id,t\n1,"say \\"hi\\" now"\n2,"b"\n',
    columns: ["id INTEGER", "t TEXT"],
    rows: [
      [1, 'say "hi" now'],
      [2, "b"],
    ],
  },
  "with quotes inside of fields": {
    content: 'id,size\n1,5" pipe\n2,"6"" x"\n',
    columns: ["id INTEGER", "size TEXT"],
    rows: [
      [1, '5" pipe'],
      [2, '6" x'],
    ],
  },
  "Google's form, with a question twice": {
    content: "Time,How?,How?\n2024-01-02 03:04:05,5,6\n",
    columns: ["Time TEXT", "How? INTEGER", "How?_2 INTEGER"],
    rows: [["2024-01-02 03:04:05", 5, 6]],
  },
  "of an old Macintosh": {
    content: "a,b\r1,2\r3,4\r",
    columns: ["a INTEGER", "b INTEGER"],
    rows: [
      [1, 2],
      [3, 4],
    ],
  },
  "with commas in its texts": {
    content: "id;text\n1;Hello, you, all\n2;Foo, bar, baz\n",
    columns: ["id INTEGER", "text TEXT"],
    rows: [
      [1, "Hello, you, all"],
      [2, "Foo, bar, baz"],
    ],
  },
  "with a shorter row": {
    content: "a,b,c\n1,2,3\n4\n",
    columns: ["a INTEGER", "b INTEGER", "c INTEGER"],
    rows: [
      [1, 2, 3],
      [4, null, null],
    ],
    notes: [/^Shorter than the header: 1 row \(line 3\); the missing values are NULL/],
  },
};

describe("reads a file", () => {
  test.each(Object.entries(FILES))("%s", async (_form, { content, request, columns, rows, notes = [] }) => {
    await using opened = await openEngine("CREATE TABLE other (a)");
    const reply = await importing(opened, content, { create: true, ...request });
    expect(reply.columns.map((name, index) => `${name} ${reply.types[index]}`)).toEqual(columns);
    expect(rowsOf(opened.file, "SELECT * FROM t")).toEqual(rows);
    for (const note of notes) expect(reply.notes).toContainEqual(expect.stringMatching(note) as string);
  });
});

test.each<[string, string, RegExp]>([
  ["a comma in a file of one column", "name\nSmith, John\nDoe, Jane\n", /line 2 has 2 fields.*Pass its delimiter or skip_lines/],
  [
    "one text with a delimiter and without quotes, below lines of another kind",
    "Konto;DE02\nZeitraum;Oktober\n\nTag;An;Zweck;Betrag\n1.10.;A;x;1,00\n2.10.;B;y;2,00\n3.10.;C;Wohnung; 3. OG;3,00\n4.10.;D;z;4,00\n5.10.;E;z;5,00\n",
    /line 7 has 5 fields, the header has 4: "3\.10\.;C;Wohnung; 3\. OG;3,00"/,
  ],
  ["more values than names", "item,price\nTea,1,50\nCoffee,2,20\n", /line 2 has 3 fields/],
])("refuses %s", async (_what, content, message) => {
  await using opened = await openEngine("CREATE TABLE other (a)");
  await expect(importing(opened, content, { create: true })).rejects.toThrow(message);
});

describe("a table that exists", () => {
  test("takes a file without names by position", async () => {
    await using opened = await openEngine("CREATE TABLE t (a INTEGER, b TEXT)");
    await importing(opened, "1,x\n2,y\n");
    expect(rowsOf(opened.file, "SELECT * FROM t")).toEqual([
      [1, "x"],
      [2, "y"],
    ]);
    await expect(importing(opened, "1,x,5\n2,y,6\n")).rejects.toThrow(
      "The file has no line with names, and its 3 columns are not the 2 of t.",
    );
  });

  test("names values that are not numbers", async () => {
    await using opened = await openEngine("CREATE TABLE t (a INTEGER)");
    const { notes } = await importing(opened, "a\n1\nn/a\n2,5\n", { delimiter: ";" });
    expect(notes).toEqual([
      'No number, stored as text: 2 values of a, first "n/a" in row 2.',
      'Stored as text: "n/a" in a; pass nulls ["n/a"] if no value is meant.',
    ]);
  });

  test("reads decimals and dates in the caller's formats", async () => {
    await using opened = await openEngine("CREATE TABLE t (amount REAL, day DATE, label TEXT)");
    await importing(opened, "amount;day;label\n1,5;31.12.2023;1,5\n", { decimal: ",", dateFormat: "DD.MM.YYYY" });
    expect(rowsOf(opened.file, "SELECT * FROM t")).toEqual([[1.5, "2023-12-31", "1,5"]]);
  });
});
