// The tables of a store. Only a purge deletes rows: each row has the number of the call that created it and, if it is no longer
// current, of the call that ended it. So every past state can be read. Ids grow with time and are never reused: newer rows have higher ids.
import { newerFormat } from "../errors.ts";
import type { SqlConnection } from "./sql-connection.ts";

/** "OARM": marks the file as a memory. */
export const APPLICATION_ID = 0x4f41524d;

/** Version of the tables. */
export const FORMAT_VERSION = 5;

/** Throws a GraphError for tables that a newer server has upgraded, also while this one runs. */
export function checkFormat(sql: Pick<SqlConnection, "get">): void {
  const format = sql.get<{ format: number }>("SELECT user_version AS format FROM pragma_user_version")?.format ?? 0;
  if (format > FORMAT_VERSION) throw newerFormat(format, FORMAT_VERSION);
}

export const TABLES = `
  CREATE TABLE meta (key TEXT PRIMARY KEY, value) WITHOUT ROWID;
  INSERT INTO meta (key, value) VALUES ('cursorKey', randomblob(32));
  CREATE TABLE call (seq INTEGER PRIMARY KEY AUTOINCREMENT, at INTEGER NOT NULL, client TEXT);

  CREATE TABLE type (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);

  CREATE TABLE entity (
    id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, key TEXT NOT NULL, type INTEGER NOT NULL,
    created INTEGER NOT NULL, ended INTEGER, extra TEXT);
  CREATE UNIQUE INDEX entity_name ON entity (name) WHERE ended IS NULL;
  CREATE INDEX entity_past ON entity (name) WHERE ended IS NOT NULL;
  CREATE INDEX entity_ended ON entity (ended) WHERE ended IS NOT NULL;
  CREATE INDEX entity_key ON entity (key) WHERE ended IS NULL;
  CREATE INDEX entity_type ON entity (type) WHERE ended IS NULL;

  CREATE TABLE observation (
    id INTEGER PRIMARY KEY AUTOINCREMENT, entity INTEGER NOT NULL, text TEXT NOT NULL,
    created INTEGER NOT NULL, ended INTEGER, successor INTEGER);
  CREATE INDEX observation_entity ON observation (entity) WHERE ended IS NULL;
  CREATE INDEX observation_past ON observation (entity) WHERE ended IS NOT NULL;
  CREATE INDEX observation_ended ON observation (ended) WHERE ended IS NOT NULL;

  CREATE TABLE relation (
    id INTEGER PRIMARY KEY AUTOINCREMENT, source TEXT NOT NULL, target TEXT NOT NULL, type TEXT NOT NULL,
    created INTEGER NOT NULL, ended INTEGER, extra TEXT);
  CREATE UNIQUE INDEX relation_ends ON relation (source, target, type) WHERE ended IS NULL;
  CREATE INDEX relation_target ON relation (target) WHERE ended IS NULL;
  CREATE INDEX relation_past_source ON relation (source) WHERE ended IS NOT NULL;
  CREATE INDEX relation_past_target ON relation (target) WHERE ended IS NOT NULL;
  CREATE INDEX relation_ended ON relation (ended) WHERE ended IS NOT NULL;

  -- Renames, new types and merges of entities. The columns past and present hold names, or types where the kind is 'type'.
  -- The kinds 'source' and 'target' are ends of relations that a merge has moved; there entity is the negative id of the relation.
  CREATE TABLE turn (
    id INTEGER PRIMARY KEY AUTOINCREMENT, seq INTEGER NOT NULL, entity INTEGER NOT NULL, kind TEXT NOT NULL,
    past TEXT NOT NULL, present TEXT NOT NULL);
  CREATE INDEX turn_entity ON turn (entity);

  -- Records of the JSONL file that are neither entities nor relations: kept for the programs that wrote them.
  CREATE TABLE record (id INTEGER PRIMARY KEY AUTOINCREMENT, line TEXT NOT NULL, created INTEGER NOT NULL, ended INTEGER);

  -- Without copies of the texts. Row ids are reversed (see index-positions.ts), so that newer texts come first.
  -- A deleted text is marked and leaves the index when its parts are merged: removing it at once takes a hundred times as long.
  CREATE VIRTUAL TABLE trigram USING fts5 (text, content='', columnsize=0, detail=none, tokenize='trigram case_sensitive 1');
  CREATE VIRTUAL TABLE gram USING fts5 (text, content='', columnsize=0, detail=none, tokenize='ascii');
`;

/** The highest ids of names and observations in the indexes (text-index.ts). In a store of version 1 the indexes hold everything. */
export const INDEXED_TABLE = `
  CREATE TABLE indexed (name INTEGER NOT NULL, observation INTEGER NOT NULL);
  INSERT INTO indexed SELECT ifnull((SELECT max(id) FROM entity), 0), ifnull((SELECT max(id) FROM observation), 0);
`;

/** The last call that stated an observation again. */
export const CONFIRMED_COLUMN = "ALTER TABLE observation ADD COLUMN confirmed INTEGER";

/** When a fact holds and was stated (rows/fact-times.ts). */
export const TIMES_COLUMN = "ALTER TABLE observation ADD COLUMN times TEXT";

/** Every creation looks up former names. */
export const FORMER_NAMES_INDEX = "CREATE INDEX IF NOT EXISTS turn_past ON turn (past)";
