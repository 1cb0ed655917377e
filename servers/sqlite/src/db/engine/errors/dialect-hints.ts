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
  const hint = messageHint(message) ?? nameHint(message, tokens) ?? signHint(message, sql, tokens) ?? syntaxHint(message, tokens, db);
  return hint === undefined ? "" : `. ${hint}`;
}

const messageHint = (message: string): string | undefined => MESSAGES.find(([pattern]) => pattern.test(message))?.[1];

function nameHint(message: string, tokens: readonly Token[]): string | undefined {
  const [, kind, name = ""] = /^no such (function|table|column): (.+)$/s.exec(message) ?? [];
  if (kind === "function") return functionHint(name);
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
  return isNameInUse(near, db) ? `If ${near} is a name, write it in double quotes ("${near}"): the word is reserved.` : undefined;
}

function shapeOf({ kind, value }: Token): string {
  if (kind === "text") return "''";
  if (kind === "name") return '""';
  return kind === "number" ? "0" : value.toUpperCase();
}

/** Whether a table or column has a reserved word as its name. */
function isNameInUse(word: string, db: Database.Database): boolean {
  if (!/^[a-z]+$/i.test(word)) return false;
  const isSame = (name: string): boolean => name.toLowerCase() === word.toLowerCase();
  const tables = userTables(db).slice(0, 200);
  return tables.some(({ name }) => isSame(name) || columnNamesOf(db, name).some(isSame));
}
