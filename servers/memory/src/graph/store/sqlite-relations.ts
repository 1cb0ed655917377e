// Relations in SQLite.
import type { Counted } from "../model.ts";
import type { End, RelationRow, RelationRows, RelationVersion } from "../rows/relations.ts";
import type { SqlConnection } from "../sqlite/sql-connection.ts";
import { chunksAfter } from "./chunks.ts";
import { markMirrorStale } from "./stale-mirror.ts";

const SELECT = "SELECT id, source, target, type, extra FROM relation";

const selectCurrent = (end: End): string => `${SELECT} WHERE ${end} = ? AND ended IS NULL`;
const CURRENT: Readonly<Record<End, string>> = { source: selectCurrent("source"), target: selectCurrent("target") };

/** Nearly all entities have so few relations: they are read at once, which takes half the time. */
const FEW = 20;
const FIRST: Readonly<Record<End, string>> = { source: `${CURRENT.source} LIMIT ${FEW + 1}`, target: `${CURRENT.target} LIMIT ${FEW + 1}` };

const selectAsOf = (end: End): string =>
  `${SELECT} WHERE ${end} = ?1 AND ended IS NULL AND created <= ?2
   UNION ALL ${SELECT} WHERE ${end} = ?1 AND ended > ?2 AND created <= ?2`;
const AS_OF: Readonly<Record<End, string>> = { source: selectAsOf("source"), target: selectAsOf("target") };

const SELECT_VERSION = "SELECT id, source, target, type, extra, created, ended FROM relation";
const selectVersions = (ended: string): string =>
  `${SELECT_VERSION} WHERE source = ?1 AND ended ${ended} UNION ${SELECT_VERSION} WHERE target = ?1 AND ended ${ended}`;
const [PRESENT_VERSIONS, PAST_VERSIONS] = [selectVersions("IS NULL"), selectVersions("IS NOT NULL")];
const LAST_CHANGED = `SELECT * FROM (${SELECT_VERSION} ORDER BY id DESC LIMIT ?1)
  UNION SELECT * FROM (${SELECT_VERSION} WHERE ended IS NOT NULL ORDER BY ended DESC, id DESC LIMIT ?1) ORDER BY id`;

export class SqliteRelations implements RelationRows {
  readonly #sql: SqlConnection;

  constructor(sql: SqlConnection) {
    this.#sql = sql;
  }

  at(end: End, name: string, asOf?: number): Iterable<RelationRow> {
    if (asOf !== undefined) return this.#sql.iterate<RelationRow>(AS_OF[end], name, asOf);
    const first = this.#sql.once(`relations ${end} ${name}`, () => this.#sql.all<RelationRow>(FIRST[end], name));
    return first.length <= FEW ? first : this.#sql.iterate<RelationRow>(CURRENT[end], name);
  }

  byId(id: number, asOf: number): RelationRow | undefined {
    return this.#sql.get(`${SELECT} WHERE id = ?1 AND created <= ?2 AND (ended IS NULL OR ended > ?2)`, id, asOf);
  }

  idOf(source: string, target: string, type: string): number | undefined {
    const select = "SELECT id FROM relation WHERE source = ? AND target = ? AND type = ? AND ended IS NULL";
    return this.#sql.get<{ id: number }>(select, source, target, type)?.id;
  }

  idsAt(name: string): number[] {
    const select =
      "SELECT id FROM relation WHERE source = ?1 AND ended IS NULL UNION SELECT id FROM relation WHERE target = ?1 AND ended IS NULL";
    return this.#sql.all<{ id: number }>(select, name).map(({ id }) => id);
  }

  typesBetween(source: string, target: string): string[] {
    const select = "SELECT type FROM relation WHERE source = ? AND target = ? AND ended IS NULL";
    return this.#sql.all<{ type: string }>(select, source, target).map(({ type }) => type);
  }

  *createdAfter(after: number): Generator<RelationRow> {
    const select = `${SELECT} WHERE id > ? AND ended IS NULL ORDER BY id`;
    for (const rows of chunksAfter<[number, string, string, string, string | null]>(this.#sql, select, after))
      for (const [id, source, target, type, extra] of rows) yield { id, source, target, type, extra };
  }

  ofType(type: string, most: number): RelationRow[] {
    return this.#sql.all(`${SELECT} WHERE type = ? AND ended IS NULL ORDER BY id LIMIT ?`, type, most);
  }

  typeCounts(most: number): Counted[] {
    const select =
      "SELECT type AS name, count(*) AS count FROM relation WHERE ended IS NULL GROUP BY type ORDER BY count DESC, type LIMIT ?";
    return this.#sql.all(select, most);
  }

  versionsAt(name: string): RelationVersion[] {
    return [...this.#sql.all<RelationVersion>(PRESENT_VERSIONS, name), ...this.#sql.all<RelationVersion>(PAST_VERSIONS, name)];
  }

  lastChanged(most: number): RelationVersion[] {
    return this.#sql.all(LAST_CHANGED, most);
  }

  insert(seq: number, source: string, target: string, type: string, extra?: string): void {
    const insert = "INSERT INTO relation (source, target, type, created, extra) VALUES (?, ?, ?, ?, ?)";
    this.#sql.insert(insert, source, target, type, seq, extra ?? null);
  }

  end(seq: number, id: number): number {
    return this.#sql.run("UPDATE relation SET ended = ? WHERE id = ? AND ended IS NULL", seq, id);
  }

  setExtra(id: number, extra: string): void {
    this.#sql.run("UPDATE relation SET extra = ? WHERE id = ?", extra, id);
    markMirrorStale(this.#sql);
  }
}
