// Views of programs whose SQLite reads a name in double quotes as a text where no column is called so: `WHERE continent = "Asia"`. The driver's
// SQLite does not. Each such view gets a temporary one of the same name, which SQLite finds first, with those texts in single quotes.
import type Database from "better-sqlite3";
import { missingQuotedName, quotedTokens, withTexts } from "../sql/quoted-texts.ts";
import { isWord, quoteName, tokensOf, type Token } from "../sql/tokens.ts";

/** Texts that are written anew in one view. */
const MAX_TEXTS = 100;
/** Where a text stands more often, all of its places are read alike. */
const MAX_PLACES = 20;
/** For all views: views upon views take long each. */
const MAX_MS = 2000;

/** The temporary views of each connection, since they were created for its present schema. */
const createdFor = new WeakMap<Database.Database, ReadonlySet<string>>();

/** Runs `act` on the file's own objects, and where that fails for a text in double quotes, on the temporary views. */
export function readingQuotedTexts<T>(db: Database.Database, act: (schema: "main" | "temp") => T): T {
  try {
    return act("main");
  } catch (error) {
    if (!(error instanceof Error) || missingQuotedName(error.message) === undefined) throw error;
    if (!makeViewsReadable(db)) throw error;
    return act("temp");
  }
}

/** Makes the temporary views, unless they are there already. False: there are none to make. */
export function makeViewsReadable(db: Database.Database): boolean {
  const known = createdFor.get(db);
  if (known !== undefined) return known.size > 0;
  const created = new Set<string>();
  createdFor.set(db, created);
  const until = performance.now() + MAX_MS;
  let waiting = viewsOf(db);
  allowingTemporaryViews(db, () => {
    // A view upon others can be read once they can.
    for (let count = -1; count < created.size && performance.now() < until;) {
      count = created.size;
      waiting = waiting.filter((view) => {
        const readable = performance.now() < until ? readableBody(db, view, created) : undefined;
        if (readable === undefined) return true;
        db.exec(`CREATE TEMP VIEW ${quoteName(view.name)}${view.columns} AS ${readable}`);
        created.add(view.name.toLowerCase());
        return false;
      });
    }
  });
  return created.size > 0;
}

/** Drops the temporary views: before a change, which is for the file's own, and after a change of the schema. */
export function dropReadableViews(db: Database.Database): void {
  const created = createdFor.get(db);
  if (created === undefined) return;
  createdFor.delete(db);
  if (created.size === 0) return;
  allowingTemporaryViews(db, () => {
    for (const name of created) db.exec(`DROP VIEW IF EXISTS temp.${quoteName(name)}`);
  });
}

/** A connection that only reads refuses temporary objects too. The file itself is open for reading only. */
function allowingTemporaryViews(db: Database.Database, act: () => void): void {
  const isReadOnly = db.pragma("query_only", { simple: true }) === 1;
  if (isReadOnly) db.pragma("query_only = OFF");
  try {
    act();
  } finally {
    if (isReadOnly) db.pragma("query_only = ON");
  }
}

interface View {
  readonly name: string;
  /** The list of columns after the name, as written, or an empty text. */
  readonly columns: string;
  /** The statement after AS. */
  readonly body: string;
  readonly tokens: readonly Token[];
}

function viewsOf(db: Database.Database): View[] {
  const rows = db
    .prepare<[], { name: string; sql: string }>("SELECT name, sql FROM main.sqlite_schema WHERE type = 'view' AND sql IS NOT NULL")
    .all();
  return rows.flatMap(({ name, sql }) => {
    const tokens = tokensOf(sql);
    const as = tokens.findIndex((token, index) => index > 2 && isWord(token, "AS"));
    const [nameToken, first] = [tokens[2], tokens[as + 1]];
    if (as === -1 || nameToken === undefined || first === undefined) return [];
    const columns = sql.slice(nameToken.end, tokens[as]?.start).trim();
    return [{ name, columns, body: sql.slice(first.start), tokens: tokens.slice(as + 1) }];
  });
}

/** The statement of a view with its texts in single quotes; undefined where it needs no temporary view, or can have none yet. */
function readableBody(db: Database.Database, { body, tokens }: View, created: ReadonlySet<string>): string | undefined {
  const usesCreated = tokens.some(({ value, kind }) => kind !== "symbol" && created.has(value.toLowerCase()));
  let written = body;
  for (let count = 0; count < MAX_TEXTS; count += 1) {
    const missing = missingNameIn(db, written);
    if (missing === undefined) break;
    const next = withItsTexts(db, missing, written);
    if (next === undefined) return undefined;
    written = next;
  }
  return written !== body || usesCreated ? written : undefined;
}

/** Undefined where the name stands nowhere in the statement itself: another view holds it. */
function withItsTexts(db: Database.Database, name: string, sql: string): string | undefined {
  const tokens = tokensOf(sql);
  const places = quotedTokens(name, sql, tokens);
  if (places.length === 0) return undefined;
  if (places.length > MAX_PLACES) return withTexts(name, sql, tokens, places);
  // The same name may be a column at another place, so each is tried as one while all others are texts.
  const texts = places.filter(
    (place) =>
      missingNameIn(
        db,
        withTexts(
          name,
          sql,
          tokens,
          places.filter((one) => one !== place),
        ),
      ) === name,
  );
  return texts.length === 0 ? undefined : withTexts(name, sql, tokens, texts);
}

/** The name in double quotes that keeps a statement from being compiled. */
function missingNameIn(db: Database.Database, sql: string): string | undefined {
  try {
    db.prepare(sql);
    return undefined;
  } catch (error) {
    return error instanceof Error ? missingQuotedName(error.message) : undefined;
  }
}

/** What a name in double quotes stands in, if not in the statement: a view or trigger of the database, in words. */
export function objectWithText(db: Database.Database, name: string): { type: string; name: string } | undefined {
  return db
    .prepare<[string], { type: string; name: string; sql: string }>(
      "SELECT type, name, sql FROM main.sqlite_schema WHERE type IN ('view', 'trigger') AND instr(sql, ?)",
    )
    .all(quoteName(name))
    .find(({ sql }) => quotedTokens(name, sql, tokensOf(sql)).length > 0);
}
