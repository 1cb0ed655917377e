// Five databases of different kinds with made-up rows, and the parts by which the queries name their tables and columns.

export interface GoldSchema {
  readonly sql: string;
  /** What the marks of a query stand for. */
  readonly parts: Readonly<Record<"rows" | "id" | "label" | "amount" | "day" | "kind" | "owner" | "owners" | "ownerName", string>>;
}

/** Numbers from 1 to a limit. */
const numbers = (limit: number): string => `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${limit})`;

export const SCHEMAS: Readonly<Record<string, GoldSchema>> = {
  shop: {
    sql: `CREATE TABLE customer (customer_id INTEGER PRIMARY KEY, full_name TEXT NOT NULL);
      CREATE TABLE sale (sale_id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customer, status TEXT, total REAL, sold_on TEXT, note TEXT);
      CREATE INDEX sale_by_day ON sale (sold_on);
      ${numbers(23)} INSERT INTO customer SELECT i, 'Customer ' || char(64 + i) FROM n;
      ${numbers(90)} INSERT INTO sale SELECT i, nullif(i % 24, 0), substr('paid open  void ', 1 + 6 * (i % 3), 4), round(i * 37 % 101 / 4.0, 2),
        date('2023-01-01', '+' || (i * 11 % 400) || ' days'), iif(i % 7 = 0, NULL, 'note ' || i) FROM n;`,
    parts: {
      rows: "sale",
      id: "sale_id",
      label: "note",
      amount: "total",
      day: "sold_on",
      kind: "status",
      owner: "customer_id",
      owners: "customer",
      ownerName: "full_name",
    },
  },
  school: {
    sql: `CREATE TABLE "class" ("class id" INTEGER PRIMARY KEY, "name" VARCHAR(20));
      CREATE TABLE "grades" ("grade id" INTEGER PRIMARY KEY, "class id" INT, "student" VARCHAR(40), "points" NUMERIC, "given at" DATETIME, "level" CHAR(1));
      ${numbers(9)} INSERT INTO "class" SELECT i, 'Größe ' || i FROM n;
      ${numbers(80)} INSERT INTO "grades" SELECT i, i % 10, iif(i % 9 = 0, NULL, 'Éva ' || i % 17), iif(i % 5 = 0, i / 2.0, i % 13),
        datetime('2024-02-29 23:00', '+' || i * 17 || ' hours'), char(65 + i % 4) FROM n;`,
    parts: {
      rows: '"grades"',
      id: '"grade id"',
      label: '"student"',
      amount: '"points"',
      day: '"given at"',
      kind: '"level"',
      owner: '"class id"',
      owners: '"class"',
      ownerName: '"name"',
    },
  },
  flights: {
    sql: `CREATE TABLE airline (code TEXT PRIMARY KEY, airline TEXT COLLATE NOCASE) WITHOUT ROWID;
      CREATE TABLE flight (number TEXT, code TEXT, miles INT, departs TEXT, class TEXT, memo BLOB, PRIMARY KEY (code, number)) WITHOUT ROWID;
      INSERT INTO airline VALUES ('LH', 'Lufthansa'), ('BA', 'british airways'), ('AF', 'Air France'), ('ZZ', NULL);
      ${numbers(70)} INSERT INTO flight SELECT printf('%03d', i * 7 % 100), substr('LHBAAFXX', 1 + 2 * (i % 4), 2), iif(i % 6 = 0, NULL, i * 97 % 1000),
        '2024-0' || (1 + i % 9) || '-1' || (i % 10), iif(i % 3, 'eco', 'first'), iif(i % 4, NULL, randomblob(0) || x'00ff') FROM n WHERE true ON CONFLICT DO NOTHING;`,
    parts: {
      rows: "flight",
      id: "number",
      label: "memo",
      amount: "miles",
      day: "departs",
      kind: "class",
      owner: "code",
      owners: "airline",
      ownerName: "airline",
    },
  },
  clinic: {
    sql: `CREATE TABLE patient (patient INTEGER PRIMARY KEY, name TEXT);
      CREATE TABLE measured (id INTEGER PRIMARY KEY AUTOINCREMENT, patient INTEGER, value, at INTEGER, unit TEXT, remark TEXT);
      CREATE INDEX measured_by_patient ON measured (patient, at DESC);
      ${numbers(12)} INSERT INTO patient SELECT i, 'P-' || i FROM n;
      ${numbers(75)} INSERT INTO measured (patient, value, at, unit, remark) SELECT i % 14, iif(i % 8 = 0, 'n/a', iif(i % 8 = 1, 9007199254740993 + i, i * 1.5)),
        1700000000 + i * 86400, iif(i % 2, 'mg', 'MG'), iif(i % 3, '', '{"a": ' || i || '}') FROM n;`,
    parts: {
      rows: "measured",
      id: "id",
      label: "remark",
      amount: "value",
      day: "at",
      kind: "unit",
      owner: "patient",
      owners: "patient",
      ownerName: "name",
    },
  },
  library: {
    sql: `CREATE TABLE author (id INTEGER PRIMARY KEY, author TEXT UNIQUE);
      CREATE TABLE book (id INTEGER PRIMARY KEY, id_author INTEGER, price DECIMAL(10, 2), printed DATE, genre TEXT DEFAULT 'novel', title TEXT);
      CREATE UNIQUE INDEX book_by_title ON book (genre, title);
      CREATE VIEW priced AS SELECT * FROM book WHERE price IS NOT NULL;
      ${numbers(15)} INSERT INTO author SELECT i, 'Author ' || (i * 7 % 16) FROM n;
      ${numbers(85)} INSERT INTO book SELECT i * 3, 1 + i % 16, iif(i % 11 = 0, NULL, i % 20 + 0.99), date('1990-12-31', i * 61 || ' days'),
        iif(i % 5 = 0, NULL, substr('novelpoemsdrama', 1 + 5 * (i % 3), 5)), 'Title ' || (i * 31 % 89) FROM n;`,
    parts: {
      rows: "priced",
      id: "id",
      label: "title",
      amount: "price",
      day: "printed",
      kind: "genre",
      owner: "id_author",
      owners: "(SELECT id AS id_author, author FROM author)",
      ownerName: "author",
    },
  },
};
