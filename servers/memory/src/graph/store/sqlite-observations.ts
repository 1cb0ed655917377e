// Observations in SQLite.
import type { ChangedObservation, ObservationRow, ObservationRows, ObservationVersion } from "../rows/observations.ts";
import type { SqlConnection } from "../sqlite/sql-connection.ts";
import type { TextIndex } from "../text-index/text-index.ts";
import { markMirrorStale } from "./stale-mirror.ts";

const CURRENT = "SELECT id, text, created, confirmed, times FROM observation WHERE entity = ? AND ended IS NULL ORDER BY id";

/** A later confirmation is not known yet. */
const SELECT_PAST =
  "SELECT id, text, created, iif(confirmed <= ?2, confirmed, NULL) AS confirmed, times FROM observation WHERE entity = ?1";
const AS_OF = `${SELECT_PAST} AND ended IS NULL AND created <= ?2 UNION ALL ${SELECT_PAST} AND ended > ?2 AND created <= ?2 ORDER BY id`;

/** In two queries, because current and past rows have indexes of their own. */
const VERSION = "o.id, o.text, o.created, o.ended, o.confirmed, o.times, s.text AS successor";
const SELECT_VERSIONS = `SELECT ${VERSION} FROM observation o LEFT JOIN observation s ON s.id = o.successor WHERE o.entity = ?1`;
const VERSIONS = `${SELECT_VERSIONS} AND o.ended IS NULL UNION ALL ${SELECT_VERSIONS} AND o.ended IS NOT NULL`;

const LAST_CHANGED = `WITH last (id) AS (SELECT * FROM (SELECT id FROM observation ORDER BY id DESC LIMIT ?1)
    UNION SELECT * FROM (SELECT id FROM observation WHERE ended IS NOT NULL ORDER BY ended DESC, id DESC LIMIT ?1))
  SELECT ${VERSION}, e.name AS entity FROM last JOIN observation o ON o.id = last.id JOIN entity e ON e.id = o.entity
    LEFT JOIN observation s ON s.id = o.successor ORDER BY o.id`;

export class SqliteObservations implements ObservationRows {
  readonly #sql: SqlConnection;
  readonly #textIndex: TextIndex;

  constructor(sql: SqlConnection, textIndex: TextIndex) {
    this.#sql = sql;
    this.#textIndex = textIndex;
  }

  of(entity: number, asOf?: number): readonly ObservationRow[] {
    if (asOf !== undefined) return this.#sql.all<ObservationRow>(AS_OF, entity, asOf);
    return this.#sql.once(`observations ${entity}`, () => this.#sql.all<ObservationRow>(CURRENT, entity));
  }

  countOf(entity: number): number {
    const select = "SELECT count(*) AS count FROM observation WHERE entity = ? AND ended IS NULL";
    return this.#sql.get<{ count: number }>(select, entity)?.count ?? 0;
  }

  newest(most: number): { entity: number; created: number }[] {
    return this.#sql.all("SELECT entity, created FROM observation WHERE ended IS NULL ORDER BY id DESC LIMIT ?", most);
  }

  versionsOf(entity: number): ObservationVersion[] {
    return this.#sql.all(VERSIONS, entity);
  }

  pastCountOf(entity: number): number {
    const select = "SELECT count(*) AS count FROM observation WHERE entity = ? AND ended IS NOT NULL";
    return this.#sql.get<{ count: number }>(select, entity)?.count ?? 0;
  }

  lastChanged(most: number): ChangedObservation[] {
    return this.#sql.all(LAST_CHANGED, most);
  }

  insert(seq: number, entity: number, text: string, times: string | null = null): number {
    const insert = "INSERT INTO observation (entity, text, created, times) VALUES (?, ?, ?, ?)";
    const id = this.#sql.insert(insert, entity, text, seq, times);
    this.#textIndex.add("observation", id, text);
    return id;
  }

  setTimes(id: number, times: string | null): void {
    this.#sql.run("UPDATE observation SET times = ? WHERE id = ?", times, id);
    markMirrorStale(this.#sql);
  }

  confirm(seq: number, id: number): void {
    this.#sql.run("UPDATE observation SET confirmed = ? WHERE id = ?", seq, id);
  }

  end(seq: number, { id, text }: Pick<ObservationRow, "id" | "text">, successor?: number): void {
    this.#sql.run("UPDATE observation SET ended = ?, successor = ? WHERE id = ?", seq, successor ?? null, id);
    this.#textIndex.remove("observation", id, text);
  }
}
