// Which of SQLite's own pragmas, tables and functions statements may use. Everything else is taken away (engine/connection.ts).

/** Pragmas that only read this one database; each is also a table `pragma_<name>`. */
export const READING_PRAGMAS: ReadonlySet<string> = new Set([
  "application_id",
  "collation_list",
  "compile_options",
  "data_version",
  "encoding",
  "foreign_key_check",
  "foreign_key_list",
  "freelist_count",
  "function_list",
  "index_info",
  "index_list",
  "index_xinfo",
  "integrity_check",
  "page_count",
  "page_size",
  "quick_check",
  "schema_version",
  "table_info",
  "table_list",
  "table_xinfo",
  "user_version",
]);

/** Modules of virtual tables that keep all their data in the same file, behind tables that defensive mode protects. */
export const STORED_MODULES: ReadonlySet<string> = new Set(["fts5", "fts4", "fts3", "rtree", "rtree_i32", "geopoly", "fts5vocab"]);

/** Modules that statements may read: the stored ones, and those that make rows of values. */
export const READABLE_MODULES: ReadonlySet<string> = new Set([...STORED_MODULES, "json_each", "json_tree"]);

/** Tables that show raw pages, memory or other files, whether this build of SQLite has them or not. */
export const DENIED_TABLES: readonly string[] = [
  "sqlite_dbpage",
  "sqlite_stmt",
  "bytecode",
  "tables_used",
  "sqlite_memstat",
  "csv",
  "fsdir",
  "zipfile",
];

/** Functions that load code or reveal addresses, with the counts of their arguments. */
export const DENIED_FUNCTIONS: readonly (readonly [name: string, argumentCounts: readonly number[]])[] = [
  ["load_extension", [1, 2, -1]],
  ["fts3_tokenizer", [1, 2, -1]],
  ["sqlite_log", [2, -1]],
];
