// The log of calls in SQLite.
import type { Call, Calls, EntityChange, MovedEnd, NamedChange, Rename } from "../rows/calls.ts";
import type { SqlConnection } from "../sqlite/sql-connection.ts";

const RENAMES = `SELECT t.entity, t.past, e.name AS present, e.created FROM turn t JOIN entity e ON e.id = t.entity
  WHERE t.seq > ? AND t.kind = 'name' ORDER BY t.id DESC`;

const MOVED_ENDS = `SELECT -entity AS relation, seq, kind AS end, past FROM turn
  WHERE seq > ? AND kind IN ('source', 'target') ORDER BY id DESC`;

const LAST_CHANGES = `SELECT t.seq, t.kind, t.past, t.present, e.name AS entity FROM turn t JOIN entity e ON e.id = t.entity
  ORDER BY t.id DESC LIMIT ?`;

export class SqliteCalls implements Calls {
  readonly #sql: SqlConnection;

  constructor(sql: SqlConnection) {
    this.#sql = sql;
  }

  last(): number {
    return this.#seq("SELECT max(seq) AS seq FROM call") ?? 0;
  }

  firstSince(time: number): number | undefined {
    return this.#seq("SELECT min(seq) AS seq FROM call WHERE at >= ?", time);
  }

  lastUntil(time: number): number | undefined {
    return this.#seq("SELECT max(seq) AS seq FROM call WHERE at <= ?", time);
  }

  historyStart(): number {
    return this.#sql.get<{ value: number }>("SELECT value FROM meta WHERE key = 'historyStart'")?.value ?? 0;
  }

  find(seq: number): Call | undefined {
    return this.#sql.get("SELECT at, client FROM call WHERE seq = ?", seq);
  }

  renamesSince(seq: number): Rename[] {
    return this.#sql.all(RENAMES, seq);
  }

  movedEndsSince(seq: number): MovedEnd[] {
    return this.#sql.all(MOVED_ENDS, seq);
  }

  entityEndedBy(seq: number, name: string): number | undefined {
    return this.#sql.get<{ id: number }>("SELECT id FROM entity WHERE name = ? AND ended = ?", name, seq)?.id;
  }

  changesOf(entity: number): EntityChange[] {
    return this.#sql.all("SELECT seq, kind, past, present FROM turn WHERE entity = ? ORDER BY id", entity);
  }

  lastChanges(most: number): NamedChange[] {
    return this.#sql.all(LAST_CHANGES, most);
  }

  mergedInto(seq: number, name: string): string | undefined {
    const select = "SELECT present FROM turn WHERE kind = 'merged' AND past = ? AND seq = ?";
    return this.#sql.get<{ present: string }>(select, name, seq)?.present;
  }

  #seq(select: string, ...values: number[]): number | undefined {
    return this.#sql.get<{ seq: number | null }>(select, ...values)?.seq ?? undefined;
  }
}
