// What statements may do, decided by their compiled programs, and what is said about those that may not.
import { describe, expect, test } from "vitest";
import { openConnection } from "../../../src/db/engine/connection.ts";
import { DENIED_FUNCTIONS, DENIED_TABLES, READABLE_MODULES, READING_PRAGMAS } from "../../../src/db/policy/allowed-features.ts";
import { change, openEngine } from "../../support/engine.ts";

const SCHEMA = `
  CREATE TABLE t (id INTEGER PRIMARY KEY, n); INSERT INTO t VALUES (1, 1), (2, 2);
  CREATE TABLE counted (id INTEGER PRIMARY KEY AUTOINCREMENT); INSERT INTO counted VALUES (1);
  CREATE TABLE keyed (k PRIMARY KEY, n) WITHOUT ROWID; CREATE INDEX t_n ON t (n);
  CREATE VIEW v AS SELECT * FROM t; CREATE TRIGGER v_insert INSTEAD OF INSERT ON v BEGIN INSERT INTO t (n) VALUES (new.n); END;
  CREATE VIRTUAL TABLE texts USING fts5(body); CREATE VIRTUAL TABLE boxes USING rtree(id, low, high);
  CREATE VIRTUAL TABLE older USING fts4(body); CREATE VIRTUAL TABLE oldest USING fts3(body);
`;

describe("reading", () => {
  test.each([
    ["SELECT 1", [[1]]],
    ["VALUES (1), (2)", [[1], [2]]],
    ["WITH x AS (SELECT 3) SELECT * FROM x", [[3]]],
    ["PRAGMA user_version", [[0]]],
    ["PRAGMA main.page_size", [[4096]]],
    ["SELECT max(n) FROM t", [[2]]],
    ["SELECT value FROM json_each('[5]')", [[5]]],
    ["SELECT key FROM json_tree('{\"a\":1}') WHERE key IS NOT NULL", [["a"]]],
    ["SELECT group_concat(n, '-') OVER (ORDER BY n) FROM t", [["1"], ["1-2"]]],
  ])("accepts %s", async (sql, rows) => {
    await using opened = await openEngine(SCHEMA, { write: false });
    const allowed = opened.engine.allowed(sql, "read");
    expect(allowed.prepared.all()).toEqual(rows);
    expect([allowed.rowid, allowed.targetType, allowed.readsConnectionState, allowed.usesBigInts]).toEqual(["no", undefined, false, false]);
    expect(JSON.parse(allowed.columnsJson)).toEqual(allowed.columns);
  });

  test.each([
    ["DELETE FROM t", "read_query only reads: this is DELETE."],
    ["INSERT INTO t VALUES (3, 3) RETURNING id", "read_query only reads: this is INSERT."],
    ["EXPLAIN DELETE FROM t", "read_query only reads: this is DELETE. Use explain_query for its plan."],
    [
      "EXPLAIN SELECT * FROM texts",
      "EXPLAIN is not allowed here: the program contains memory addresses. Use EXPLAIN QUERY PLAN or explain_query.",
    ],
    ["PRAGMA journal_mode", "PRAGMA journal_mode is not allowed"],
    ["PRAGMA user_version = 5", "PRAGMA user_version is not allowed"],
    ["PRAGMA table_info(t, u)", "PRAGMA table_info is not allowed"],
    ["EXPLAIN PRAGMA user_version", "PRAGMA user_version is not allowed"],
  ])("refuses %s", async (sql, message) => {
    await using opened = await openEngine(SCHEMA, { write: false });
    expect(() => opened.engine.allowed(sql, "read")).toThrow(message);
  });

  test("accepts EXPLAIN of a table and EXPLAIN QUERY PLAN of a virtual table", async () => {
    await using opened = await openEngine(SCHEMA, { write: false });
    for (const sql of ["EXPLAIN SELECT * FROM t", "EXPLAIN QUERY PLAN SELECT * FROM texts"])
      expect(opened.engine.allowed(sql, "read").prepared.all().length).toBeGreaterThan(0);
  });

  test.each([
    ["SELECT last_insert_rowid()", true],
    ["SELECT 1, changes()", true],
    ["SELECT total_changes()", true],
    ["SELECT max(1, 2)", false],
  ])("finds that %s reads the state of the connection: %s", async (sql, expected) => {
    await using opened = await openEngine(SCHEMA, { write: false });
    expect(opened.engine.allowed(sql, "read").readsConnectionState).toBe(expected);
  });
});

