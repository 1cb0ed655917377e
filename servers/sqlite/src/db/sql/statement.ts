// A text as one SQL statement: its verb, its parameters, and the refusal of statements that must never reach the engine.
// This is the first check. Preparing a PRAGMA already applies it, so it is refused by its tokens. What every other statement
// really does is decided by its compiled program (policy/statement-policy.ts).
import { escapeControlsInJson } from "@oarlock/domain-kit";
import { refusal } from "../errors.ts";
import { isSymbol, isWord, tokensOf, type Token } from "./tokens.ts";

export const MAX_SQL_LENGTH = 1_000_000;

const READING_VERBS = ["SELECT", "VALUES"] as const;
const WRITING_VERBS = ["INSERT", "REPLACE", "UPDATE", "DELETE", "CREATE", "DROP", "ALTER", "ANALYZE", "REINDEX"] as const;

export type Verb = (typeof READING_VERBS)[number] | (typeof WRITING_VERBS)[number] | "PRAGMA";

export interface Statement {
  /** From the first to the last token, without blanks, comments and semicolons around them. */
  readonly sql: string;
  readonly tokens: readonly Token[];
  /** The verb after EXPLAIN and WITH. */
  readonly verb: Verb;
  /** Index of the verb's token. */
  readonly verbIndex: number;
  readonly isExplain: boolean;
  /** Its parameters in order, repeated ones included. */
  readonly variables: readonly string[];
}

const READING: ReadonlySet<string> = new Set(READING_VERBS);
const VERBS: ReadonlySet<string> = new Set([...READING_VERBS, ...WRITING_VERBS, "PRAGMA"]);

const OTHER_DATABASES = "other databases are not opened. Name them when the server is started (NAME=FILE).";
const OWN_TRANSACTIONS = "a transaction ends with its call. Use run_transaction to run several statements as one.";
/** Statements that are always refused, with the reason. */
const REFUSED: Readonly<Record<string, string>> = {
  ATTACH: OTHER_DATABASES,
  DETACH: OTHER_DATABASES,
  VACUUM: "it rewrites the file. backup_database with compact: true (a tool of --toolsets files) writes a copy without free room.",
  BEGIN: OWN_TRANSACTIONS,
  COMMIT: OWN_TRANSACTIONS,
  END: OWN_TRANSACTIONS,
  ROLLBACK: OWN_TRANSACTIONS,
  SAVEPOINT: OWN_TRANSACTIONS,
  RELEASE: OWN_TRANSACTIONS,
};

/** Statements of other databases, with what to do instead. */
const OTHER_DIALECTS: Readonly<Record<string, string | undefined>> = {
  SHOW: "Use list_tables for tables, and describe_table for the columns and indexes of one.",
  DESCRIBE: "Use describe_table.",
  DESC: "Use describe_table.",
  USE: "Pass the name of the database as the argument database.",
  TRUNCATE: "Use DELETE FROM without WHERE.",
  UPSERT: "Use INSERT … ON CONFLICT DO UPDATE.",
  MERGE: "Use INSERT … ON CONFLICT DO UPDATE.",
  DECLARE: "Bind values with params, and name results by WITH.",
  SET: "Bind values with params; settings are the operator's.",
  EXEC: "There are no procedures: run their statements.",
  EXECUTE: "There are no procedures: run their statements.",
  CALL: "There are no procedures: run their statements.",
  IF: "Use CASE in a statement, or one call after the other.",
  FROM: "Begin with SELECT.",
  SUMMARIZE: "Use describe_table, and SELECT with count, min, max and avg.",
  PIVOT: "Use sum(value) FILTER (WHERE kind = 'a') for each column.",
  COPY: "Use import_csv or export_query (--toolsets files).",
  LOAD: "Use import_csv (--toolsets files).",
  GRANT: "SQLite has no users.",
  REVOKE: "SQLite has no users.",
  RENAME: "Use ALTER TABLE old RENAME TO new.",
};

const FENCE = "```";
/** The name of the language after a fence. */
const LANGUAGE = /^(?:[ \t]*(?:\w+[ \t]*)?\r?\n|(?:sql(?:ite3?)?[ \t]+)?)/i;

/** The statement in a Markdown code block, as models write it, on one line or several; any other text as it is. */
export function withoutFence(text: string): string {
  const block = text.trim().replace(/;$/, "");
  const isFenced = block.length >= 2 * FENCE.length && block.startsWith(FENCE) && block.endsWith(FENCE);
  return isFenced ? block.slice(FENCE.length, -FENCE.length).replace(LANGUAGE, "").trimEnd() : text;
}

export const isReading = ({ verb }: Statement): boolean => READING.has(verb);

export const isInsert = (verb: Verb): boolean => verb === "INSERT" || verb === "REPLACE";
export const isUpdateOrDelete = (verb: Verb): boolean => verb === "UPDATE" || verb === "DELETE";
/** CREATE, DROP and others change no rows, whatever SQLite's counter says. */
export const countsChanges = (verb: Verb): boolean => isInsert(verb) || isUpdateOrDelete(verb);

