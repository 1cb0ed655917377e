// Views of programs whose SQLite reads a name in double quotes as a text where no column is called so: `WHERE continent = "Asia"`. The driver's
// SQLite does not. Each such view gets a temporary one of the same name, which SQLite finds first, with those texts in single quotes.
import type Database from "better-sqlite3";
import { missingQuotedName, quotedTokens, withTexts } from "../../sql/quoted-texts.ts";
import { isName, isSymbol, isWord, quoteName, tokensOf, type Token } from "../../sql/tokens.ts";

/** Texts that are written anew in one view. */
const MAX_TEXTS = 100;
/** Where a text stands more often, all of its places are read alike. */
const MAX_PLACES = 20;
/** For all views: views upon views take long each. */
const MAX_MS = 2000;

interface ReadableViews {
  /** Of the file's schema when they were created. */
  readonly version: number;
  readonly views: ReadonlyMap<string, ReadableView>;
}

export interface ReadableView {
  readonly name: string;
  /** The texts that stand in the view itself; the others are in views that it reads. */
  readonly texts: readonly string[];
}

/** The temporary views of each connection. */
const createdFor = new WeakMap<Database.Database, ReadableViews>();
/** Connections that have had any: a rollback brings back those that were dropped. */
const hadViews = new WeakSet<Database.Database>();

/**
 * Runs `act` on a view of the file, and where that fails for a text in double quotes, on its temporary one. A connection that writes makes
 * none here: a change is for the file's own views.
 */
export function readingQuotedTexts<T>(db: Database.Database, view: string, act: (schema: "main" | "temp") => T): T {
  try {
    return act("main");
  } catch (error) {
    if (!(error instanceof Error) || missingQuotedName(error.message) === undefined || !db.readonly) throw error;
    if (!readableViews(db).has(view.toLowerCase())) throw error;
    return act("temp");
  }
}

/** The temporary views by their names in lower case. They are created here, unless they are there already. */
export function readableViews(db: Database.Database): ReadonlyMap<string, ReadableView> {
  const version = Number(db.pragma("main.schema_version", { simple: true }));
  const known = createdFor.get(db);
  if (known?.version === version) return known.views;
  dropReadableViews(db);
  const views = new Map<string, ReadableView>();
  createdFor.set(db, { version, views });
  const until = performance.now() + MAX_MS;
  const unsafe = unsafeFunctions(db);
  let waiting = viewsOf(db).filter((view) => isSafe(view, unsafe));
  allowingTemporaryViews(db, () => {
    // A view upon others can be read once they can.
    for (let count = -1; count < views.size && performance.now() < until;) {
      count = views.size;
      waiting = waiting.filter((view) => {
        const readable = readableBody(db, view, { views, until });
        if (readable === undefined) return true;
        // SQLite refuses a schema with a second statement behind one, and unlike exec, prepare refuses it too.
        db.prepare(`CREATE TEMP VIEW ${quoteName(view.name)}${view.columns} AS ${readable.body}`).run();
        hadViews.add(db);
        views.set(view.name.toLowerCase(), { name: view.name, texts: readable.texts });
        return false;
      });
    }
  });
  return views;
}

/**
 * Drops the temporary views: before a change, which is for the file's own, and after a change of the schema. False: there were none. A
 * rollback may have removed those of its transaction already.
 */
export function dropReadableViews(db: Database.Database): boolean {
  const hadKnown = (createdFor.get(db)?.views.size ?? 0) > 0;
  createdFor.delete(db);
  if (!hadViews.has(db)) return false;
  const names = db.prepare<[], string>("SELECT name FROM temp.sqlite_schema WHERE type = 'view'").pluck().all();
  if (names.length === 0) return hadKnown;
  allowingTemporaryViews(db, () => {
    for (const name of names) db.exec(`DROP VIEW temp.${quoteName(name)}`);
  });
  return true;
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

/** SQLite trusts temporary views and not those of the file, so one that uses what SQLite refuses there gets none. */
const isSafe = ({ tokens }: View, unsafe: ReadonlySet<string>): boolean =>
  !tokens.some(
    (token, index) =>
      isName(token) && (/^pragma_/i.test(token.value) || (isSymbol(tokens[index + 1], "(") && unsafe.has(token.value.toLowerCase()))),
  );

/** The bit of a function that views of the file may use: https://sqlite.org/c3ref/c_deterministic.html */
const INNOCUOUS = 0x200000;

function unsafeFunctions(db: Database.Database): ReadonlySet<string> {
  const functions = db.pragma("function_list") as { name: string; flags: number }[]; // the columns that SQLite documents
  return new Set(functions.flatMap(({ name, flags }) => ((flags & INNOCUOUS) === 0 ? [name.toLowerCase()] : [])));
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
    // A file may hold any text there: one of several statements, or of another form, is left alone.
    const isOneView = isWord(tokens[1], "VIEW") && nameToken?.value === name && !tokens.some((token) => isSymbol(token, ";"));
    if (as === -1 || !isOneView || first === undefined) return [];
    const columns = sql.slice(nameToken.end, tokens[as]?.start).trim();
    return [{ name, columns, body: sql.slice(first.start), tokens: tokens.slice(as + 1) }];
  });
}

interface Progress {
  /** Those that can be read by now. */
  readonly views: ReadonlyMap<string, ReadableView>;
  readonly until: number;
}

/** The statement of a view with its texts in single quotes; undefined where it needs no temporary view, or can have none yet. */
function readableBody(
  db: Database.Database,
  { body, tokens }: View,
  { views, until }: Progress,
): { body: string; texts: readonly string[] } | undefined {
  const readsViews = tokens.some(({ value, kind }) => kind !== "symbol" && views.has(value.toLowerCase()));
  if (!readsViews && !body.includes('"')) return undefined;
  const texts: string[] = [];
  let written = body;
  while (texts.length < MAX_TEXTS) {
    if (performance.now() > until) return undefined;
    const missing = missingNameIn(db, written);
    if (missing === undefined) break;
    const next = withItsTexts(db, missing, written);
    if (next === undefined) return undefined;
    texts.push(missing);
    written = next;
  }
  return texts.length > 0 || readsViews ? { body: written, texts } : undefined;
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
