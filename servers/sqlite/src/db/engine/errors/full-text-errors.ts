// Errors of full-text tables: what is wrong with a query of MATCH, and tables that cannot be read because what they show is missing.
import type Database from "better-sqlite3";
import { clip } from "@oarlock/domain-kit";
import { brokenFullTextTables } from "../../schema/broken-references.ts";
import { isName, isWord, type Token } from "../../sql/tokens.ts";

/** Errors of FTS5 and FTS4 about the text to find. A word of it that FTS5 takes for a column has the message of a column. */
const QUERY_ERROR = /^fts5: |^unknown special query|^unterminated string|^malformed MATCH expression|^unrecognized (?:column|token)/;
const NO_COLUMN = /^no such column: (.+)$/s;

/** Undefined where the error is not about a full-text table in the statement. */
export function explainFullTextError(message: string, tokens: readonly Token[], db: Database.Database): string | undefined {
  return brokenTableError(tokens, db) ?? queryError(message, tokens);
}

/** Why a full-text table cannot be read; undefined where it can. */
export function whyUnreadable(db: Database.Database, table: string): string | undefined {
  const broken = brokenFullTextTables(db).find(({ name }) => name.toLowerCase() === table.toLowerCase());
  if (broken === undefined) return undefined;
  return `The full-text table ${clip(broken.name)} cannot be read: its texts are in ${broken.missing}, which does not exist. Drop it and create it again for the present columns.`;
}

function brokenTableError(tokens: readonly Token[], db: Database.Database): string | undefined {
  for (const token of tokens) {
    const reason = isName(token) ? whyUnreadable(db, token.value) : undefined;
    if (reason !== undefined) return reason;
  }
  return undefined;
}

function queryError(message: string, tokens: readonly Token[]): string | undefined {
  if (!tokens.some((token) => isWord(token, "MATCH"))) return undefined;
  const column = NO_COLUMN.exec(message)?.[1];
  // A column that the statement itself names is an ordinary mistake.
  const isPartOfText = column !== undefined && !tokens.some((token) => isIdentifier(token) && token.value === column);
  if (!isPartOfText && !QUERY_ERROR.test(message)) return undefined;
  const texts = tokens.filter(({ kind, value }) => kind === "text" && (column === undefined || value.includes(column)));
  const [text, ...others] = texts;
  const example = text !== undefined && others.length === 0 ? text.value.replaceAll('"', '""') : "rain-proof";
  return `Invalid full-text query (${clip(message)}): in MATCH, characters such as - : * ( ) and words such as AND or NOT are operators. Put the words in double quotes, '"${clip(example)}"', or use search_text.`;
}

const isIdentifier = ({ kind }: Token): boolean => kind === "word" || kind === "name";
