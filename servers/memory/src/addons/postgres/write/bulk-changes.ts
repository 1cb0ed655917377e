// Rows to insert and to end, written with one statement for each kind.
import { fold } from "../../../graph/text-index/normalization.ts";
import type { PostgresConnection } from "../engine/postgres-connection.ts";

export interface NewEntity {
  readonly id: number;
  readonly name: string;
  readonly key: string;
  readonly type: number;
  readonly created: number;
  readonly extra: string | null;
  ended?: number;
}

export interface NewObservation {
  readonly id: number;
  readonly entity: number;
  readonly text: string;
  readonly created: number;
  readonly times: string | null;
  ended?: number;
  successor?: number | undefined;
}

export interface NewRelation {
  readonly id: number;
  readonly source: string;
  readonly target: string;
  readonly type: string;
  readonly created: number;
  readonly extra: string | null;
  ended?: number;
}

/** Texts of one statement, in characters: a larger one would need too much memory at once. */
const MAX_STATEMENT_LENGTH = 20_000_000;

export class BulkChanges {
  readonly types: { id: number; name: string }[] = [];
  readonly entities = new Map<number, NewEntity>();
  readonly observations = new Map<number, NewObservation>();
  readonly relations = new Map<number, NewRelation>();
  readonly endedEntities: number[] = [];
  readonly endedObservations: { id: number; successor: number | undefined }[] = [];
  readonly endedRelations: number[] = [];
  readonly confirmedObservations: number[] = [];

  /** Ends rows first: a new one may have the name of one that ends. */
  async write(sql: PostgresConnection, seq: number): Promise<void> {
    await this.#endRows(sql, seq);
    if (this.confirmedObservations.length > 0)
      await sql.run("update observation set confirmed = $1 where id = any($2::bigint[])", seq, this.confirmedObservations);
    const { types } = this;
    if (types.length > 0)
      await sql.run(
        "insert into type (id, name, folded) select * from unnest($1::bigint[], $2::text[], $3::text[])",
        types.map(({ id }) => id),
        types.map(({ name }) => name),
        types.map(({ name }) => fold(name)),
      );
    await this.#insertEntities(sql);
    await this.#insertObservations(sql);
    await this.#insertRelations(sql);
  }

  async #endRows(sql: PostgresConnection, seq: number): Promise<void> {
    const end = (table: string): string => `update ${table} set ended = $1 where id = any($2::bigint[]) and ended is null`;
    if (this.endedEntities.length > 0) await sql.run(end("entity"), seq, this.endedEntities);
    if (this.endedRelations.length > 0) await sql.run(end("relation"), seq, this.endedRelations);
    if (this.endedObservations.length === 0) return;
    await sql.run(
      `update observation o set ended = $1, successor = w.successor from unnest($2::bigint[], $3::bigint[]) w(id, successor) where o.id = w.id`,
      seq,
      this.endedObservations.map(({ id }) => id),
      this.endedObservations.map(({ successor }) => successor ?? null),
    );
  }

  async #insertEntities(sql: PostgresConnection): Promise<void> {
    for (const rows of inStatements(this.entities.values(), ({ name }) => name.length))
      await sql.run(
        `insert into entity (id, name, key, folded, type, created, ended, extra) select * from
         unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::bigint[], $6::bigint[], $7::bigint[], $8::text[])`,
        rows.map(({ id }) => id),
        rows.map(({ name }) => name),
        rows.map(({ key }) => key),
        rows.map(({ name }) => fold(name)),
        rows.map(({ type }) => type),
        rows.map(({ created }) => created),
        rows.map(({ ended }) => ended ?? null),
        rows.map(({ extra }) => extra),
      );
  }

  async #insertObservations(sql: PostgresConnection): Promise<void> {
    for (const rows of inStatements(this.observations.values(), ({ text }) => text.length))
      await sql.run(
        `insert into observation (id, entity, text, folded, created, ended, successor, times) select * from
         unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[], $5::bigint[], $6::bigint[], $7::bigint[], $8::text[])`,
        rows.map(({ id }) => id),
        rows.map(({ entity }) => entity),
        rows.map(({ text }) => text),
        rows.map(({ text }) => fold(text)),
        rows.map(({ created }) => created),
        rows.map(({ ended }) => ended ?? null),
        rows.map(({ successor }) => successor ?? null),
        rows.map(({ times }) => times),
      );
  }

  async #insertRelations(sql: PostgresConnection): Promise<void> {
    for (const rows of inStatements(this.relations.values(), ({ source, target }) => source.length + target.length))
      await sql.run(
        `insert into relation (id, source, target, type, created, ended, extra) select * from
         unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::bigint[], $6::bigint[], $7::text[])`,
        rows.map(({ id }) => id),
        rows.map(({ source }) => source),
        rows.map(({ target }) => target),
        rows.map(({ type }) => type),
        rows.map(({ created }) => created),
        rows.map(({ ended }) => ended ?? null),
        rows.map(({ extra }) => extra),
      );
  }
}

function* inStatements<Row>(rows: Iterable<Row>, lengthOf: (row: Row) => number): Generator<Row[]> {
  let statement: Row[] = [];
  let length = 0;
  for (const row of rows) {
    statement.push(row);
    length += lengthOf(row) + 100;
    if (length < MAX_STATEMENT_LENGTH) continue;
    yield statement;
    statement = [];
    length = 0;
  }
  if (statement.length > 0) yield statement;
}
