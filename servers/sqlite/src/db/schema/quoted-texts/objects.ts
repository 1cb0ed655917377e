// Objects of the schema that hold texts in double quotes, for statements that change: SQLite compiles them with those texts in single quotes.
// A change of rows leaves the file's schema as it is; ALTER TABLE writes those texts into it, as it does in programs that allow them.
import type Database from "better-sqlite3";
import { missingQuotedName, quotedTokens, withTexts } from "../../sql/quoted-texts.ts";
import { quoteName, tokensOf, type Token } from "../../sql/tokens.ts";

/** Texts that are written anew for one statement. */
const MAX_TEXTS = 100;
/** Where a text stands more often, all of its places are read alike. */
const MAX_PLACES = 20;
/** Views upon views take long to compile. */
const MAX_MS = 2000;

interface SchemaObject {
  readonly type: string;
  readonly name: string;
  readonly sql: string;
}

/** A text that keeps a statement from being compiled, and the object that holds it, if SQLite names it. */
interface MissingText {
  readonly text: string;
  readonly type?: string | undefined;
  readonly name?: string | undefined;
}

export function missingTextOf(message: string): MissingText | undefined {
  const [, type, name, complaint = message] = /^error in (\w+) (.+?)(?: after \w[\w ]*)?: (no such column: .*)$/s.exec(message) ?? [];
  const text = missingQuotedName(complaint);
  return text === undefined ? undefined : { text, type, name };
}

/** Connections whose schema differs from that of the file by such texts, until SQLite reads it again. */
const differing = new WeakSet<Database.Database>();

/** Whether a rollback may have brought back the schema of the file. */
export const mayHaveLostTexts = (db: Database.Database): boolean => differing.delete(db);

/** Runs `compile`, if need be with views and triggers as this connection alone reads them. */
export function readingObjectTexts<T>(db: Database.Database, compile: () => T): T {
  try {
    return compile();
  } catch (error) {
    if (!(error instanceof Error) || missingTextOf(error.message) === undefined || db.readonly) throw error;
    const isMended = rolledBack(db, () => mendObjects(db, ["view", "trigger"], compile).length > 0);
    if (!isMended) throw error;
    differing.add(db);
    return compile();
  }
}

/** Runs ALTER TABLE in a transaction. `mended`: the objects that it has written anew, such as "the view v". */
export function alteringObjectTexts<T>(db: Database.Database, table: string, alter: () => T): { result: T; mended: readonly string[] } {
  try {
    return { result: alter(), mended: [] };
  } catch (error) {
    if (!(error instanceof Error) || missingTextOf(error.message) === undefined) throw error;
    const probe = (): void => rolledBack(db, () => void db.exec(`ALTER TABLE main.${quoteName(table)} RENAME TO "oarlock_probe"`));
    const mended = mendObjects(db, ["table", "index", "view", "trigger"], probe);
    if (mended.length === 0) throw error;
    return { result: alter(), mended };
  }
}

/** The schema that SQLite has read meanwhile stays in use: the number of its version is the same. */
function rolledBack<T>(db: Database.Database, act: () => T): T {
  const [begin, end] = db.inTransaction
    ? ["SAVEPOINT oarlock_texts", "ROLLBACK TO oarlock_texts; RELEASE oarlock_texts"]
    : ["BEGIN IMMEDIATE", "ROLLBACK"];
  db.exec(begin);
  try {
    return act();
  } finally {
    if (db.inTransaction) db.exec(end);
  }
}

/** Writes texts in single quotes until `compile` finds no other one that is in double quotes. Gives what it has written, in words. */
function mendObjects(db: Database.Database, types: readonly string[], compile: () => unknown): string[] {
  const until = performance.now() + MAX_MS;
  const mended = new Set<string>();
  for (let count = 0; count < MAX_TEXTS && performance.now() < until; count += 1) {
    const missing = missingIn(compile);
    if (missing === undefined) break;
    const objects = objectsWith(db, missing, types);
    const places = objects.flatMap((object) => object.places.map((token) => ({ object, token })));
    const write = (texts: readonly { token: Token }[]): void => {
      const tokens = new Set(texts.map(({ token }) => token));
      writeSchema(
        db,
        objects.map(({ places: own, ...object }) => ({
          ...object,
          sql: withTexts(missing.text, object.sql, tokensOf(object.sql), own.filter((token) => tokens.has(token))), // prettier-ignore
        })),
      );
    };
    const failsWith = (texts: readonly { token: Token }[]): boolean => {
      write(texts);
      return missingIn(compile)?.text === missing.text;
    };
    if (places.length === 0) break;
    if (failsWith(places)) {
      write([]);
      break;
    }
    // The same name may be a column at another place, so each is tried as one while all others are texts.
    const isTried = places.length > 1 && places.length <= MAX_PLACES;
    const texts = isTried ? places.filter((place) => failsWith(places.filter((one) => one !== place))) : places;
    write(texts);
    for (const { object } of texts) mended.add(`the ${object.type} ${object.name}`);
  }
  return [...mended];
}

function missingIn(compile: () => unknown): MissingText | undefined {
  try {
    compile();
    return undefined;
  } catch (error) {
    return error instanceof Error ? missingTextOf(error.message) : undefined;
  }
}

function objectsWith(
  db: Database.Database,
  { text, type, name }: MissingText,
  types: readonly string[],
): (SchemaObject & { places: readonly Token[] })[] {
  return db
    .prepare<[string], SchemaObject>("SELECT type, name, sql FROM main.sqlite_schema WHERE instr(sql, ?)")
    .all(quoteName(text))
    .filter((object) => types.includes(object.type) && (name === undefined || (object.name === name && object.type === type)))
    .map((object) => ({ ...object, places: quotedTokens(text, object.sql, tokensOf(object.sql)) }));
}

/** Only the server's own statement runs while the schema can be written. SQLite reads the schema anew. */
function writeSchema(db: Database.Database, objects: readonly SchemaObject[]): void {
  db.unsafeMode(true);
  try {
    db.pragma("writable_schema = ON");
    const write = db.prepare("UPDATE main.sqlite_schema SET sql = ? WHERE type = ? AND name = ?");
    for (const { type, name, sql } of objects) write.run(sql, type, name);
  } finally {
    db.pragma("writable_schema = RESET");
    db.unsafeMode(false);
  }
  db.prepare("SELECT 1 FROM main.sqlite_schema LIMIT 1").get();
}
