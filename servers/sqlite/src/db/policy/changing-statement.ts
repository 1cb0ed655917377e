// Statements that change data, with the views and triggers that hold texts in double quotes: they run as in the program that wrote them.
import type Database from "better-sqlite3";
import { clip } from "@oarlock/domain-kit";
import { readingObjectTexts } from "../schema/quoted-texts/objects.ts";
import { missingQuotedName, quotedTokens, withTexts } from "../sql/quoted-texts.ts";
import { silentSlips } from "../sql/silent-slips.ts";
import { isInsert, parseStatement } from "../sql/statement.ts";
import { isWord } from "../sql/tokens.ts";
import { allowWrite, type AllowedStatement } from "./statement-policy.ts";

/** As {@link allowWrite}; the result names the texts that stood among VALUES. */
export function allowWriteWithTexts(db: Database.Database, sql: string): AllowedStatement {
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
      return { allowed: readingObjectTexts(db, () => allowWrite(db, written)), texts };
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
