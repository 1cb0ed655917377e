// What a statement sets out to do, told by its tokens alone. This is the outer door only: preparing a PRAGMA already applies
// it, so what has no business in the engine never gets there. What a statement really does, the engine says (child/vet.ts).
import { refused } from "../errors.ts";
import { tokensOf, type Token } from "./tokens.ts";

/** Longer statements are refused before anything looks at them. */
export const LONGEST_SQL = 1_000_000;

export type Verb =
  | "SELECT"
  | "VALUES"
  | "INSERT"
  | "REPLACE"
  | "UPDATE"
  | "DELETE"
  | "CREATE"
  | "DROP"
  | "ALTER"
  | "ANALYZE"
  | "REINDEX"
  | "PRAGMA";

export interface Statement {
  /** From the first token to the last: without what stands around it, and without a semicolon. */
  readonly sql: string;
  readonly tokens: readonly Token[];
  /** What it does, looked for behind EXPLAIN and WITH. */
  readonly verb: Verb;
  /** Where the verb stands among the tokens. */
  readonly at: number;
  readonly explain: boolean;
  /** Its parameters in order, each as often as it stands there. */
  readonly variables: readonly string[];
}

const READING: ReadonlySet<string> = new Set(["SELECT", "VALUES"]);
const VERBS: ReadonlySet<string> = new Set([
  ...["SELECT", "VALUES", "INSERT", "REPLACE", "UPDATE", "DELETE", "CREATE", "DROP", "ALTER", "ANALYZE", "REINDEX", "PRAGMA"],
]);
/** Why a statement is never run, where there is more to say than that. */
const NEVER: Readonly<Record<string, string>> = {
  ATTACH: "other databases are not opened; name them when the server is started (NAME=FILE)",
  DETACH: "other databases are not opened; name them when the server is started (NAME=FILE)",
  VACUUM: "it rewrites the file, or writes another one; backup_database of the toolset files makes a copy",
  BEGIN: "a transaction ends with its call; run_transaction runs several statements as one",
  COMMIT: "a transaction ends with its call; run_transaction runs several statements as one",
  END: "a transaction ends with its call; run_transaction runs several statements as one",
  ROLLBACK: "a transaction ends with its call; run_transaction runs several statements as one",
  SAVEPOINT: "a transaction ends with its call; run_transaction runs several statements as one",
  RELEASE: "a transaction ends with its call; run_transaction runs several statements as one",
};

export const isReading = ({ verb }: Statement): boolean => READING.has(verb);

/** Takes a text as one statement, or says what is in the way. */
export function statementOf(text: string): Statement {
  if (text.length > LONGEST_SQL) throw refused(`The statement has ${text.length} characters; at most ${LONGEST_SQL} are taken`);
  // SQLite would stop reading here, and run something else than what was looked at.
  if (text.includes("\0")) throw refused("The statement holds a NUL character; bind such text as a parameter");
  if (!text.isWellFormed()) throw refused("The statement holds half of a character (a lone surrogate), which is no text in UTF-8");
  const all = tokensOf(text);
  const tokens = onlyOne(trimmed(all));
  const [first] = tokens;
  const last = tokens.at(-1);
  if (first === undefined || last === undefined) throw refused("There is no statement in the text; expected one SQL statement");
  const explained = isWord(first, "EXPLAIN") ? (isWord(tokens[1], "QUERY") && isWord(tokens[2], "PLAN") ? 3 : 1) : 0;
  const at = isWord(tokens[explained], "WITH") ? behindWith(tokens, explained + 1) : explained;
  const token = tokens[at];
  const word = token?.kind === "word" ? token.value.toUpperCase() : "";
  if (Object.hasOwn(NEVER, word)) throw refused(`${word} is not run: ${NEVER[word]}`);
  if (!VERBS.has(word))
    throw refused(`Expected a statement that begins with a verb of SQL, got ${JSON.stringify(text.slice(first.start, first.start + 40))}`);
  return {
    sql: text.slice(first.start, last.end),
    tokens,
    verb: word as Verb,
    at,
    explain: explained > 0,
    variables: tokens.flatMap((one) => (one.kind === "variable" ? [one.value] : [])),
  }; // one of VERBS
}

export const isWord = (token: Token | undefined, word: string): boolean => token?.kind === "word" && token.value.toUpperCase() === word;
export const isMark = (token: Token | undefined, mark: string): boolean => token?.kind === "mark" && token.value === mark;
/** A token that can stand for a name: SQLite takes words, quoted names and even texts. */
export const isName = (token: Token | undefined): token is Token =>
  token !== undefined && (token.kind === "word" || token.kind === "name" || token.kind === "text");

function trimmed(tokens: readonly Token[]): readonly Token[] {
  let from = 0;
  let to = tokens.length;
  while (from < to && isMark(tokens[from], ";")) from += 1;
  while (to > from && isMark(tokens[to - 1], ";")) to -= 1;
  return tokens.slice(from, to);
}

/** The body of a trigger has semicolons of its own; there the engine itself sees what follows. */
function onlyOne(tokens: readonly Token[]): readonly Token[] {
  if (isTrigger(tokens) || !tokens.some((token) => isMark(token, ";"))) return tokens;
  throw refused("There are several statements in the text; expected one. run_transaction runs several as one");
}

function isTrigger(tokens: readonly Token[]): boolean {
  if (!isWord(tokens[0], "CREATE")) return false;
  const temporary = isWord(tokens[1], "TEMP") || isWord(tokens[1], "TEMPORARY");
  return isWord(tokens[temporary ? 2 : 1], "TRIGGER");
}

/** The place behind `WITH [RECURSIVE] name [(columns)] AS [[NOT] MATERIALIZED] (…), …`. */
function behindWith(tokens: readonly Token[], from: number): number {
  let at = isWord(tokens[from], "RECURSIVE") && !isWord(tokens[from + 1], "AS") ? from + 1 : from;
  for (;;) {
    at += 1; // the name
    if (isMark(tokens[at], "(")) at = behindBrackets(tokens, at);
    while (at < tokens.length && !isMark(tokens[at], "(")) at += 1;
    at = behindBrackets(tokens, at);
    if (!isMark(tokens[at], ",")) return at;
    at += 1;
  }
}

function behindBrackets(tokens: readonly Token[], from: number): number {
  let depth = 0;
  for (let at = from; at < tokens.length; at += 1) {
    if (isMark(tokens[at], "(")) depth += 1;
    else if (isMark(tokens[at], ")") && --depth === 0) return at + 1;
  }
  return tokens.length;
}
