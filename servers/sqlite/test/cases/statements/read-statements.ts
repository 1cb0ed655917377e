// Statements that look unusual and only read: read_query must run them.
import type { Attack } from "./attack.ts";

export const READING: readonly Attack[] = [
  {
    id: "SQL-03",
    what: "a WITH that only reads",
    sql: [
      "WITH s AS (SELECT n FROM t) SELECT * FROM s",
      "WITH RECURSIVE s(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM s WHERE x < 5) SELECT * FROM s",
      "WITH a AS NOT MATERIALIZED (SELECT ')'), b(\"(\") AS (VALUES ('((')) SELECT * FROM a, b",
      'WITH "DELETE" AS (SELECT 1) SELECT * FROM "DELETE"',
    ],
  },
  {
    id: "SQL-04",
    what: "a statement between blanks, comments and semicolons",
    sql: [
      "SELECT 1;;",
      "SELECT 1; -- x",
      "SELECT 1 ; /* x */ ;",
      ";;SELECT 1",
      "\ufeffSELECT 1",
      "/* a */ SELECT /* ; */ 1 -- ;",
      "SELECT 1 /* unclosed",
    ],
  },
  {
    id: "SQL-12",
    what: "pragmas that only read, as statements and as table-valued functions",
    sql: [
      "PRAGMA table_info(t)",
      "PRAGMA table_info('t')",
      'PRAGMA main.table_xinfo("t");',
      "pragma/**/index_list ( t )",
      "PRAGMA user_version",
      "PRAGMA foreign_key_list(counted)",
      "PRAGMA integrity_check",
      "SELECT * FROM pragma_table_info('t')",
      "SELECT m.name, i.name FROM sqlite_schema AS m, pragma_table_info(m.name) AS i WHERE m.type = 'table'",
      "SELECT * FROM pragma_user_version",
      "SELECT * FROM pragma_index_info('t_n')",
      "SELECT * FROM pragma_table_list",
      "SELECT * FROM pragma_quick_check",
    ],
  },
  {
    id: "SQL-02",
    what: "keywords of changes in statements that only read",
    sql: [
      "SELECT 'DELETE FROM t; DROP TABLE t'",
      'SELECT name AS "DROP" FROM t',
      "SELECT replace(name, 'o', '0') FROM t",
      "SELECT 1 AS [insert]",
      "VALUES (1, 'UPDATE'), (2, 'DELETE')",
      "SELECT * FROM texts WHERE texts MATCH 'hello'",
      "SELECT snippet(texts, 0, '<', '>', '…', 5), rank FROM texts('world')",
      "SELECT id FROM places WHERE low < 5",
      "SELECT value FROM json_each('[1, 2]')",
      "SELECT row_number() OVER (ORDER BY n DESC), sum(n) OVER () FROM t",
      "SELECT * FROM t WHERE name LIKE '%o%' UNION SELECT * FROM t ORDER BY 1 LIMIT 2",
      "SELECT group_concat(name, ';') FROM t GROUP BY n > 10",
      "EXPLAIN QUERY PLAN SELECT * FROM t WHERE n = 10",
      "SELECT name FROM sqlite_schema ORDER BY name",
      "SELECT * FROM names",
    ],
  },
];