describe("an allowed statement", () => {
  test.each([
    ["SELECT count(*) FROM t", true],
    ["SELECT max(n) FROM t GROUP BY id", true],
    ["SELECT total(n) OVER () FROM t", true],
    ["SELECT n FROM t WHERE id > 0 ORDER BY n", false],
    ["SELECT 1", false],
    ["SELECT max(id, n) FROM t", false],
  ])("%s combines rows: %s", async (sql, expected) => {
    await using opened = await openEngine(SCHEMA, { write: false });
    expect(opened.engine.allowed(sql, "read").combinesRows).toBe(expected);
  });

  test.each([
    ["INSERT INTO t VALUES (9, 9)", "table", "yes"],
    ["INSERT INTO t VALUES (9, 9) ON CONFLICT DO NOTHING", "table", "yes"],
    ["INSERT INTO t VALUES (9, 9) ON CONFLICT (id) DO UPDATE SET n = 1", "table", "perhaps"],
    ["INSERT INTO keyed VALUES (9, 9)", "table", "no"],
    ["INSERT INTO v VALUES (9, 9)", "view", "no"],
    ["INSERT INTO texts VALUES ('x')", "virtual", "unless-zero"],
    ["UPDATE v SET n = 1", "view", "no"],
    ["UPDATE OR IGNORE main.t SET n = 1", "table", "no"],
    ["DELETE FROM boxes", "virtual", "no"],
    ["CREATE TABLE x (a)", undefined, "no"],
  ])("%s changes a %s, and sets the row id: %s", async (sql, targetType, rowid) => {
    await using opened = await openEngine(`${SCHEMA} CREATE TRIGGER v_update INSTEAD OF UPDATE ON v BEGIN SELECT 1; END;`);
    const allowed = opened.engine.allowed(sql, "write");
    expect(allowed).toMatchObject({ targetType, rowid, usesBigInts: true, combinesRows: false, columns: [], columnsJson: "[]" });
  });

  test("returns exact integers of a change", async () => {
    await using opened = await openEngine(SCHEMA);
    const { prepared, columns } = opened.engine.allowed("INSERT INTO t VALUES (9, 9007199254740993) RETURNING n, 1", "write");
    expect(columns).toEqual([
      { name: "n", declaredType: null },
      { name: "1", declaredType: null },
    ]);
    expect(prepared.all()).toEqual([[9007199254740993n, 1n]]);
  });
});

describe("features of SQLite", () => {
  test("allow each listed pragma to read, as a table and as a statement", async () => {
    await using opened = await openEngine(SCHEMA, { write: false });
    expect(READING_PRAGMAS.size).toBe(21);
    const noArguments = /^(?:foreign_key_list|index_info|index_xinfo|index_list|table_info|table_xinfo)$/;
    for (const name of READING_PRAGMAS) {
      const argument = noArguments.test(name) ? `(${name.startsWith("index_x") || name === "index_info" ? "'t_n'" : "'t'"})` : "";
      expect(() => opened.engine.allowed(`SELECT * FROM pragma_${name}${argument}`, "read").prepared.all(), name).not.toThrow();
    }
  });

  test.each([
    "journal_mode",
    "query_only",
    "database_list",
    "writable_schema",
    "module_list",
    "pragma_list",
    "temp_store_directory",
    "trusted_schema",
  ])("deny the table pragma_%s", async (name) => {
    await using opened = await openEngine(SCHEMA, { write: false });
    expect(() => opened.engine.allowed(`SELECT * FROM pragma_${name}`, "read").prepared.all()).toThrow(
      `The table pragma_${name} is not allowed: it reads more than this database.`,
    );
  });

  test("deny tables that show more than the database", async () => {
    await using opened = await openEngine(SCHEMA, { write: false });
    expect(DENIED_TABLES).toHaveLength(8);
    for (const name of [...DENIED_TABLES, "dbstat"])
      expect(() => opened.engine.allowed(`SELECT * FROM ${name}`, "read").prepared.all(), name).toThrow(`The table ${name} is not allowed`);
  });

  test("deny functions that load code or reveal addresses", async () => {
    await using opened = await openEngine(SCHEMA, { write: false });
    expect(DENIED_FUNCTIONS.map(([name]) => name)).toEqual(["load_extension", "fts3_tokenizer", "sqlite_log"]);
    for (const call of [
      "load_extension('x')",
      "load_extension('x', 'y')",
      "fts3_tokenizer('simple')",
      "fts3_tokenizer('x', x'00')",
      "sqlite_log(1, 'x')",
    ])
      expect(() => opened.engine.allowed(`SELECT ${call}`, "read").prepared.all(), call).toThrow("is not allowed: it loads code");
  });

  test.each([...READABLE_MODULES].filter((name) => !name.startsWith("json_") && name !== "fts5vocab"))(
    "allow to create a table of the module %s",
    async (module) => {
      await using opened = await openEngine(SCHEMA);
      const columns = module === "geopoly" ? "a" : "a, b, c";
      const sql = `CREATE VIRTUAL TABLE created USING ${module}(${columns})`;
      try {
        expect(change(opened, sql)).toMatchObject({ verb: "CREATE", rolledBack: false });
      } catch (error) {
        expect(String(error)).toContain(`no such module: ${module}`);
      }
    },
  );

  test("allow to create and read the vocabulary of a full-text table", async () => {
    await using opened = await openEngine(SCHEMA);
    change(opened, "CREATE VIRTUAL TABLE vocabulary USING fts5vocab(texts, row)");
    expect(opened.engine.allowed("SELECT term FROM vocabulary", "read").prepared.all()).toEqual([]);
  });

  test("deny a reading connection to write and to create a missing file", async () => {
    await using opened = await openEngine(SCHEMA, { write: false });
    expect(() => opened.engine.db.exec("DELETE FROM t")).toThrow("readonly");
    expect(() => openConnection({ file: `${opened.file}x`, label: "shop", write: true })).toThrow("shop does not exist");
  });
});

