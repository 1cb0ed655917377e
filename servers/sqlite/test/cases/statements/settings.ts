// Statements that no tool may run: several in one text, access to other files, changes of the schema table, changes of settings.
import type { Attack } from "./attack.ts";

export const SETTINGS: readonly Attack[] = [
  {
    id: "SQL-04",
    what: "several statements",
    sql: [
      "SELECT 1; DROP TABLE t",
      "INSERT INTO t(n) VALUES (1); DELETE FROM t",
      "SELECT 1;;DELETE FROM t",
      "SELECT 1; ; /* x */ DELETE FROM t -- y",
      "SELECT ';' ; DELETE FROM t",
      "SELECT 1 -- ;\n; DELETE FROM t",
      'SELECT "a;b" FROM t; DELETE FROM t',
      "SELECT `a` FROM t; DELETE FROM t",
      "SELECT [a;'] FROM t; DELETE FROM t",
      "SELECT 1 \u037e DELETE FROM t",
      "SELECT $a(') ; DELETE FROM t --')",
      "SELECT $a(;DELETE FROM t)",
      "SELECT 1 /* a /* b */ ; DELETE FROM t /* */",
      "SELECT x'00' ; DELETE FROM t",
      "CREATE TRIGGER a AFTER INSERT ON t BEGIN SELECT 1; END; DELETE FROM t",
      "CREATE TRIGGER a AFTER INSERT ON t BEGIN SELECT CASE 1 WHEN 1 THEN 2 END; END; DROP TABLE t",
      "EXPLAIN SELECT 1; DELETE FROM t",
    ],
  },
  {
    id: "SQL-07",
    what: "ATTACH",
    sql: [
      "ATTACH 'OUT/outside.db' AS o",
      "ATTACH DATABASE 'OUT/new.db' AS o",
      "ATTACH 'ROOT/new.db' AS o",
      "ATTACH ':memory:' AS o",
      "ATTACH '' AS o",
      "ATTACH 'file:OUT/new.db?mode=rwc' AS o",
      "ATTACH 'file:OUT/outside.db?immutable=1' AS o",
      "attach/**/database\f'OUT/new.db'\nAS o KEY 'k'",
      "\ufeffATTACH 'OUT/new.db' AS o",
      ";;ATTACH ('OUT' || '/new.db') AS o",
      "EXPLAIN ATTACH 'OUT/new.db' AS o",
      "EXPLAIN QUERY PLAN ATTACH 'OUT/new.db' AS o",
      "ATTACH (SELECT 'OUT/new.db') AS o",
      "ATTACH ? AS o",
      "DETACH main",
      "DETACH DATABASE temp",
      "SELECT secret FROM o.users",
      "SELECT sqlite_attach('OUT/new.db', 'o', NULL)",
      "SELECT sqlite_detach('main')",
      "WITH x AS (SELECT 1) ATTACH 'OUT/new.db' AS o",
    ],
  },
  {
    id: "SQL-08",
    what: "VACUUM INTO",
    sql: [
      "VACUUM INTO 'OUT/copy.db'",
      "VACUUM INTO 'ROOT/copy.db'",
      "VACUUM main INTO 'OUT/copy.db'",
      "VACUUM \"main\" INTO (SELECT 'OUT/copy.db')",
      "vacuum\ninto 'file:OUT/copy.db?mode=rwc'",
      "/* SELECT */ VACUUM /* */ INTO 'OUT/copy.db'",
      "\ufeff;VACUUM INTO 'OUT/copy.db'",
      "EXPLAIN VACUUM INTO 'OUT/copy.db'",
      "VACUUM INTO ?",
      "VACUUM",
      "VACUUM temp",
    ],
  },
  {
    id: "SQL-10",
    what: "changes of the schema table",
    sql: [
      "PRAGMA writable_schema = ON",
      "PRAGMA writable_schema(1)",
      "PRAGMA main.writable_schema = RESET",
      "SELECT * FROM pragma_writable_schema",
      "SELECT * FROM pragma_writable_schema(1)",
      "UPDATE sqlite_schema SET sql = 'x'",
      "UPDATE sqlite_master SET rootpage = 3 WHERE name = 't'",
      "UPDATE main.sqlite_schema SET name = name",
      'UPDATE "sqlite_master" SET name = name',
      "UPDATE OR IGNORE [sqlite_schema] SET name = name",
      "DELETE FROM sqlite_schema",
      "INSERT INTO sqlite_schema VALUES ('table', 'x', 'x', 0, 'CREATE TABLE x(a)')",
      "REPLACE INTO sqlite_master VALUES ('table', 'x', 'x', 0, 'CREATE TABLE x(a)')",
      "INSERT INTO sqlite_temp_schema VALUES ('table', 'x', 'x', 0, 'CREATE TABLE x(a)')",
      "WITH a AS (SELECT 1) DELETE FROM sqlite_master",
      "CREATE TABLE sqlite_x (a)",
      "ALTER TABLE t RENAME TO sqlite_x",
      "DROP TABLE sqlite_schema",
      "CREATE TRIGGER x AFTER INSERT ON t BEGIN UPDATE sqlite_schema SET name = name; END",
    ],
  },
  {
    id: "SQL-11",
    what: "safety pragmas",
    sql: [
      ...["query_only = 0", "query_only(0)", "trusted_schema = 1", "ignore_check_constraints = 1", "recursive_triggers = 1"],
      ...["cell_size_check = 0", "legacy_alter_table = 1", "legacy_file_format = 1", "defer_foreign_keys = 1", "foreign_keys = 0"],
      ...["reverse_unordered_selects = 1", "case_sensitive_like = 1", "automatic_index = 0", "count_changes = 1", "full_column_names = 1"],
      ...["main.query_only=OFF", '"query_only" = 0', "[query_only] = 0", "`query_only`=0", "'query_only' = 0", "no_such_pragma = 1"],
    ].flatMap((pragma) => [`PRAGMA ${pragma}`, `/**/pRaGmA\f${pragma}`]),
  },
  {
    id: "SQL-11",
    what: "safety pragmas after EXPLAIN, which applies them during preparation, and as table-valued functions",
    sql: [
      "EXPLAIN PRAGMA query_only = 0",
      "EXPLAIN QUERY PLAN PRAGMA query_only = 0",
      "EXPLAIN\nQUERY/**/PLAN PRAGMA main.trusted_schema(1)",
      "\ufeff;;EXPLAIN PRAGMA recursive_triggers = 1",
      "SELECT * FROM pragma_query_only(0)",
      "SELECT * FROM pragma_query_only",
      "SELECT * FROM pragma_trusted_schema WHERE arg = 1",
      "SELECT 1 FROM t JOIN pragma_foreign_keys(0)",
      'SELECT * FROM "PRAGMA_query_only"(0)',
      "SELECT (SELECT query_only FROM pragma_query_only(0))",
      "WITH a AS (SELECT * FROM pragma_query_only(0)) SELECT * FROM a",
      "VALUES ((SELECT 1 FROM pragma_ignore_check_constraints(1)))",
      "INSERT INTO t (n) SELECT query_only FROM pragma_query_only(0)",
      "CREATE TABLE x AS SELECT * FROM pragma_query_only(0)",
    ],
  },
  {
    id: "SQL-12",
    what: "unlisted pragmas in every form",
    sql: [
      ...["database_list", "module_list", "pragma_list", "optimize", "shrink_memory", "stats", "lock_status", "hard_heap_limit"],
      ...["soft_heap_limit", "threads", "analysis_limit", "busy_timeout", "cache_size", "cache_spill", "max_page_count", "auto_vacuum"],
      ...["incremental_vacuum", "data_store_directory", "page_size = 8192", "encoding = 'UTF-16'", "schema_version = 9"],
      ...["data_version = 1", "freelist_count = 1", "user_version(7)", "application_id(7)", "user_version = -1", "application_id = 0x1"],
    ].flatMap((pragma) => {
      const [name = "", value] = pragma.split(/ = |\(/);
      const argument = value === undefined ? "" : `(${value.replace(")", "")})`;
      return [...(/\(/.test(pragma) ? [] : [`PRAGMA ${pragma}`]), `SELECT * FROM pragma_${name}${argument}`].filter(
        (sql) =>
          !/^SELECT \* FROM pragma_(?:page_size|encoding|schema_version|data_version|freelist_count|user_version|application_id)$/.test(
            sql,
          ),
      );
    }),
  },
  {
    id: "SQL-13",
    what: "pragmas for durability and locks",
    sql: [
      ...["journal_mode = OFF", "journal_mode(delete)", "journal_mode = WAL", "main.journal_mode = MEMORY", "synchronous = OFF"],
      ...["locking_mode = EXCLUSIVE", "mmap_size = 1000000000", "temp_store_directory = 'OUT'", "temp_store = 2", "user_version = 7"],
      ...["wal_checkpoint(TRUNCATE)", "wal_checkpoint", "wal_autocheckpoint = 0", "journal_size_limit = 0", "secure_delete = 0"],
      ...["fullfsync = 0", "checkpoint_fullfsync = 0", "read_uncommitted = 1", "page_count = 1", "application_id = 7"],
    ].flatMap((pragma) => {
      const [, name = "", value = ""] = /^(?:main\.)?(\w+)(?: = |\()?([^)]*)/.exec(pragma) ?? [];
      return [`PRAGMA ${pragma}`, `EXPLAIN PRAGMA ${pragma}`, `SELECT * FROM pragma_${name}(${value === "" ? "1" : value})`];
    }),
  },
];
