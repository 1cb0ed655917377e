// Reports of programs: names again on each page, texts that mean NULL, months by their names, and what the reply says of them.
import { describe, expect, test } from "vitest";
import type { ImportRequest } from "../../../src/db/protocol/file-messages.ts";
import { importing } from "../../support/csv-file.ts";
import { rowsOf } from "../../support/databases.ts";
import { openEngine } from "../../support/engine.ts";

interface ReportFile {
  readonly content: string;
  readonly request?: Partial<ImportRequest>;
  readonly types: string[];
  readonly rows: unknown[][];
  /** All of them. */
  readonly notes?: RegExp[];
}

const FILES: Record<string, ReportFile> = {
  "the names on each page": {
    content: "day;amount\n2024-01-31;5\nday;amount\n2024-02-01;6\nday;amount\n2024-02-02;7\n",
    types: ["TEXT", "TEXT"],
    rows: [
      ["2024-01-31", "5"],
      ["day", "amount"],
      ["2024-02-01", "6"],
      ["day", "amount"],
      ["2024-02-02", "7"],
    ],
    notes: [
      /^Repeats the header, stored as data: 2 rows \(2, 4\); pass skip_repeated_headers to leave it out\.$/,
      /^Stored as text: amount \("5"\) look like numbers but for "amount"; pass nulls/,
    ],
  },
  "a row with a separator in a text, left out": {
    content: "Konto;1\n\nday;what;sum\n1;a;1,5\n2;Flat; 3rd floor;-2,5\n3;b;3,5\n",
    request: { skipLongRows: true, decimal: "," },
    types: ["INTEGER", "TEXT", "REAL"],
    rows: [
      [1, "a", 1.5],
      [3, "b", 3.5],
    ],
    notes: [
      /^Left out, with more values than names: 1 row: line \d+ "2;Flat; 3rd floor;-2,5"\. Add them as they are meant by write_query\.$/,
    ],
  },
  "lines of comments before the names": {
    content: "# exported 2026-01-01\n# by a tool\nid,name\n1,a\n2,b\n",
    types: ["INTEGER", "TEXT"],
    rows: [
      [1, "a"],
      [2, "b"],
    ],
  },
  "the names on each page, left out": {
    content: "day;amount\n2024-01-31;5\nday;amount\n2024-02-01;6\nday;amount\n;x\n",
    request: { skipRepeatedHeaders: true, decimal: "." },
    types: ["TEXT", "TEXT"],
    rows: [
      ["2024-01-31", "5"],
      ["2024-02-01", "6"],
      [null, "x"],
    ],
    notes: [/^Repeats the header, left out: 2 rows \(2, 4\)\.$/, /pass nulls \["x"\] if/],
  },
  "pandas, with the text that means NULL": {
    content: 'n,x,who\n1,1.5,NaN\nNaN,NaN,Ann\n3,2.25,"NaN"\n',
    request: { nulls: ["NaN"] },
    types: ["INTEGER", "REAL", "TEXT"],
    rows: [
      [1, 1.5, null],
      [null, null, "Ann"],
      [3, 2.25, "NaN"],
    ],
    notes: [/^Stored as text: "NaN" in who;/],
  },
  "MySQL, with two texts that mean NULL": {
    content: "id,name,day\n1,NULL,2024-01-31\n2,Bob,\\N\n",
    types: ["INTEGER", "TEXT", "TEXT"],
    rows: [
      [1, "NULL", "2024-01-31"],
      [2, "Bob", "\\N"],
    ],
    notes: [/^Stored as text: "NULL", "\\\\N" in name, day; pass nulls \["NULL", "\\\\N"\] if no value is meant\.$/],
  },
  "months by their names": {
    content: "booked;paid;seen;due\n3 Mar 2024;12-JAN-24;31/01/2024 10:00;Mar-24\n14 Mar 2024;28-FEB-24;01/02/2024 11:30;Apr-24\n",
    types: ["TEXT", "TEXT", "TEXT", "TEXT"],
    rows: [
      ["3 Mar 2024", "12-JAN-24", "31/01/2024 10:00", "Mar-24"],
      ["14 Mar 2024", "28-FEB-24", "01/02/2024 11:30", "Apr-24"],
    ],
    notes: [
      /^Stored as text: booked .*; pass date_format "DD MMM YYYY" to/,
      /^Stored as text: paid .*; pass date_format "DD-MMM-YY" to/,
      /^Stored as text: seen .*; pass date_format "DD\/MM\/YYYY HH:mm" to/,
      /^Stored as text: due \("Mar-24"\) look like dates that date_format cannot read; store/,
    ],
  },
  "German months, with their format": {
    content: "Tag;n\n3. März 2024;1\n14. Dez. 2023;2\n1. Mai 2024;3\n31. Juni 2024;4\n",
    request: { dateFormat: "D. MMMM YYYY" },
    types: ["TEXT", "INTEGER"],
    rows: [
      ["2024-03-03", 1],
      ["2023-12-14", 2],
      ["2024-05-01", 3],
      ["31. Juni 2024", 4],
    ],
    notes: [/1 value of Tag, "31. Juni 2024" in row 4/],
  },
  "months as names of columns": {
    content: "shop;Jan 2024;Feb 2024\nA;1;2\nB;3;4\n",
    types: ["TEXT", "INTEGER", "INTEGER"],
    rows: [
      ["A", 1, 2],
      ["B", 3, 4],
    ],
  },
  "totals between its rows": {
    content: "item;v\nx;1\nZwischensumme;1\nTotal Wine;2\nSubtotal:;2\nSumme;3\n",
    types: ["TEXT", "INTEGER"],
    rows: [
      ["x", 1],
      ["Zwischensumme", 1],
      ["Total Wine", 2],
      ["Subtotal:", 2],
      ["Summe", 3],
    ],
    notes: [/^Look like totals: 3 rows \(2, 4, 5\); delete them unless they belong to the data\.$/],
  },
  "odd values, units and blanks": {
    content: "n,w,p\n1.5,5 kg, x\n-,7.5 kg, 007\n2.5,9 kg, y\n",
    types: ["TEXT", "TEXT", "TEXT"],
    rows: [
      ["1.5", "5 kg", " x"],
      ["-", "7.5 kg", " 007"],
      ["2.5", "9 kg", " y"],
    ],
    notes: [
      /^Stored as text: n \("1.5"\) look like numbers but for "-"; pass nulls \["-"\] if/,
      /^Stored as text: w \("5 kg"\) look like numbers with a unit/,
      /^Stored as text: p \(" x"\) stand between blanks, which are kept/,
    ],
  },
  "values that another format would read": {
    content: "day;sold;price\n31.01.2024;01/31/2024;1.50\n01.02.2024;02/28/2024;2.00\n",
    request: { dateFormat: "DD.MM.YYYY", decimal: "," },
    types: ["TEXT", "TEXT", "TEXT"],
    rows: [
      ["2024-01-31", "01/31/2024", "1.50"],
      ["2024-02-01", "02/28/2024", "2.00"],
    ],
    notes: [
      /^Stored as text: sold \(.*\) look like dates in another format, "MM\/DD\/YYYY"\.$/,
      /^Stored as text: price \("1.50"\) look like numbers with another decimal mark\.$/,
    ],
  },
};

describe("reads a report with", () => {
  test.each(Object.entries(FILES))("%s", async (_form, { content, request, types, rows, notes = [] }) => {
    await using opened = await openEngine("CREATE TABLE other (a)");
    const reply = await importing(opened, content, { create: true, ...request });
    expect(reply.types).toEqual(types);
    expect(rowsOf(opened.file, "SELECT * FROM t")).toEqual(rows);
    expect(reply.notes).toEqual(notes.map((note) => expect.stringMatching(note) as unknown));
  });
});
