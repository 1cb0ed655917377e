// The texts of a memory to embed: each observation with the name of its entity and without the date with which it begins, which is near to
// every other date, and each name with its type. Read on a connection of its own, which sees committed changes only.
import { createHash } from "node:crypto";
import { withoutLeadingDate } from "../../graph/rows/fact-times.ts";
import { openDatabase } from "../../graph/sqlite/driver.ts";
import { SqlConnection } from "../../graph/sqlite/sql-connection.ts";
import { lastSeq } from "../../graph/store/calls.ts";
import type { Progress } from "./vectors/vector-file.ts";

const LOCK_TIMEOUT_MS = 1000;
/** Characters. Many models read no more than 512 tokens, and some endpoints refuse longer texts. */
const MAX_TEXT_LENGTH = 2000;
const MAX_NAME_LENGTH = 200;

export interface MemoryText {
  /** The id of an observation, or the negative id of an entity. */
  readonly id: number;
  readonly entity: number;
  readonly text: string;
}

type Positions = Pick<Progress, "seq" | "at" | "purged" | "entity" | "observation" | "turn">;

const NAME = `substr(e.name, 1, ${MAX_NAME_LENGTH})`;
const ENTITIES = `SELECT -e.id AS id, e.id AS entity, ${NAME} AS name, substr(t.name, 1, ${MAX_NAME_LENGTH}) AS text
  FROM entity e JOIN type t ON t.id = e.type WHERE e.ended IS NULL`;
const OBSERVATIONS = `SELECT o.id AS id, o.entity AS entity, ${NAME} AS name, substr(o.text, 1, ${MAX_TEXT_LENGTH}) AS text
  FROM observation o JOIN entity e ON e.id = o.entity WHERE o.ended IS NULL AND e.ended IS NULL`;

interface TextRow {
  readonly id: number;
  readonly entity: number;
  readonly name: string;
  /** The type of an entity, or an observation. */
  readonly text: string;
}

const toText = ({ id, entity, name, text }: TextRow): MemoryText => ({
  id,
  entity,
  text: id < 0 ? `${name} (${text})` : `${name}: ${withoutLeadingDate(text)}`,
});

export class MemoryTexts {
  readonly #sql: SqlConnection;

  /** `database`: the path of an existing memory. */
  constructor(database: string) {
    this.#sql = new SqlConnection(openDatabase(database, { readonly: true, timeout: LOCK_TIMEOUT_MS }));
  }

  close(): void {
    this.#sql.close();
  }

  /** Runs `query` on one state of the memory. */
  read<T>(query: () => T): T {
    return this.#sql.db.transaction(query)();
  }

  /** The same for all copies of one memory, such as its backups. */
  identity(): string {
    const key = this.#sql.get<{ value: Buffer }>("SELECT value FROM meta WHERE key = 'cursorKey'")?.value ?? Buffer.alloc(0);
    return createHash("sha256").update("vectors").update(key).digest("hex").slice(0, 16);
  }

  /** The ends of the tables now. */
  positions(): Positions {
    const highest = (table: string): number => this.#sql.get<{ id: number | null }>(`SELECT max(id) AS id FROM ${table}`)?.id ?? 0;
    const seq = lastSeq(this.#sql);
    const purged = this.#sql.get<{ value: number }>("SELECT value FROM meta WHERE key = 'purged'")?.value ?? 0;
    return { seq, at: this.timeOf(seq), purged, entity: highest("entity"), observation: highest("observation"), turn: highest("turn") };
  }

  /** When a call was made, in milliseconds since 1970; 0 where there is none. */
  timeOf(seq: number): number {
    return this.#sql.get<{ at: number }>("SELECT at FROM call WHERE seq = ?", seq)?.at ?? 0;
  }

  /** The next texts after those of `progress`: entities first. */
  textsAfter({ entity, observation }: Progress, most: number): MemoryText[] {
    const entities = this.#sql.all<TextRow>(`${ENTITIES} AND e.id > ? ORDER BY e.id LIMIT ?`, entity, most);
    const left = most - entities.length;
    const observations = left === 0 ? [] : this.#sql.all<TextRow>(`${OBSERVATIONS} AND o.id > ? ORDER BY o.id LIMIT ?`, observation, left);
    return [...entities, ...observations].map(toText);
  }

  /** Current texts; others are left out. */
  withIds(ids: readonly number[]): MemoryText[] {
    return ids.flatMap((id) => {
      const row = this.#sql.get<TextRow>(id < 0 ? `${ENTITIES} AND e.id = ?` : `${OBSERVATIONS} AND o.id = ?`, Math.abs(id));
      return row === undefined ? [] : toText(row);
    });
  }

  countAfter({ entity, observation }: Progress): number {
    const count = (table: string, id: number): number =>
      this.#sql.get<{ count: number }>(`SELECT count(*) AS count FROM ${table} WHERE id > ? AND ended IS NULL`, id)?.count ?? 0;
    return count("entity", entity) + count("observation", observation);
  }

  /** Texts that calls after `seq` have ended. */
  endedAfter(seq: number): number[] {
    const ended = (table: string): number[] =>
      this.#sql.all<{ id: number }>(`SELECT id FROM ${table} WHERE ended > ?`, seq).map(({ id }) => id);
    return [...ended("observation"), ...ended("entity").map((id) => -id)];
  }

  /** Texts of entities with a new name or type, up to the positions of `progress`. */
  changedAfter({ turn, entity, observation }: Progress): number[] {
    const changed = this.#sql.all<{ id: number }>(
      "SELECT DISTINCT entity AS id FROM turn WHERE id > ? AND kind IN ('name', 'type') AND entity <= ?",
      turn,
      entity,
    );
    const select = "SELECT id FROM observation WHERE entity = ? AND ended IS NULL AND id <= ?";
    return changed.flatMap(({ id }) => [-id, ...this.#sql.all<{ id: number }>(select, id, observation).map((row) => row.id)]);
  }
}
