// The tables of a memory in Postgres. As in SQLite, only a purge deletes rows: each row has the number of the call that created it and, if it
// is no longer current, of the call that ended it.
import { newerFormat } from "../../graph/errors.ts";
import type { PostgresConnection } from "./engine/postgres-connection.ts";
import { foldTextsAgain } from "./write/fold-texts.ts";

/** Version of the tables. */
export const FORMAT_VERSION = 4;

/** Throws a GraphError for tables that a newer server has upgraded, also while this one runs. */
export function checkFormat(format: number): void {
  if (format > FORMAT_VERSION) throw newerFormat(format, FORMAT_VERSION);
}

/** Characters of a key that its index holds: Postgres allows 2,700 bytes in an entry. */
export const INDEXED_KEY_LENGTH = 500;

/**
 * The row of `graph` is locked by every change, so that calls get their numbers in the order of their commits, and ids grow in that order
 * too. Names are indexed by their MD5 sums, because they may be longer than an entry of an index.
 */
export const TABLES = `
  create table graph (
    only_row boolean primary key default true check (only_row), format int not null, cursor_key bytea not null,
    seq bigint not null default 0, purged bigint not null default 0,
    entity_id bigint not null default 0, type_id bigint not null default 0, observation_id bigint not null default 0, relation_id bigint not null default 0,
    entities bigint not null default 0, relations bigint not null default 0, history_start bigint not null default 0);

  create table call (seq bigint primary key, at bigint not null, client text collate "C");
  create index call_at on call (at);

  create table type (id bigint primary key, name text collate "C" not null, folded text collate "C" not null);
  create unique index type_name on type (md5(name));
  create index type_folded on type using gin (folded gin_trgm_ops);

  create table entity (
    id bigint primary key, name text collate "C" not null, key text collate "C" not null, folded text collate "C" not null,
    type bigint not null, created bigint not null, ended bigint, extra text);
  create unique index entity_name on entity (md5(name)) where ended is null;
  create index entity_past on entity (md5(name)) where ended is not null;
  create index entity_ended on entity (ended) where ended is not null;
  create index entity_key on entity (left(key, ${INDEXED_KEY_LENGTH}), id) where ended is null;
  create index entity_type on entity (type, id) where ended is null;
  create index entity_folded on entity using gin (folded gin_trgm_ops) where ended is null;

  create table observation (
    id bigint primary key, entity bigint not null, text text collate "C" not null, folded text collate "C" not null,
    created bigint not null, ended bigint, successor bigint, confirmed bigint, times text collate "C");
  create index observation_entity on observation (entity, id) where ended is null;
  create index observation_past on observation (entity) where ended is not null;
  create index observation_ended on observation (ended) where ended is not null;
  create index observation_folded on observation using gin (folded gin_trgm_ops) where ended is null;

  create table relation (
    id bigint primary key, source text collate "C" not null, target text collate "C" not null, type text collate "C" not null,
    created bigint not null, ended bigint, extra text);
  create unique index relation_ends on relation (md5(source), md5(target), md5(type)) where ended is null;
  create index relation_target on relation (md5(target)) where ended is null;
  create index relation_past_source on relation (md5(source)) where ended is not null;
  create index relation_past_target on relation (md5(target)) where ended is not null;
  create index relation_ended on relation (ended) where ended is not null;

  -- Renames, new types and merges of entities, as in SQLite.
  create table turn (
    id bigint generated always as identity primary key, seq bigint not null, entity bigint not null, kind text not null,
    past text collate "C" not null, present text collate "C" not null);
  create index turn_entity on turn (entity);
  create index turn_past on turn (md5(past));
  create index turn_seq on turn (seq);

  -- Records of JSONL files that are neither entities nor relations.
  create table record (id bigint generated always as identity primary key, line text collate "C" not null, created bigint not null, ended bigint);

  insert into graph (format, cursor_key) values (${FORMAT_VERSION}, decode(md5(random()::text || clock_timestamp()) || md5(random()::text || gen_random_uuid()), 'hex'));
`;

/** Each entry upgrades tables from its version to the next one, beside servers that use the older version. */
export const UPGRADES: ReadonlyMap<number, (sql: PostgresConnection) => Promise<unknown>> = new Map([
  [
    1,
    (sql: PostgresConnection): Promise<unknown> =>
      sql.run(`alter table observation add column confirmed bigint;
        alter table graph add column history_start bigint not null default 0;
        update graph set format = 2`),
  ],
  [2, foldTextsAgain],
  [
    3,
    (sql: PostgresConnection): Promise<unknown> =>
      sql.run(`alter table observation add column times text collate "C";
        update graph set format = 4`),
  ],
]);
