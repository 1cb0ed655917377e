// Which of SQLite's own tables and functions statements may use.

/** Pragmas that only tell something about this one database; each is a table `pragma_<name>`. */
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

/** Modules of tables in the file, and of values (`json_each`). */
export const TABLE_MODULES: ReadonlySet<string> = new Set([
  "fts3",
  "fts4",
  "fts5",
  "fts5vocab",
  "geopoly",
  "json_each",
  "json_tree",
  "rtree",
  "rtree_i32",
]);

/** Functions that load code or tell addresses, by name and counts of arguments. */
export const DENIED_FUNCTIONS: readonly (readonly [name: string, counts: readonly number[]])[] = [
  ["load_extension", [1, 2, -1]],
  ["fts3_tokenizer", [1, 2, -1]],
  ["sqlite_log", [2, -1]],
];
