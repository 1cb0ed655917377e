// What a connection that only reads has read of the schema, until the schema changes: the remarks on one statement ask for it ten times.
import type Database from "better-sqlite3";

const MAX_ANSWERS = 500;

interface SchemaCache {
  readonly currentVersion: Database.Statement<[], number>;
  /** For which the answers are. */
  version: number | undefined;
  readonly answers: Map<string, unknown>;
}

const caches = new WeakMap<Database.Database, SchemaCache>();

/** Reads an answer unless the cache has it under this key. A connection that writes has no cache: a rollback takes versions back. */
export function readSchemaOnce<T>(db: Database.Database, key: string, read: () => T): T {
  if (!db.readonly) return read();
  const { answers } = cacheOf(db);
  const known = answers.get(key) as T | undefined; // of this key
  if (known !== undefined) return known;
  const answer = read();
  if (answers.size >= MAX_ANSWERS) answers.clear();
  answers.set(key, answer);
  return answer;
}

function cacheOf(db: Database.Database): SchemaCache {
  const cache = caches.get(db) ?? newCache(db);
  caches.set(db, cache);
  const version = cache.currentVersion.get();
  if (cache.version !== version) cache.answers.clear();
  cache.version = version;
  return cache;
}

const newCache = (db: Database.Database): SchemaCache => ({
  currentVersion: db.prepare<[], number>("PRAGMA main.schema_version").pluck(),
  version: undefined,
  answers: new Map(),
});
