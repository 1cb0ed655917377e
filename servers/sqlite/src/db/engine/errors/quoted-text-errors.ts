// Errors about texts in double quotes that stand in the schema and not in the statement: which object holds them, and the statements that
// create it anew.
import type Database from "better-sqlite3";
import { clip } from "@oarlock/domain-kit";
import { mendedStatement, triggersWithQuotedTexts } from "../../schema/quoted-text-triggers.ts";
import { objectWithText, readableViews } from "../../schema/quoted-text-views.ts";
import { missingQuotedName, quotedTokens } from "../../sql/quoted-texts.ts";
import { quoteName, type Token } from "../../sql/tokens.ts";

const MAX_MENDED_LENGTH = 2000;

interface Holder {
  readonly type: string;
  readonly name: string;
}

/** Undefined for another error, and for a text of the statement itself. */
export function schemaTextError(message: string, sql: string, tokens: readonly Token[], db: Database.Database): string | undefined {
  const [, type, holderName, complaint = message] = /^error in (\w+) (.+?)(?: after \w[\w ]*)?: (no such column: .*)$/s.exec(message) ?? [];
  const text = missingQuotedName(complaint);
  if (text === undefined) return undefined;
  if (type !== undefined && holderName !== undefined)
    return quotedTextSentence({ type, name: holderName }, text, mendedObject(db, holderName, text));
  const holder = quotedTokens(text, sql, tokens).length > 0 ? undefined : objectWithText(db, text);
  return holder === undefined ? undefined : quotedTextSentence(holder, text, mendedObject(db, holder.name, text));
}

/** @param mended The statements that create it anew; none where it cannot be created again without its rows. */
export function quotedTextSentence({ type, name }: Holder, text: string, mended: readonly string[]): string {
  const problem = `The ${type} ${clip(name)} holds the text "${clip(text, 80)}" in double quotes, which is a name here.`;
  if (type === "table") return `${problem} ${OF_TABLES}`;
  const statements = [...mended.slice(0, -1).flatMap((one) => [one, ", "]), "and ", mended.at(-1) ?? ""].join("");
  if (mended.length > 0 && statements.length <= MAX_MENDED_LENGTH)
    return `${problem} Create it again in one run_transaction: ${statements}`;
  const kind = type.toUpperCase();
  return `${problem} Create it again with '${clip(text, 80)}' in single quotes: DROP ${kind} and CREATE ${kind} in one run_transaction. Its text is in describe_table.`;
}

/** SQLite compiles the whole schema for these statements. Where it reads such texts, it writes them in single quotes then. */
const OF_TABLES =
  "ADD COLUMN and changes of rows work; RENAME and DROP COLUMN of any table do not. A program whose SQLite reads such texts, such as Python's sqlite3, can run that ALTER TABLE, and puts all of them in single quotes by it.";

interface SchemaRow {
  readonly type: string;
  readonly name: string;
  readonly sql: string;
}

/** The statements that drop and create an object with its texts in single quotes, and whatever is dropped with it or fails beside it. */
function mendedObject(db: Database.Database, name: string, text: string): string[] {
  const rows = db
    .prepare<[string, string], SchemaRow>(
      "SELECT type, name, sql FROM main.sqlite_schema WHERE (name = ? OR type = 'trigger' AND tbl_name = ? COLLATE NOCASE) AND sql IS NOT NULL",
    )
    .all(name, name);
  const object = rows.find((row) => row.name === name);
  const triggers = triggersWithQuotedTexts(db);
  if (object?.type === "trigger") {
    const own = triggers.find((one) => one.name === name);
    const ofTable = triggers.filter((one) => one !== own && one.table === own?.table);
    return own === undefined ? [] : [own, ...ofTable].flatMap((one) => [`DROP TRIGGER ${quoteName(one.name)}`, one.mended]);
  }
  if (object === undefined || object.type === "table") return [];
  const texts = object.type === "view" ? (readableViews(db).get(name.toLowerCase())?.texts ?? [text]) : [text];
  const dropped = object.type === "view" ? rows.filter(({ type }) => type === "trigger") : [];
  return [
    `DROP ${object.type.toUpperCase()} ${quoteName(name)}`,
    mendedStatement(object.sql, texts),
    ...dropped.map((trigger) => triggers.find((one) => one.name === trigger.name)?.mended ?? trigger.sql),
  ];
}
