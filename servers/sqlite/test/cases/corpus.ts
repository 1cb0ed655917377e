// Databases of an attacker, with schemas that SQLite's own statements refuse to create.
import { dirname, join } from "node:path";
import Database from "better-sqlite3";

/** The recipe of one file. */
export interface Hostile {
  readonly name: string;
  /** Ordinary statements. */
  readonly sql: string;
  /** New SQL for entries of the schema, written past every check. */
  readonly replaces?: Readonly<Record<string, string>>;
  /** New entries of the schema. */
  readonly adds?: readonly (readonly [type: string, name: string, sql: string])[];
  /** Statements that damage shadow tables. */
  readonly breaks?: string;
  /** Tables and views that the tests use. */
  readonly objects: readonly string[];
}

const REAL = "CREATE TABLE real (a, b); INSERT INTO real VALUES (1, 2);";

export const HOSTILE: readonly Hostile[] = [
  {
    name: "views",
    objects: ["real", "users", "tokens", "settings", "pages", "stats", "giant", "files"],
    sql: `${REAL}
      CREATE VIEW users AS SELECT load_extension('MARK') AS name;
      CREATE VIEW tokens AS SELECT hex(fts3_tokenizer('simple')) AS name;
      CREATE VIEW settings AS SELECT * FROM pragma_query_only(0), pragma_trusted_schema(1);
      CREATE VIEW pages AS SELECT * FROM sqlite_dbpage;
      CREATE VIEW stats AS SELECT * FROM dbstat;
      CREATE VIEW giant AS SELECT hex(zeroblob(900000000)) AS z;
      CREATE VIEW files AS SELECT readfile('OUT/secret.txt') AS content;`,
  },
  {
    name: "triggers",
    objects: ["real", "logged", "shown"],
    sql: `${REAL}
      CREATE TABLE logged (a); CREATE VIEW shown AS SELECT a FROM logged;
      CREATE TRIGGER one AFTER INSERT ON real BEGIN INSERT INTO logged VALUES (load_extension('MARK')); END;
      CREATE TRIGGER two AFTER UPDATE ON real BEGIN INSERT INTO logged SELECT query_only FROM pragma_query_only; END;
      CREATE TRIGGER three AFTER DELETE ON real BEGIN UPDATE sqlite_schema SET sql = 'x'; END;
      CREATE TRIGGER four BEFORE INSERT ON logged BEGIN SELECT fts3_tokenizer('simple'); END;
      CREATE TRIGGER five INSTEAD OF INSERT ON shown BEGIN SELECT writefile('MARK', new.a); END;`,
  },
  {
    name: "checks",
    objects: ["real", "checked"],
    sql: `${REAL} CREATE TABLE checked (a); INSERT INTO checked VALUES (1);`,
    replaces: { checked: "CREATE TABLE checked (a CHECK (load_extension('MARK') IS NULL), b DEFAULT (load_extension('MARK')))" },
  },
  {
    name: "generated",
    objects: ["real", "computed"],
    sql: `${REAL} CREATE TABLE computed (a); INSERT INTO computed VALUES (1);`,
    replaces: { computed: "CREATE TABLE computed (a, b AS (load_extension('MARK')), c AS (hex(fts3_tokenizer('simple'))))" },
  },
  {
    name: "indexes",
    objects: ["real", "sorted"],
    sql: `${REAL} CREATE TABLE sorted (a); CREATE INDEX by_a ON sorted (abs(a)); INSERT INTO sorted VALUES (1);`,
    replaces: { by_a: "CREATE INDEX by_a ON sorted (load_extension(a)) WHERE fts3_tokenizer(a)" },
  },
  {
    name: "modules",
    objects: ["real", "paged", "counted", "other", "mine"],
    sql: REAL,
    adds: [
      ["table", "paged", "CREATE VIRTUAL TABLE paged USING sqlite_dbpage()"],
      ["table", "counted", "CREATE VIRTUAL TABLE counted USING dbstat(main)"],
      ["table", "other", "CREATE VIRTUAL TABLE other USING csv(filename='OUT/secret.txt')"],
      ["table", "mine", "CREATE VIRTUAL TABLE mine USING fts3(a, tokenize=mine)"],
    ],
  },
  {
    name: "cycles",
    objects: ["real", "itself", "first", "second", "endless"],
    sql: `${REAL} CREATE VIEW itself AS SELECT 1; CREATE VIEW first AS SELECT 1; CREATE VIEW second AS SELECT * FROM first;
      CREATE VIEW endless AS WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c) SELECT count(*) AS n FROM c;`,
    replaces: { itself: "CREATE VIEW itself AS SELECT * FROM itself", first: "CREATE VIEW first AS SELECT * FROM second" },
  },
  {
    name: "damaged",
    objects: ["real", "texts", "older", "places"],
    sql: `${REAL} CREATE VIRTUAL TABLE texts USING fts5(body); INSERT INTO texts VALUES ('hello world');
      CREATE VIRTUAL TABLE older USING fts4(body); INSERT INTO older VALUES ('hello world');
      CREATE VIRTUAL TABLE places USING rtree(id, low, high); INSERT INTO places VALUES (1, 2, 3);`,
    breaks: `UPDATE texts_data SET block = x'ffffffffffffffff'; UPDATE texts_docsize SET sz = x'ff'; DELETE FROM texts_content;
      UPDATE older_segdir SET root = x'ffffffffffff'; UPDATE places_node SET data = x'00ff00ff0000'; DROP TABLE places_parent;`,
  },
  {
    name: "names",
    objects: ["real", 'we"ird\nname', "__proto__", "constructor", "'; DROP TABLE real; --", "[x]", "sp ace", "ünïcode", "select"],
    sql: `${REAL} CREATE TABLE "we""ird\nname" ("col ""x""" TEXT, "c\n2", __proto__, constructor);
      CREATE TABLE __proto__ (__proto__); CREATE TABLE constructor (a, [toString]); CREATE TABLE "'; DROP TABLE real; --" (a);
      CREATE TABLE "[x]" ("]" INT); CREATE TABLE "sp ace" (" "); CREATE TABLE "ünïcode" ("é"); CREATE TABLE "select" ("from");
      INSERT INTO "we""ird\nname" VALUES (1, 2, 3, 4); INSERT INTO __proto__ VALUES (1);`,
  },
  {
    name: "catalogue",
    objects: ["real", "pragma_table_list", "pragma_module_list"],
    sql: `${REAL} CREATE TABLE pragma_module_list (name); CREATE TABLE pragma_pragma_list (name); CREATE TABLE pragma_table_xinfo (name, hidden);
      CREATE TABLE pragma_function_list (name); CREATE TABLE pragma_index_list (name); CREATE TABLE pragma_foreign_key_list (id);
      CREATE TABLE pragma_index_xinfo (name); CREATE TABLE pragma_database_list_ (name); CREATE TABLE json_each (value);
      CREATE VIEW pragma_table_list AS SELECT 'main' AS schema, 'faked' AS name, 'table' AS type, 1 AS ncol, 0 AS wr, 0 AS strict;`,
  },
];

export function makeHostile(file: string, { sql, replaces = {}, adds = [], breaks }: Hostile, out: string): void {
  const db = new Database(file);
  try {
    const withPath = (text: string): string => text.replaceAll("OUT", out).replaceAll("MARK", join(dirname(out), "MARK"));
    db.unsafeMode(true);
    db.exec(withPath(sql));
    db.pragma("writable_schema = ON");
    for (const [name, text] of Object.entries(replaces))
      db.prepare("UPDATE sqlite_schema SET sql = ? WHERE name = ?").run(withPath(text), name);
    for (const [type, name, text] of adds)
      db.prepare("INSERT INTO sqlite_schema VALUES (?, ?, ?, 0, ?)").run(type, name, name, withPath(text));
    if (breaks !== undefined) db.exec(breaks);
  } finally {
    db.close();
  }
}
