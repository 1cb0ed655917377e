// What other databases have and SQLite has not, with what to write instead.

/** Functions of other databases, by what to write instead. */
export const FUNCTIONS: readonly (readonly [names: readonly string[], instead: string])[] = [
  [["now", "getdate", "sysdate", "sysdatetime", "current_datetime", "localtimestamp"], "datetime('now'), which is UTC"],
  [["curdate", "today"], "date('now')"],
  [["curtime"], "time('now')"],
  [["date_trunc"], "strftime, such as strftime('%Y-%m-01', day) for the month"],
  [
    ["date_format", "to_char", "format_date", "from_unixtime", "to_timestamp", "dateformat"],
    "strftime('%Y-%m-%d', value), or datetime(seconds, 'unixepoch')",
  ],
  [["to_date", "str_to_date", "parse_date", "strptime"], "date(text) for YYYY-MM-DD, or substr and || for other forms"],
  [["datediff", "date_diff", "timestampdiff", "age", "months_between"], "julianday(later) - julianday(earlier) for days"],
  [["date_add", "dateadd", "date_sub", "adddate", "add_months", "timestampadd"], "date(day, '+1 month')"],
  [
    ["year", "month", "day", "hour", "minute", "second", "dayofweek", "weekday", "week", "quarter", "date_part", "datepart", "datename"],
    "strftime with %Y, %m, %d, %H, %M, %S, %w or %W; CAST it AS INTEGER for a number",
  ],
  [["left"], "substr(text, 1, n)"],
  [["right"], "substr(text, -n)"],
  [["len", "char_length", "character_length"], "length(text)"],
  [["isnull", "nvl"], "ifnull(value, other)"],
  [["charindex", "strpos", "position", "locate"], "instr(text, part)"],
  [["split_part", "substring_index"], "substr with instr"],
  [["lpad", "rpad"], "printf('%05d', n) or printf('%-10s', text)"],
  [
    ["regexp", "regexp_like", "regexp_replace", "regexp_matches", "regexp_substr", "rlike"],
    "GLOB or LIKE; there are no regular expressions",
  ],
  [["array_agg", "json_agg", "jsonb_agg"], "json_group_array(value)"],
  [["json_object_agg", "jsonb_object_agg"], "json_group_object(key, value)"],
  [["listagg"], "group_concat(value, ', ')"],
  [
    ["stddev", "stdev", "stddev_pop", "stddev_samp", "variance", "var_pop", "var_samp"],
    "avg(x * x) - avg(x) * avg(x) for the variance, and sqrt of it",
  ],
  [["median", "percentile_cont", "quantile"], "ORDER BY with LIMIT 1 OFFSET (count / 2)"],
  [["rand", "newid", "gen_random_uuid", "uuid"], "random(), or hex(randomblob(16)) for an id"],
  [["greatest"], "max(a, b)"],
  [["least"], "min(a, b)"],
  [["to_number", "convert"], "CAST(value AS type)"],
  [["unix_timestamp", "epoch"], "unixepoch(day)"],
  [["last_day", "eomonth"], "date(day, 'start of month', '+1 month', '-1 day')"],
  [["decode"], "CASE value WHEN 1 THEN 'a' ELSE 'b' END"],
  [["field", "find_in_set"], "CASE value WHEN 'a' THEN 1 WHEN 'b' THEN 2 END, or instr(',' || list || ',', ',a,')"],
  [["arg_max", "argmax", "max_by", "first", "any_value"], "SELECT other, max(value): a bare column is that of the row with the maximum"],
  [["string_to_array", "unnest", "string_split"], "json_each(array) after FROM, for an array written as JSON"],
  [["stuff"], "substr with || around the new part"],
  [["to_json", "row_to_json"], "json_object('name', value)"],
  [["ucase"], "upper(text)"],
  [["lcase"], "lower(text)"],
  [["initcap"], "upper(substr(text, 1, 1)) || substr(text, 2)"],
  [["generate_series"], "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10)"],
];

/** Tables of other databases. */
export const TABLES: readonly (readonly [name: RegExp, instead: string])[] = [
  [/^dual$/i, "Leave FROM DUAL out: SELECT needs no table."],
  [/^(?:information_schema|pg_catalog|sys)\.|^(?:pg_\w+|sysobjects|(?:all|user)_tables)$/i, "Use list_tables and describe_table."],
  [/^(?:generate_series|range)$/i, "Write WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10)."],
  [/^(?:read_csv(?:_auto)?|read_parquet|read_json(?:_auto)?)$/i, "A statement reads no files: import_csv does (--toolsets files)."],
  [/^unnest$/i, "Use json_each(array), for an array written as JSON."],
];

/** Columns that other databases have without a table. */
export const COLUMNS: readonly (readonly [name: RegExp, instead: string])[] = [
  [/^rownum$/i, "There is no ROWNUM: use LIMIT n at the end, or row_number() OVER ()."],
  [/^(?:sysdate|systimestamp|localtimestamp|current_datetime)$/i, "Use datetime('now'), which is UTC."],
  [/^interval$/i, "There is no INTERVAL: use date(day, '+7 days')."],
  [/^N$/, "Leave out an N before a text: N'a' is 'a'."],
  [/\.(?:nextval|currval)$/i, "There are no sequences: an INTEGER PRIMARY KEY numbers rows by itself."],
];