describe("changes", () => {
  const refused: [string, string][] = [
    [
      "PRAGMA user_version = 1",
      "PRAGMA is not allowed: settings are the operator's. Pragmas that read are tables: SELECT * FROM pragma_table_info('t').",
    ],
    ["SELECT 1", "write_query changes data: this statement only reads. Use read_query or explain_query."],
    ["EXPLAIN DELETE FROM t", "write_query changes data: this statement only reads. Use read_query or explain_query."],
    ["CREATE TEMP TABLE x (a)", "Temporary objects are not allowed: nothing outlasts its call. Create an ordinary table instead."],
    ["CREATE TEMPORARY VIEW x AS SELECT 1", "Temporary objects are not allowed"],
    ["CREATE TABLE temp.x (a)", "Temporary objects are not allowed"],
    [
      "CREATE VIRTUAL TABLE x USING csv(filename='y')",
      "Invalid virtual table: expected one of the modules fts5, fts4, fts3, rtree, rtree_i32, geopoly, fts5vocab.",
    ],
    ["CREATE VIRTUAL TABLE x", "Invalid virtual table"],
    ["CREATE VIRTUAL TABLE x USING json_each", "Invalid virtual table"],
    ["DELETE FROM sqlite_sequence", "sqlite_sequence belongs to SQLite itself and cannot be changed by statements."],
    ["DELETE FROM main.sqlite_sequence", "sqlite_sequence belongs to SQLite itself"],
    ["UPDATE sqlite_sequence SET seq = 0", "sqlite_sequence belongs to SQLite itself"],
    ["UPDATE OR IGNORE Sqlite_Sequence SET seq = 0", "Sqlite_Sequence belongs to SQLite itself"],
    ["INSERT INTO sqlite_sequence VALUES ('t', 1)", "sqlite_sequence belongs to SQLite itself"],
    ["REPLACE INTO 'sqlite_sequence' VALUES ('t', 1)", "sqlite_sequence belongs to SQLite itself"],
    ["DROP TABLE sqlite_sequence", "sqlite_sequence belongs to SQLite itself"],
    ["DROP TABLE IF EXISTS sqlite_sequence", "sqlite_sequence belongs to SQLite itself"],
    ["ALTER TABLE sqlite_sequence RENAME TO x", "sqlite_sequence belongs to SQLite itself"],
    ["CREATE INDEX x ON sqlite_sequence (name)", "sqlite_sequence belongs to SQLite itself"],
    ["CREATE TRIGGER x AFTER INSERT ON t BEGIN DELETE FROM sqlite_sequence; END", "sqlite_sequence belongs to SQLite itself"],
    ["CREATE TRIGGER x AFTER INSERT ON t BEGIN UPDATE sqlite_sequence SET seq = 0; END", "sqlite_sequence belongs to SQLite itself"],
    ["DELETE FROM texts_data", "texts_data belongs to a virtual table and cannot be used directly. Change the virtual table instead."],
    ["INSERT INTO t SELECT id, block FROM TEXTS_DATA", "TEXTS_DATA belongs to a virtual table"],
    ["UPDATE 'boxes_node' SET data = 1", "boxes_node belongs to a virtual table"],
    ["DROP TABLE older_segdir", "older_segdir belongs to a virtual table"],
    ["DELETE FROM oldest_content", "oldest_content belongs to a virtual table"],
    ["VACUUM", "VACUUM is not allowed"],
    ["ATTACH 'x' AS y", "ATTACH is not allowed: other databases are not opened."],
    ["SAVEPOINT x", "SAVEPOINT is not allowed: a transaction ends with its call."],
    ["INSERT INTO t (n) SELECT load_extension('x')", "load_extension is not allowed"],
  ];
  test.each(refused)("refuses %s", async (sql, message) => {
    await using opened = await openEngine(SCHEMA);
    expect(() => change(opened, sql, { maxChanges: null, allowDrop: true })).toThrow(message);
  });

  const accepted: string[] = [
    "INSERT INTO t (n) VALUES ('sqlite_sequence')",
    "INSERT INTO t (n) VALUES ('texts_data')",
    "DELETE FROM t WHERE id = 0 OR NOT sqlite_version()",
    "INSERT INTO t (n) SELECT seq FROM sqlite_sequence",
    "INSERT INTO t (n) SELECT count(*) FROM t JOIN sqlite_schema ON sqlite_schema.name = 't'",
    "UPDATE t SET n = (SELECT max(rootpage) FROM sqlite_schema)",
    "DELETE FROM t WHERE id IN (SELECT rootpage FROM sqlite_schema)",
    "CREATE TABLE x (a, b AS (a * 2) STORED)",
    "CREATE TABLE IF NOT EXISTS t (a)",
    "CREATE TABLE x AS SELECT * FROM t",
    "CREATE UNIQUE INDEX x ON t (n)",
    "CREATE VIEW x AS SELECT * FROM sqlite_schema",
    "CREATE TRIGGER x AFTER INSERT ON t BEGIN UPDATE t SET n = 1; SELECT 2; END",
    "ALTER TABLE t ADD COLUMN x",
    "ALTER TABLE t RENAME TO x",
    "ALTER TABLE counted RENAME COLUMN id TO x",
    "DROP INDEX t_n",
    "DROP VIEW v",
    "ANALYZE",
    "REINDEX t",
    "INSERT INTO texts (texts) VALUES ('optimize')",
    "CREATE VIRTUAL TABLE x USING 'fts5'(a)",
  ];
  test.each(accepted)("runs %s", async (sql) => {
    await using opened = await openEngine(SCHEMA);
    expect(change(opened, sql, { maxChanges: null, allowDrop: true })).toMatchObject({ rolledBack: false });
  });

  test.each([
    ["INSERT INTO t (n) VALUES (5)", 3],
    ["REPLACE INTO t (id, n) VALUES (2, 5)", 2],
    ["INSERT INTO t VALUES (1, 9) ON CONFLICT (id) DO UPDATE SET n = 9", null],
    ["INSERT INTO t VALUES (8, 9) ON CONFLICT (id) DO UPDATE SET n = 9", 8],
    ["INSERT INTO texts (body) VALUES ('x')", 1],
    ["INSERT INTO texts (texts) VALUES ('optimize')", null],
    ["INSERT INTO keyed VALUES (1, 1)", null],
    ["INSERT INTO v VALUES (1, 2)", null],
    ["INSERT OR IGNORE INTO t VALUES (1, 5)", null],
    ["UPDATE t SET n = 5", null],
    ["INSERT INTO main.counted DEFAULT VALUES", 2],
    ["INSERT INTO counted VALUES (9223372036854775806) RETURNING id", "9223372036854775806"],
  ])("finds for %s the row id %s", async (sql, lastInsertRowid) => {
    await using opened = await openEngine(SCHEMA);
    expect(change(opened, sql, { maxChanges: null })).toMatchObject({ lastInsertRowid });
  });
});
