// Texts in SQLite, found with the text indexes.
import type { EntityRow } from "../rows/entities.ts";
import { MAX_PAST_TEXTS, type FoundObservation, type PastText, type TextKind, type TextRows, type TextSearch } from "../rows/texts.ts";
import type { SqlConnection } from "../sqlite/sql-connection.ts";
import { CandidateReader, firstIdsWithAll, firstIdsWithAny, textsWithAny } from "../text-index/candidates.ts";
import { fold } from "../text-index/normalization.ts";
import { estimateMatches, mayBeRare } from "../text-index/trigram-frequency.ts";
import { SELECT_ENTITY } from "./sqlite-entities.ts";

const OF_TYPES = `${SELECT_ENTITY} WHERE e.type IN (SELECT value FROM json_each(?)) AND e.id < ? AND e.ended IS NULL ORDER BY e.id DESC`;

const PAST_TEXTS = `SELECT e.name, o.text FROM observation o JOIN entity e ON e.id = o.entity WHERE o.ended IS NOT NULL
  ORDER BY o.ended DESC, o.id DESC LIMIT ${MAX_PAST_TEXTS}`;

/** The indexes give candidates; each is checked in its text. */
class SqliteTextSearch implements TextSearch {
  readonly #sql: SqlConnection;
  readonly #folded: string;
  readonly #candidates: CandidateReader;

  constructor(sql: SqlConnection, folded: string) {
    this.#sql = sql;
    this.#folded = folded;
    this.#candidates = new CandidateReader(sql, folded);
  }

  *names(before?: number): Generator<EntityRow> {
    for (const id of this.#candidates.idsOf("name", before)) {
      const entity = this.#sql.get<EntityRow>(`${SELECT_ENTITY} WHERE e.id = ? AND e.ended IS NULL`, id);
      if (entity !== undefined && fold(entity.name).includes(this.#folded)) yield entity;
    }
  }

  *ofTypes(before?: number): Generator<EntityRow> {
    const types: number[] = [];
    for (const id of this.#candidates.idsOf("type")) {
      const name = this.#sql.get<{ name: string }>("SELECT name FROM type WHERE id = ?", id)?.name;
      if (name !== undefined && fold(name).includes(this.#folded)) types.push(id);
    }
    if (types.length > 0) yield* this.#sql.iterate<EntityRow>(OF_TYPES, JSON.stringify(types), before ?? Number.MAX_SAFE_INTEGER);
  }

  *observations(before?: number): Generator<FoundObservation> {
    const select = "SELECT id, entity, text FROM observation WHERE id = ? AND ended IS NULL";
    for (const id of this.#candidates.idsOf("observation", before)) {
      const row = this.#sql.get<FoundObservation>(select, id);
      if (row !== undefined && fold(row.text).includes(this.#folded)) yield row;
    }
  }

  close(): void {
    this.#candidates.close();
  }
}

export class SqliteTexts implements TextRows {
  readonly #sql: SqlConnection;

  constructor(sql: SqlConnection) {
    this.#sql = sql;
  }

  search(folded: string): TextSearch {
    return new SqliteTextSearch(this.#sql, folded);
  }

  hasNewerMatch(entity: number, observation: number, folded: string): boolean {
    const select = "SELECT text FROM observation WHERE entity = ? AND ended IS NULL AND id > ? ORDER BY id DESC";
    for (const { text } of this.#sql.iterate<{ text: string }>(select, entity, observation)) if (fold(text).includes(folded)) return true;
    return false;
  }

  firstIdsWithAll(kind: TextKind, words: readonly string[], most: number): number[] {
    return firstIdsWithAll(this.#sql, kind, words, most);
  }

  firstIdsWithAny(pieces: readonly string[], most: number): Record<TextKind, number[]> {
    return firstIdsWithAny(this.#sql, pieces, most);
  }

  withAny(groups: readonly (readonly string[])[], most: number): Iterable<string> {
    return textsWithAny(this.#sql, groups, most);
  }

  pastWithAny(pieces: readonly string[], most: number): PastText[] {
    const found: PastText[] = [];
    for (const { name, text } of this.#sql.iterate<PastText>(PAST_TEXTS)) {
      const folded = fold(text);
      if (pieces.some((piece) => folded.includes(piece)) && found.push({ name, text }) === most) break;
    }
    return found;
  }

  estimate(word: string): number {
    return estimateMatches(this.#sql, word);
  }

  mayBeRare(word: string): boolean {
    return mayBeRare(this.#sql, word);
  }

  ownersOf(observations: readonly number[]): number[] {
    const select = "SELECT DISTINCT entity FROM observation WHERE id IN (SELECT value FROM json_each(?))";
    return this.#sql.tuples<[number]>(select, JSON.stringify(observations)).map(([entity]) => entity);
  }

  entityIdsOfType(type: number, most: number): number[] {
    const select = "SELECT id FROM entity WHERE type = ? AND ended IS NULL ORDER BY id DESC LIMIT ?";
    return this.#sql.all<{ id: number }>(select, type, most).map(({ id }) => id);
  }
}