/** What other databases take as a word in the brackets of a function: a unit of time, a type. */
export const WORD_ARGUMENT = /^(?:year|quarter|month|week|day|hour|minute|second)s?$|^n?varchar$|^int(?:eger)?$|^date(?:time)?$/i;

/** What is wrong in a statement that SQLite does not understand, by its tokens with blanks between them: words in capitals, '' for texts. */
export const SYNTAX: readonly (readonly [pattern: RegExp, instead: string])[] = [
  [/ ILIKE /, "There is no ILIKE: LIKE ignores the case of ASCII letters."],
  [/ SIMILAR TO /, "There is no SIMILAR TO: use GLOB or LIKE."],
  [/ (?:RLIKE|~) /, "There are no regular expressions: use GLOB or LIKE."],
  [/ INTERVAL (?:''|0|[?:@$])/, "There is no INTERVAL: use date(day, '+7 days')."],
  [/ FETCH (?:FIRST|NEXT) | OFFSET 0 ROWS? /, "There is no FETCH FIRST: use LIMIT n OFFSET m at the end."],
  [/ SELECT (?:DISTINCT )?TOP (?:0|\()/, "There is no TOP: use LIMIT n at the end."],
  [/ LIMIT ALL /, "Leave LIMIT ALL out."],
  [/ (?:GROUP|ORDER) BY ALL /, "There is no BY ALL: name the columns."],
  [/ DISTINCT ON \(/, "There is no DISTINCT ON: number the rows by row_number() OVER (PARTITION BY …) in a subquery, and keep number 1."],
  [/ QUALIFY /, "There is no QUALIFY: put the window function into a subquery, and its condition into WHERE around it."],
  [/ \* (?:EXCLUDE|EXCEPT|REPLACE) \(/, "There is no * EXCLUDE: name the columns."],
  [/ EXTRACT \(/, "There is no EXTRACT: use strftime('%Y', day), with %m for the month."],
  [/ (?:TRY_CAST|SAFE_CAST) \(/, "Use CAST(value AS type): a text without a number becomes 0."],
  [/ CONVERT \(/, "Use CAST(value AS type)."],
  [/ (?:ISNULL|NVL) \(/, "Use ifnull(value, other)."],
  [/ POSITION \(/, "Use instr(text, part)."],
  [/ SEPARATOR ''/, "Write group_concat(value, ', ')."],
  [
    / WITHIN GROUP \(/,
    "There is no WITHIN GROUP: write group_concat(value, ', ' ORDER BY value), or ORDER BY with LIMIT 1 OFFSET (count / 2).",
  ],
  [
    / WITH (?:ROLLUP|CUBE) | (?:ROLLUP|CUBE|GROUPING SETS) \(/,
    "There is no ROLLUP: add the total by UNION ALL and a SELECT without GROUP BY.",
  ],
  [/ (?:CROSS|OUTER) APPLY | LATERAL \(/, "There is no LATERAL: use a subquery after SELECT, or a window function in a joined subquery."],
  [/ (?:TABLESAMPLE|USING SAMPLE) /, "There is no sample: use ORDER BY random() LIMIT n."],
  [/ (?:PIVOT|UNPIVOT) \(/, "There is no PIVOT: write sum(value) FILTER (WHERE kind = 'a') for each column."],
  [/ MINUS (?:ALL )?SELECT /, "There is no MINUS: use EXCEPT."],
  [/ CONNECT BY | START WITH /, "There is no CONNECT BY: use WITH RECURSIVE."],
  [/ \( \+ \) /, "There is no (+): use LEFT JOIN."],
  [/ ARRAY "| (?:ANY|ALL|SOME) \(/, "There are no arrays: use IN (1, 2), EXISTS, or max() of a subquery."],
  [/ WITH \( (?:NOLOCK|READPAST|INDEX)/, "Leave the hint WITH (…) out."],
  [/ < = > /, "There is no <=>: use IS, or IS NOT."],
  [/ 0 DIV 0 | (?:[A-Z_]+|"") DIV /, "There is no DIV: / between integers leaves out the fraction."],
  [/ @ @/, "There are no system variables: use sqlite_version()."],
  [/ #/, "A comment begins with --."],
  [/ ON DUPLICATE KEY /, "Write ON CONFLICT (key) DO UPDATE SET name = excluded.name."],
  [/^ UPDATE .* JOIN .* SET /, "UPDATE takes no JOIN: write UPDATE t SET … FROM other WHERE …."],
  [/^ DELETE (?!FROM )/, "DELETE takes one table: write DELETE FROM t WHERE id IN (SELECT …)."],
  [/^ SELECT (?!.* INSERT ).* INTO /, "Write CREATE TABLE name AS SELECT … with write_query."],
  [/ (?:N?VARCHAR|VARBINARY) \( MAX \)/, "Write TEXT, which has no limit of length."],
  [/ ENUM \( ''/, "There is no ENUM: write TEXT CHECK (name IN ('a', 'b'))."],
  [/ DEFAULT [A-Z_]+ \(/, "A default that calls a function stands in brackets: DEFAULT (datetime('now'))."],
  [/ ON UPDATE CURRENT_/, "There is no ON UPDATE for a column: write a trigger."],
  [/ AUTO_INCREMENT | AS IDENTITY /, "Write INTEGER PRIMARY KEY, which numbers rows by itself."],
  [/ (?:ENGINE =|CHARSET|CHARACTER SET|UNSIGNED) /, "Options of MySQL are not known here: leave them out."],
];
