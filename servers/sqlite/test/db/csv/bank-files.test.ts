// Exports of banks, shops and spreadsheets: amounts, dates, preambles and totals as they write them, and what the reply says of them.
import { describe, expect, test } from "vitest";
import type { ImportRequest } from "../../../src/db/protocol/file-messages.ts";
import { importing } from "../../support/csv-file.ts";
import { rowsOf } from "../../support/databases.ts";
import { openEngine } from "../../support/engine.ts";

interface BankFile {
  readonly content: string | Buffer;
  readonly request?: Partial<ImportRequest>;
  readonly columns: string[];
  readonly rows: unknown[][];
  /** All of them. */
  readonly notes?: RegExp[];
}

const latin1 = (text: string): Buffer => Buffer.from(text, "latin1");
const german = { decimal: ",", dateFormat: "DD.MM.YYYY" } as const;

const FILES: Record<string, BankFile> = {
  "ING: lines of other widths before the table, a name twice": {
    content: latin1(
      [
        "Umsatzanzeige;Datei erstellt am: 01.02.2024 10:00",
        "",
        "IBAN;DE12 3456",
        "Zeitraum;01.01.2024 - 31.01.2024",
        "Saldo;1.234,56;EUR",
        "",
        "In der CSV-Datei finden Sie alle bereits gebuchten Umsätze.",
        "",
        "Buchung;Wertstellungsdatum;Empfänger;Verwendungszweck;Saldo;Währung;Betrag;Währung",
        "31.01.2024;31.01.2024;Müller;Miete Nr. 5;1.234,56;EUR;-850,00;EUR",
        "30.01.2024;31.01.2024;Bäcker;;2.084,56;EUR;-4,50;EUR",
      ].join("\r\n"),
    ),
    request: german,
    columns: [
      "Buchung TEXT",
      "Wertstellungsdatum TEXT",
      "Empfänger TEXT",
      "Verwendungszweck TEXT",
      "Saldo REAL",
      "Währung TEXT",
      "Betrag REAL",
      "Währung_2 TEXT",
    ],
    rows: [
      ["2024-01-31", "2024-01-31", "Müller", "Miete Nr. 5", 1234.56, "EUR", -850, "EUR"],
      ["2024-01-30", "2024-01-31", "Bäcker", null, 2084.56, "EUR", -4.5, "EUR"],
    ],
  },
  "a spreadsheet: days as numbers": {
    content: "Buchungstag,Valutadatum,Nummer,Betrag\n20240131,45322,45322,20240131.5\n20240201,45323.75,45323,1.5\n",
    columns: ["Buchungstag INTEGER", "Valutadatum NUMERIC", "Nummer INTEGER", "Betrag REAL"],
    rows: [
      [20240131, 45322, 45322, 20240131.5],
      [20240201, 45323.75, 45323, 1.5],
    ],
    notes: [
      /^Stored as numbers: Buchungstag \(20240131\) look like dates; pass date_format "YYYYMMDD" to store YYYY-MM-DD\.$/,
      /^Stored as numbers: Valutadatum \(45322\) look like dates as spreadsheets count days; date\(column \+ 2415018\.5\) shows them\.$/,
    ],
  },
  "a spreadsheet: days as eight digits": {
    content: "Tag,Betrag\n20240131,1\n20240201,2\n",
    request: { dateFormat: "YYYYMMDD" },
    columns: ["Tag TEXT", "Betrag INTEGER"],
    rows: [
      ["2024-01-31", 1],
      ["2024-02-01", 2],
    ],
    notes: [],
  },
  "N26: quotes around everything": {
    content:
      '"Date","Payee","Account number","Amount (EUR)","Exchange Rate"\n"2024-01-31","REWE","","-12.5",""\n"2024-02-01","Ann","DE01","1200.25","1.5"\n',
    columns: ["Date TEXT", "Payee TEXT", "Account number TEXT", "Amount (EUR) REAL", "Exchange Rate REAL"],
    rows: [
      ["2024-01-31", "REWE", null, -12.5, null],
      ["2024-02-01", "Ann", "DE01", 1200.25, 1.5],
    ],
  },
  "PayPal: German amounts in quotes between commas": {
    content:
      '\uFEFF"Datum","Uhrzeit","Name","Währung","Brutto","Gebühr"\r\n"31.01.2024","12:34:56","Max","EUR","-1.234,56","0,00"\r\n"01.02.2024","00:01:02","Eva","EUR","12,50","-0,35"\r\n',
    request: german,
    columns: ["Datum TEXT", "Uhrzeit TEXT", "Name TEXT", "Währung TEXT", "Brutto REAL", "Gebühr REAL"],
    rows: [
      ["2024-01-31", "12:34:56", "Max", "EUR", -1234.56, 0],
      ["2024-02-01", "00:01:02", "Eva", "EUR", 12.5, -0.35],
    ],
  },
  "Revolut: amounts that a number would shorten": {
    content:
      "Type,Started Date,Description,Amount,Fee,State\nCARD_PAYMENT,2024-01-31 10:00:00,Uber,-12.50,0.00,COMPLETED\nTOPUP,2024-02-01 11:00:00,,100.00,0.00,COMPLETED\n",
    columns: ["Type TEXT", "Started Date TEXT", "Description TEXT", "Amount TEXT", "Fee TEXT", "State TEXT"],
    rows: [
      ["CARD_PAYMENT", "2024-01-31 10:00:00", "Uber", "-12.50", "0.00", "COMPLETED"],
      ["TOPUP", "2024-02-01 11:00:00", null, "100.00", "0.00", "COMPLETED"],
    ],
    notes: [/^Stored as text: Amount \("-12.50"\), Fee \("0.00"\) look like numbers; pass decimal "." to store numbers/],
  },
  "Sparkasse: quotes around everything, years of two digits": {
    content: latin1(
      '"Auftragskonto";"Buchungstag";"Verwendungszweck";"Betrag"\n"DE12";"31.01.24";"GUTSCHR. ""XY""; 7";"1.000,00"\n"DE12";"01.02.24";"";"-2,00"\n',
    ),
    request: { decimal: ",", dateFormat: "DD.MM.YY" },
    columns: ["Auftragskonto TEXT", "Buchungstag TEXT", "Verwendungszweck TEXT", "Betrag REAL"],
    rows: [
      ["DE12", "2024-01-31", 'GUTSCHR. "XY"; 7', 1000],
      ["DE12", "2024-02-01", null, -2],
    ],
  },
  "Excel in French: narrow blanks in thousands, negative amounts in brackets": {
    content: "Date;Libellé;Débit\r\n31/01/2024;Loyer;(1\u202f250,00)\r\n01/02/2024;Café;2,40\r\n",
    request: { decimal: ",", dateFormat: "DD/MM/YYYY" },
    columns: ["Date TEXT", "Libellé TEXT", "Débit REAL"],
    rows: [
      ["2024-01-31", "Loyer", -1250],
      ["2024-02-01", "Café", 2.4],
    ],
  },
  "Excel in Italian: signs before thousands and after": {
    content: latin1("Data;Causale;Importo\r\n31/01/2024;Affitto;+1.250,00\r\n01/02/2024;Caffè;2,40-\r\n02/02/2024;Bar;- 3,00\r\n"),
    request: { decimal: ",", dateFormat: "DD/MM/YYYY" },
    columns: ["Data TEXT", "Causale TEXT", "Importo REAL"],
    rows: [
      ["2024-01-31", "Affitto", 1250],
      ["2024-02-01", "Caffè", -2.4],
      ["2024-02-02", "Bar", -3],
    ],
  },
  "a Swiss bank: apostrophes in thousands, a minus of its own": {
    content: "Datum;Text;Betrag\n31.01.2024;Miete;\u22121\u2019250.00\n01.02.2024;Café;2'400.05\n",
    request: { decimal: ".", dateFormat: "DD.MM.YYYY" },
    columns: ["Datum TEXT", "Text TEXT", "Betrag REAL"],
    rows: [
      ["2024-01-31", "Miete", -1250],
      ["2024-02-01", "Café", 2400.05],
    ],
  },
  "an American bank: accounting brackets": {
    content: 'Date,Description,Amount\n01/31/2024,Rent,"(1,250.00)"\n02/01/2024,Pay,"3,000.00"\n',
    request: { decimal: ".", dateFormat: "MM/DD/YYYY" },
    columns: ["Date TEXT", "Description TEXT", "Amount REAL"],
    rows: [
      ["2024-01-31", "Rent", -1250],
      ["2024-02-01", "Pay", 3000],
    ],
  },
  "Google Sheets: line breaks and quotes in fields": {
    content: 'Task,Notes,Done\r\nBuy,"milk\nand ""bread""",TRUE\r\nCall,"a, b",FALSE\r\n',
    columns: ["Task TEXT", "Notes TEXT", "Done TEXT"],
    rows: [
      ["Buy", 'milk\nand "bread"', "TRUE"],
      ["Call", "a, b", "FALSE"],
    ],
  },
  "Excel's Unicode text: line breaks in UTF-16 between tabs": {
    content: Buffer.from('\uFEFFName\tNote\tZahl\r\nÄ\t"eins\nzwei\tdrei"\t1\r\nÖ\t\t2\r\n', "utf16le"),
    columns: ["Name TEXT", "Note TEXT", "Zahl INTEGER"],
    rows: [
      ["Ä", "eins\nzwei\tdrei", 1],
      ["Ö", null, 2],
    ],
  },
  "pandas: an index, NaN and times": {
    content: ",when,x\n0,2024-01-31 00:00:00,1.5\n1,2024-02-01 00:00:00,NaN\n2,,2.25\n",
    columns: ["column_1 INTEGER", "when TEXT", "x TEXT"],
    rows: [
      [0, "2024-01-31 00:00:00", "1.5"],
      [1, "2024-02-01 00:00:00", "NaN"],
      [2, null, "2.25"],
    ],
    notes: [/^Stored as text: "NaN" in x; pass nulls \["NaN"\] if no value is meant\.$/],
  },
  "DATEV: quoted amounts, codes of accounts, days without a year": {
    content: latin1(
      '"DTVF";700;16;"Debitoren/Kreditoren";5;20240131120000000;;"RE";"";"";29098;55003;20240101;4\nKonto;Name;Umsatz;Beleg\n"0010000";"Bäcker";"1.234,50";"3101"\n"0070000";"Kauz";"2,00";"0102"\n',
    ),
    request: { decimal: "," },
    columns: ["Konto TEXT", "Name TEXT", "Umsatz REAL", "Beleg TEXT"],
    rows: [
      ["0010000", "Bäcker", 1234.5, "3101"],
      ["0070000", "Kauz", 2, "0102"],
    ],
  },
  "a total at the end": {
    content: "Tag;Text;Betrag\n31.01.2024;Miete;850,00\n01.02.2024;Brot;4,50\nSumme;;854,50\n",
    request: german,
    columns: ["Tag TEXT", "Text TEXT", "Betrag REAL"],
    rows: [
      ["2024-01-31", "Miete", 850],
      ["2024-02-01", "Brot", 4.5],
      ["Summe", null, 854.5],
    ],
    notes: [
      /^The last row, 3, looks like a total \("Summe"\): delete it unless it belongs to the data\.$/,
      /1 value of Tag, "Summe" in row 3/,
    ],
  },
  "a sentence at the end": {
    content: 'Date,Amount\n2024-01-31,5\n2024-02-01,6\n\n"Downloaded, as of today"\n',
    columns: ["Date TEXT", "Amount INTEGER"],
    rows: [
      ["2024-01-31", 5],
      ["2024-02-01", 6],
      ["Downloaded, as of today", null],
    ],
    notes: [/^Shorter than the header: 1 row \(line \d+\)/],
  },
  "numbers of footnotes beside amounts": {
    content: "note;amount\n(1);(1,50)\n(2);(850,00)\n",
    request: { decimal: "," },
    columns: ["note TEXT", "amount REAL"],
    rows: [
      ["(1)", -1.5],
      ["(2)", -850],
    ],
  },
  "days and months in both orders": {
    content: "day;v\n31/01/2024;1\n01/31/2024;2\n",
    columns: ["day TEXT", "v INTEGER"],
    rows: [
      ["31/01/2024", 1],
      ["01/31/2024", 2],
    ],
    notes: [/^Stored as text: day \("31\/01\/2024"\) look like dates in mixed forms/],
  },
  "two lines of names, the second with units": {
    content: "Name;Betrag\n;EUR\nA;1,50\nB;2,00\nC;3,00\n",
    request: { decimal: "," },
    columns: ["Name TEXT", "Betrag REAL"],
    rows: [
      [null, "EUR"],
      ["A", 1.5],
      ["B", 2],
      ["C", 3],
    ],
    notes: [/^Not read with decimal "," as a number, stored as text: 1 value of Betrag, "EUR" in row 1\.$/],
  },
  "points that may group thousands": {
    content: "Land;Einwohner;Wert\nA;1.234;1.5\nB;12.345;1.234\nC;999;2.25\n",
    columns: ["Land TEXT", "Einwohner NUMERIC", "Wert REAL"],
    rows: [
      ["A", 1.234, 1.5],
      ["B", 12.345, 1.234],
      ["C", 999, 2.25],
    ],
    notes: [/^Read with a decimal point: Einwohner \("1.234"\); pass decimal "," if the point groups thousands\.$/],
  },
  "amounts with their currency": {
    content: "Tag;Betrag;Anteil;Preis\n2024-01-31;1.234,50 €;12,5 %;-$1.50\n2024-02-01;-2,00 €;3 %;USD 7\n",
    columns: ["Tag TEXT", "Betrag TEXT", "Anteil TEXT", "Preis TEXT"],
    rows: [
      ["2024-01-31", "1.234,50 €", "12,5 %", "-$1.50"],
      ["2024-02-01", "-2,00 €", "3 %", "USD 7"],
    ],
    notes: [/^Stored as text: Betrag \("1.234,50 €"\), Anteil \("12,5 %"\), Preis \("-\$1.50"\) look like numbers with a unit/],
  },
  "codes that a spreadsheet is to keep": {
    content: 'plz;name\n="01067";A\n="10115";B\n',
    columns: ["plz TEXT", "name TEXT"],
    rows: [
      ['="01067"', "A"],
      ['="10115"', "B"],
    ],
    notes: [/^Stored as text: plz \(.*\) hold ="…", as spreadsheets mark texts/],
  },
  "a preamble as wide as the table": {
    content: "Konto;123;EUR\nZeitraum;Januar;alle\nDatum;Text;Betrag\n2024-01-31;x;1\n2024-02-01;y;2\n",
    columns: ["Konto TEXT", "123 TEXT", "EUR TEXT"],
    rows: [
      ["Zeitraum", "Januar", "alle"],
      ["Datum", "Text", "Betrag"],
      ["2024-01-31", "x", "1"],
      ["2024-02-01", "y", "2"],
    ],
    notes: [/^A name is a value: "123"\. Pass skip_lines if the names stand further down\.$/],
  },
  "dates in mixed forms": {
    content: "day,v\n31.01.2024,1\n2024-02-01,2\n1/2/2024,3\n",
    request: { dateFormat: "DD.MM.YYYY" },
    columns: ["day TEXT", "v INTEGER"],
    rows: [
      ["31.01.2024", 1],
      ["2024-02-01", 2],
      ["1/2/2024", 3],
    ],
    notes: [/^Stored as text: day \("31.01.2024"\) look like dates in mixed forms: "31.01.2024", "2024-02-01", "1\/2\/2024"\.$/],
  },
};

describe("reads an export of", () => {
  test.each(Object.entries(FILES))("%s", async (_form, { content, request, columns, rows, notes = [] }) => {
    await using opened = await openEngine("CREATE TABLE other (a)");
    const reply = await importing(opened, content, { create: true, ...request });
    expect(reply.columns.map((name, index) => `${name} ${reply.types[index]}`)).toEqual(columns);
    expect(rowsOf(opened.file, "SELECT * FROM t")).toEqual(rows);
    expect(reply.notes).toEqual(notes.map((note) => expect.stringMatching(note) as unknown));
  });
});