/** Parses a text as one statement. Throws a refusal that names the problem. */
export function parseStatement(given: string): Statement {
  checkText(given);
  const text = withoutFence(given);
  const tokens = singleStatement(withoutSemicolons(tokensOf(text)));
  const [first] = tokens;
  const last = tokens.at(-1);
  if (first === undefined || last === undefined) throw refusal("Empty query: expected one SQL statement.");
  const start = explainLength(tokens);
  const verbIndex = isWord(tokens[start], "WITH") ? indexAfterWith(tokens, start + 1) : start;
  const token = tokens[verbIndex];
  const word = token?.kind === "word" ? token.value.toUpperCase() : "";
  if (Object.hasOwn(REFUSED, word)) throw refusal(`${word} is not allowed: ${REFUSED[word]}`);
  const hint = OTHER_DIALECTS[word];
  if (hint !== undefined) throw refusal(`${word} is not a statement of SQLite. ${hint}`);
  if (!VERBS.has(word))
    throw refusal(
      `Invalid statement: expected a SQL verb such as SELECT or INSERT, got ${escapeControlsInJson(JSON.stringify(text.slice(first.start, first.start + 40)))}.`,
    );
  return {
    sql: text.slice(first.start, last.end),
    tokens,
    verb: word as Verb, // one of VERBS
    verbIndex,
    isExplain: start > 0,
    variables: tokens.flatMap((one) => (one.kind === "variable" ? [one.value] : [])),
  };
}

function checkText(text: string): void {
  if (text.length > MAX_SQL_LENGTH)
    throw refusal(`The statement is too long: it has ${text.length} characters, the limit is ${MAX_SQL_LENGTH}.`);
  // SQLite stops reading at NUL, and would run something else than what was checked.
  if (text.includes("\0")) throw refusal("Invalid statement: it contains a NUL character. Bind such text as a parameter.");
  if (!text.isWellFormed()) throw refusal("Invalid statement: it contains a lone surrogate, which UTF-8 cannot represent.");
}

/** How many tokens EXPLAIN or EXPLAIN QUERY PLAN takes. */
function explainLength(tokens: readonly Token[]): number {
  if (!isWord(tokens[0], "EXPLAIN")) return 0;
  return isWord(tokens[1], "QUERY") && isWord(tokens[2], "PLAN") ? 3 : 1;
}

export const isExplainQueryPlan = ({ tokens }: Statement): boolean => explainLength(tokens) === 3;

/** The statement after EXPLAIN, or all of it. */
export function withoutExplain({ sql, tokens, isExplain }: Statement): string {
  const [first] = tokens;
  const explained = tokens[explainLength(tokens)];
  return isExplain && first !== undefined && explained !== undefined ? sql.slice(explained.start - first.start) : sql;
}

function withoutSemicolons(tokens: readonly Token[]): readonly Token[] {
  let from = 0;
  let to = tokens.length;
  while (from < to && isSymbol(tokens[from], ";")) from += 1;
  while (to > from && isSymbol(tokens[to - 1], ";")) to -= 1;
  return tokens.slice(from, to);
}

/** The statements of a text, without blanks and semicolons around them. */
export function splitStatements(given: string): string[] {
  const text = withoutFence(given);
  if (!/;\s*\S/.test(text)) return [given];
  const statements: Token[][] = [[]];
  for (const token of tokensOf(text))
    if (isSymbol(token, ";")) statements.push([]);
    else statements.at(-1)?.push(token);
  return statements.flatMap((tokens) => {
    const [first, last] = [tokens[0], tokens.at(-1)];
    return first === undefined || last === undefined ? [] : [text.slice(first.start, last.end)];
  });
}

/** The body of a trigger has semicolons of its own; there the engine finds a second statement. */
function singleStatement(tokens: readonly Token[]): readonly Token[] {
  if (isTrigger(tokens) || !tokens.some((token) => isSymbol(token, ";"))) return tokens;
  throw refusal("Several statements in one query: expected one. Use run_transaction to run several as one.");
}

function isTrigger(tokens: readonly Token[]): boolean {
  if (!isWord(tokens[0], "CREATE")) return false;
  const isTemporary = isWord(tokens[1], "TEMP") || isWord(tokens[1], "TEMPORARY");
  return isWord(tokens[isTemporary ? 2 : 1], "TRIGGER");
}

/** The index after `WITH [RECURSIVE] name [(columns)] AS [[NOT] MATERIALIZED] (…), …`. */
function indexAfterWith(tokens: readonly Token[], from: number): number {
  let at = isWord(tokens[from], "RECURSIVE") && !isWord(tokens[from + 1], "AS") ? from + 1 : from;
  for (;;) {
    at += 1; // the name
    if (isSymbol(tokens[at], "(")) at = indexAfterBrackets(tokens, at);
    at = indexAfterBrackets(tokens, at);
    if (!isSymbol(tokens[at], ",")) return at;
    at += 1;
  }
}

/** The index after the next brackets and what they contain. */
function indexAfterBrackets(tokens: readonly Token[], from: number): number {
  let depth = 0;
  for (let at = from; at < tokens.length; at += 1) {
    if (isSymbol(tokens[at], "(")) depth += 1;
    else if (isSymbol(tokens[at], ")") && --depth === 0) return at + 1;
  }
  return tokens.length;
}
