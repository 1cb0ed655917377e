// Statements that change data and read views with texts in double quotes: such a view is read as the program that wrote it does.
import type Database from "better-sqlite3";
import { clip } from "@oarlock/domain-kit";
import { readableViews } from "../schema/quoted-text-views.ts";
import { missingQuotedName, quotedTokens, withTexts } from "../sql/quoted-texts.ts";
import { silentSlips } from "../sql/silent-slips.ts";
import { countsChanges, isInsert, parseStatement } from "../sql/statement.ts";
import { isWord } from "../sql/tokens.ts";
import { allowWrite, type AllowedStatement } from "./statement-policy.ts";
import { namedTarget } from "./touched-tables.ts";

/**
 * As {@link allowWrite}. A view that is itself the target stays an error: the temporary view in its place has no INSTEAD OF triggers. So do
 * ALTER and DROP, which are for the file's own views.
 */
export function allowWriteWithViews(db: Database.Database, sql: string): AllowedStatement {
  const { allowed, texts } = allowWithTexts(db, sql);
  const slips = [...silentSlips(allowed.statement), ...(texts.length === 0 ? [] : [takenAsTexts(texts)])];
  return slips.length === 0 ? allowed : { ...allowed, slips };
}

/** Different texts in one statement. */
const MAX_TEXTS = 50;

const takenAsTexts = (texts: readonly string[]): string =>
  `VALUES take no names, so read as texts: ${texts
    .slice(0, 5)
    .map((one) => `'${clip(one, 40)}'`)
    .join(", ")}${texts.length > 5 ? " …" : ""}`;

/** Among the VALUES of an INSERT no column has a meaning, so a name in double quotes there can only be a text. */
function allowWithTexts(db: Database.Database, sql: string): { allowed: AllowedStatement; texts: readonly string[] } {
  const texts: string[] = [];
  let written = sql;
  for (;;) {
    try {
      return { allowed: allowWithViews(db, written), texts };
    } catch (error) {
      const name = error instanceof Error ? missingQuotedName(error.message) : undefined;
      const next = name === undefined || texts.length === MAX_TEXTS || texts.includes(name) ? undefined : withTextInValues(name, written);
      if (name === undefined || next === undefined) throw error;
      texts.push(name);
      written = next;
    }
  }
}

/** Undefined where the statement has more than VALUES, or the name stands elsewhere. */
function withTextInValues(name: string, sql: string): string | undefined {
  const statement = parseStatement(sql);
  const { tokens, verb } = statement;
  const values = tokens.find((token) => isWord(token, "VALUES"));
  const hasOthers = ["SELECT", "CONFLICT", "RETURNING"].some((word) => tokens.some((token) => isWord(token, word)));
  if (!isInsert(verb) || values === undefined || hasOthers) return undefined;
  const texts = quotedTokens(name, statement.sql, tokens).filter(({ start }) => start > values.start);
  return texts.length === 0 ? undefined : withTexts(name, statement.sql, tokens, texts);
}

function allowWithViews(db: Database.Database, sql: string): AllowedStatement {
  try {
    return allowWrite(db, sql);
  } catch (error) {
    if (!(error instanceof Error) || missingQuotedName(error.message) === undefined) throw error;
    const statement = parseStatement(sql);
    const target = namedTarget(statement);
    if (target === undefined || !(countsChanges(statement.verb) || statement.verb === "CREATE")) throw error;
    const views = readableViews(db);
    if (views.size === 0 || views.has(target.toLowerCase())) throw error;
    return allowWrite(db, sql);
  }
}
