// Files of spreadsheets and data frames: amounts of accounts, errors of formulas, lost digits and quotes, and what the reply says of them.
import { describe, expect, test } from "vitest";
import type { ImportRequest } from "../../../src/db/protocol/file-messages.ts";
import { importing } from "../../support/csv-file.ts";
import { rowsOf } from "../../support/databases.ts";
import { openEngine } from "../../support/engine.ts";

interface SpreadsheetFile {
  readonly content: string | Buffer;
  readonly request?: Partial<ImportRequest>;
  readonly rows: unknown[][];
  readonly notes: string[];
}

const WITH_UNIT = "look like numbers with a unit; store them by UPDATE with replace() and CAST";
const FILES: Record<string, SpreadsheetFile> = {
  "amounts in the format of accounts": {
    content: 'k,v\na,"$1,234.50"\nb,($99.00)\nc,$ -\n',
    rows: [
      ["a", "$1,234.50"],
      ["b", "($99.00)"],
      ["c", "$ -"],
    ],
    notes: [`Stored as text: v ("$1,234.50") ${WITH_UNIT}, where brackets mean minus.`],
  },
  "errors of formulas in English, German and French": {
    content: "k;v;w;x\na;1;#NV;2\nb;#DIV/0!;#BEZUG!;#N/D\nc;#N/A;3;#NOM?\n",
    request: { nulls: ["#NV", "#DIV/0!", "#BEZUG!", "#N/D", "#N/A"] },
    rows: [
      ["a", 1, null, "2"],
      ["b", null, null, null],
      ["c", null, 3, "#NOM?"],
    ],
    notes: ['Stored as text: "#NOM?" in x; pass nulls ["#NOM?"] if no value is meant.'],
  },
  "marks of data frames": {
    content: "id,when,n\n1,2024-01-01,<NA>\n2,NaT,5\n",
    rows: [
      [1, "2024-01-01", "<NA>"],
      [2, "NaT", "5"],
    ],
    notes: ['Stored as text: "NaT", "<NA>" in when, n; pass nulls ["NaT", "<NA>"] if no value is meant.'],
  },
  "numbers of both decimal marks": {
    content: 'k,v\na,1.5\nb,"1,5"\nc,2\n',
    rows: [
      ["a", "1.5"],
      ["b", "1,5"],
      ["c", "2"],
    ],
    notes: [
      'Stored as text: v ("1.5") look like numbers, some with a decimal point and some with a comma; store them by UPDATE with replace() and CAST.',
    ],
  },
  "long numbers in short form": {
    content: "k,ean\na,4.00631E+12\nb,4.00639E+12\n",
    rows: [
      ["a", "4.00631E+12"],
      ["b", "4.00639E+12"],
    ],
    notes: [
      'Stored as text: ean ("4.00631E+12") have lost digits: a spreadsheet has shortened long numbers. Export the file anew with that column as text.',
    ],
  },
  "quotes inside quotes": {
    content: 'id,txt,z\n1,"good, one",a\n2,"he said "hi" ok",b\n3,"x ""y""",c\n4,5" disk,"d"\n',
    rows: [
      [1, "good, one", "a"],
      [2, '"he said "hi" ok"', "b"],
      [3, 'x "y"', "c"],
      [4, '5" disk', "d"],
    ],
    notes: [
      'With quotes around it and inside: 1 value of txt, "\\"he said \\"hi\\" ok\\"" in row 2. If the file does not double quotes inside quotes, substr(column, 2, length(column) - 2) is meant.',
    ],
  },
  "blanks before numbers": {
    content: "id, name, n, code\n1, Ann, 5, 007\n2, Bob, 6, 008\n",
    rows: [
      [1, " Ann", " 5", " 007"],
      [2, " Bob", " 6", " 008"],
    ],
    notes: [
      'Stored as text: name (" Ann"), code (" 007") stand between blanks, which are kept; trim(column) leaves them out.',
      'Stored as text: n (" 5") look like numbers; pass decimal "." or "," to store numbers.',
    ],
  },
  "blanks before numbers, with the decimal mark": {
    content: "id, n, code, price\n1, 5, 007, 1.5\n2, 6, 008, 2\n",
    request: { decimal: "." },
    rows: [
      [1, 5, " 007", 1.5],
      [2, 6, " 008", 2],
    ],
    notes: ['Stored as text: code (" 007") stand between blanks, which are kept; trim(column) leaves them out.'],
  },
  "the line ends and letters of an old Mac": {
    content: Buffer.from("Name;Ort\rM\x9fller;K\x9aln\rGr\x9a\xa7e;\x86berlingen\r", "latin1"),
    rows: [
      ["Müller", "Köln"],
      ["Größe", "Überlingen"],
    ],
    notes: [],
  },
};

describe("reads a file with", () => {
  test.each(Object.entries(FILES))("%s", async (_form, { content, request, rows, notes }) => {
    await using opened = await openEngine("CREATE TABLE other (a)");
    const reply = await importing(opened, content, { create: true, ...request });
    expect(rowsOf(opened.file, "SELECT * FROM t")).toEqual(rows);
    expect(reply.notes).toEqual(notes);
  });
});

test("names the columns of a table that has others than the file", async () => {
  await using opened = await openEngine("CREATE TABLE t (a, b, c AS (a + 1))");
  await expect(importing(opened, "A,x,y\n1,2,3\n")).rejects.toThrow(
    'Table t has no column x, y; its columns are a, b, c. Nothing was imported. The file was read with the delimiter ",": pass another one if it is not that. Or import into a new table with create, then INSERT INTO',
  );
  await expect(importing(opened, "a,b\n1,2\n")).resolves.toMatchObject({ rows: 1 });
});
