// What SQLite has in place of what other databases have, and what its shorter messages mean: one sentence with the next step.
import type Database from "better-sqlite3";
import { columnNamesOf } from "../../schema/schema-pragmas.ts";
import { userTables } from "../../schema/table-list.ts";
import { isSymbol, type Token } from "../../sql/tokens.ts";
import { COLUMNS, FUNCTIONS, SYNTAX, TABLES, WORD_ARGUMENT } from "./dialect-words.ts";

/** Of a statement that is searched for what other databases have. */
const MAX_TOKENS = 1000;

/** Whole messages of SQLite that do not say what to do. */
const MESSAGES: readonly (readonly [message: RegExp, hint: string])[] = [
  [/^integer overflow$/, "A result is larger than 64 bits: use total(x) for a sum, or CAST(x AS REAL)."],
  [/cannot add a STORED column/, "Declare it VIRTUAL, or create the table anew and copy the rows."],
  [/^Cannot add a NOT NULL column/, "Give it a default for the rows that exist: NOT NULL DEFAULT 0."],
  [/^bad JSON path/, "A path begins with $: '$.name', '$[0]'."],
  [/non-constant default/, "Add the column without a default and UPDATE it, or create the table anew and copy the rows."],
  [/^datatype mismatch$/, "An INTEGER PRIMARY KEY, LIMIT and OFFSET take integers only: check the values, or CAST them."],
  [/^cannot store \w+ value in \w+ column/, "The table is STRICT: pass a value of that type, or CAST it."],
  [
    /^no such collation sequence/,
    "The program that made the database brings it along. Add COLLATE NOCASE or COLLATE BINARY to what is compared or sorted.",
  ],
  [/^DISTINCT aggregates must have/, "Leave the separator out, or read from a subquery with SELECT DISTINCT."],
  [/^misuse of (?:aliased )?window function/, "Put the SELECT into a subquery, and the condition into WHERE around it."],
  [
    /^misuse of (?:aliased )?aggregate/,
    "A condition on groups stands in HAVING, after GROUP BY; one on all rows in a subquery: (SELECT max(a) FROM t).",
  ],
  [
    /^wrong number of arguments to function COUNT\(\)$/i,
    "Count the rows of a subquery: SELECT count(*) FROM (SELECT DISTINCT a, b FROM t).",
  ],
  [/^no such tokenizer/, "The program that made the table brings it along. Read its content table with LIKE instead of MATCH."],
  [/^no such module/, "The program that made the table brings it along. The other tables can be read."],
];

/** A sentence after SQLite's message, or nothing. */
export function dialectHint(message: string, sql: string, tokens: readonly Token[], db: Database.Database): string {
  const hint = messageHint(message) ?? nameHint(message, tokens) ?? signHint(message, sql, tokens) ?? syntaxHint(message, tokens, db);
  return hint === undefined ? "" : `. ${hint}`;
}

const messageHint = (message: string): string | undefined => MESSAGES.find(([pattern]) => pattern.test(message))?.[1];

function nameHint(message: string, tokens: readonly Token[]): string | undefined {
  const [, kind, name = ""] = /^no such (function|table|column): (.+)$/s.exec(message) ?? [];
  if (kind === "function") return functionHint(name);
  // POSITION('n' IN name) is a call with a list to SQLite, which looks for the table of that name.
  if (kind === "table" && / POSITION \( [^()]* IN /.test(` ${tokens.slice(0, MAX_TOKENS).map(shapeOf).join(" ")} `))
    return functionHint("position");
  if (kind === "table") return hintFor(TABLES, name);
  if (kind !== "column") return undefined;
  // SQLite reports the unit in DATEADD(day, 1, at) before the function.
  const called = WORD_ARGUMENT.test(name) ? tokens.filter((_, index) => isSymbol(tokens[index + 1], "(")) : [];
  return hintFor(COLUMNS, name) ?? called.map(({ value }) => functionHint(value)).find((hint) => hint !== undefined);
}

function functionHint(name: string): string | undefined {
  const instead = FUNCTIONS.find(([names]) => names.includes(name.toLowerCase()))?.[1];
  return instead === undefined ? undefined : `SQLite has ${instead}.`;
}

const hintFor = (hints: readonly (readonly [RegExp, string])[], text: string): string | undefined =>
  hints.find(([pattern]) => pattern.test(text))?.[1];

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
  const near = /^near "(.+)": syntax error$/s.exec(message)?.[1];
  if (near === undefined && !message.startsWith("unrecognized token")) return undefined;
  const known = hintFor(SYNTAX, ` ${tokens.slice(0, MAX_TOKENS).map(shapeOf).join(" ")} `);
  if (known !== undefined || near === undefined) return known;
  const name = nameMeant(near, tokens, db);
  if (name === undefined) return undefined;
  return `If ${name} is meant, write it in double quotes ("${name}")${name.includes(" ") ? "." : `: ${near} is a reserved word.`}`;
}

function shapeOf({ kind, value }: Token): string {
  if (kind === "text") return "''";
  if (kind === "name") return '""';
  return kind === "number" ? "0" : value.toUpperCase();
}

/** The table or column that has a reserved word as its name or the first word of it, or as the singular of its name. */
function nameMeant(word: string, tokens: readonly Token[], db: Database.Database): string | undefined {
  if (!/^[a-z]+$/i.test(word)) return undefined;
  const names = userTables(db)
    .slice(0, 200)
    .flatMap(({ name }) => [name, ...columnNamesOf(db, name)]);
  const wanted = word.toLowerCase();
  const spoken = tokens.map(({ value }) => value.toLowerCase()).join(" ");
  // `Unit Price` is two words to SQL, and the error is about either.
  const ofWords = names.find(
    (name) => name.includes(" ") && ` ${name.toLowerCase()} `.includes(` ${wanted} `) && spoken.includes(name.toLowerCase()),
  );
  if (ofWords !== undefined) return ofWords;
  const endings: readonly ((name: string) => boolean)[] = [
    (name) => name === wanted,
    (name) => name.startsWith(`${wanted} `),
    (name) => name === `${wanted}s`,
  ];
  return endings.flatMap((isSame) => names.find((name) => isSame(name.toLowerCase())) ?? [])[0];
}
