// What SQLite has in place of what other databases have, and what its shorter messages mean: one sentence with the next step.
import type Database from "better-sqlite3";
import { columnNamesOf } from "../schema/schema-pragmas.ts";
import { userTables } from "../schema/table-list.ts";
import { isWord, type Token } from "../sql/tokens.ts";

/** Functions of other databases, by what to write instead. */
const FUNCTIONS: readonly (readonly [names: readonly string[], instead: string])[] = [
  [["now", "getdate", "sysdate", "sysdatetime", "current_datetime", "localtimestamp"], "datetime('now'), which is UTC"],
  [["curdate", "today"], "date('now')"],
  [["curtime"], "time('now')"],
  [["date_trunc"], "strftime, such as strftime('%Y-%m-01', day) for the month"],
  [
    ["date_format", "to_char", "format_date", "from_unixtime", "to_timestamp"],
    "strftime('%Y-%m-%d', value), or datetime(seconds, 'unixepoch')",
  ],
  [["to_date", "str_to_date", "parse_date"], "date(text) for YYYY-MM-DD, or substr and || for other forms"],
  [["datediff", "date_diff", "timestampdiff"], "julianday(later) - julianday(earlier) for days"],
  [["date_add", "dateadd", "date_sub", "adddate", "add_months"], "date(day, '+1 month')"],
  [
    ["year", "month", "day", "hour", "minute", "second", "dayofweek", "weekday", "week", "quarter", "date_part"],
    "strftime with %Y, %m, %d, %H, %M, %S, %w or %W; CAST it AS INTEGER for a number",
  ],
  [["left"], "substr(text, 1, n)"],
  [["right"], "substr(text, -n)"],
  [["len", "char_length", "character_length"], "length(text)"],
  [["isnull", "nvl"], "ifnull(value, other)"],
  [["charindex", "strpos", "position", "locate"], "instr(text, part)"],
  [["split_part", "substring_index"], "substr with instr"],
  [["lpad", "rpad"], "printf('%05d', n) or printf('%-10s', text)"],
  [["regexp", "regexp_like", "regexp_replace", "regexp_matches"], "GLOB or LIKE; there are no regular expressions"],
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
  [["ucase"], "upper(text)"],
  [["lcase"], "lower(text)"],
  [["initcap"], "upper(substr(text, 1, 1)) || substr(text, 2)"],
  [["generate_series"], "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10)"],
];

/** What is wrong where SQLite does not understand a word or a sign. */
const SYNTAX: readonly (readonly [near: RegExp, instead: string])[] = [
  [/^ilike$/i, "There is no ILIKE: LIKE ignores the case of ASCII letters."],
  [/^similar$/i, "There is no SIMILAR TO: use GLOB or LIKE."],
  [/^interval$/i, "There is no INTERVAL: use date(day, '+7 days')."],
  [/^(?:fetch|first|next|rows?)$/i, "There is no FETCH FIRST: use LIMIT n OFFSET m at the end."],
  [/^auto_increment$/i, "Write INTEGER PRIMARY KEY, which numbers rows by itself."],
  [/^(?:engine|charset|unsigned)$/i, "Options of MySQL are not known here: leave them out."],
  [/^top$/i, "There is no TOP: use LIMIT n at the end."],
];

/** Whole messages of SQLite that do not say what to do. */
const MESSAGES: readonly (readonly [message: RegExp, hint: string])[] = [
  [/^integer overflow$/, "The sum is larger than 64 bits: use total(x), or sum(CAST(x AS REAL))."],
  [/non-constant default/, "Add the column without a default and UPDATE it, or create the table anew and copy the rows."],
  [/^datatype mismatch$/, "An INTEGER PRIMARY KEY, LIMIT and OFFSET take integers only: check the values, or CAST them."],
  [/^cannot store \w+ value in \w+ column/, "The table is STRICT: pass a value of that type, or CAST it."],
  [
    /^no such collation sequence/,
    "The program that made the database brings it along. Add COLLATE NOCASE or COLLATE BINARY to what is compared or sorted.",
  ],
  [/^no such tokenizer/, "The program that made the table brings it along. Read its content table with LIKE instead of MATCH."],
  [/^no such module/, "The program that made the table brings it along. The other tables can be read."],
];

/** A sentence after SQLite's message, or nothing. */
export function dialectHint(message: string, sql: string, tokens: readonly Token[], db: Database.Database): string {
  const hint = messageHint(message) ?? functionHint(message) ?? signHint(message, sql, tokens) ?? syntaxHint(message, tokens, db);
  return hint === undefined ? "" : `. ${hint}`;
}

const messageHint = (message: string): string | undefined => MESSAGES.find(([pattern]) => pattern.test(message))?.[1];

function functionHint(message: string): string | undefined {
  const name = /^no such function: (\w+)$/.exec(message)?.[1]?.toLowerCase();
  const instead = name === undefined ? undefined : FUNCTIONS.find(([names]) => names.includes(name))?.[1];
  return instead === undefined ? undefined : `SQLite has ${instead}.`;
}

const CURLY_QUOTES = /[\u2018-\u201f]/;

function signHint(message: string, sql: string, tokens: readonly Token[]): string | undefined {
  const isOdd = /syntax error|unrecognized token|no such (?:column|table)/.test(message);
  if (isOdd && tokens.some(({ kind, value }) => kind === "word" && CURLY_QUOTES.test(value)))
    return `Curly quotes are letters to SQL: write ' around texts and " around names.`;
  if (/unrecognized token: ":"|near ":"/.test(message) && sql.includes("::")) return "There is no :: here: use CAST(value AS type).";
  if (/unrecognized token: "\\|near "\\/.test(message) || (/unrecognized token: "'/.test(message) && sql.includes(String.raw`\'`)))
    return "A backslash escapes nothing in SQL: double a quote inside a text ('it''s').";
  return undefined;
}

function syntaxHint(message: string, tokens: readonly Token[], db: Database.Database): string | undefined {
  const near = /^near "(.+)": syntax error$/s.exec(message)?.[1] ?? /^no such column: (interval)$/i.exec(message)?.[1];
  if (near === undefined) return undefined;
  const known = SYNTAX.find(([pattern]) => pattern.test(near))?.[1];
  if (known !== undefined) return known;
  if (tokens.some((token, index) => isWord(token, "TOP") && isWord(tokens[index - 1], "SELECT")))
    return "There is no TOP: use LIMIT n at the end.";
  if (tokens.some((token) => isWord(token, "EXTRACT"))) return "There is no EXTRACT: use strftime('%Y', day), with %m for the month.";
  return isNameInUse(near, db) ? `If ${near} is a name, write it in double quotes ("${near}"): the word is reserved.` : undefined;
}

/** Whether a table or column has a reserved word as its name. */
function isNameInUse(word: string, db: Database.Database): boolean {
  if (!/^[a-z]+$/i.test(word)) return false;
  const isSame = (name: string): boolean => name.toLowerCase() === word.toLowerCase();
  const tables = userTables(db).slice(0, 200);
  return tables.some(({ name }) => isSame(name) || columnNamesOf(db, name).some(isSame));
}
