// The rows of one transaction in Postgres: what has been loaded, and what the operation has changed.
import type { FigureLimits, Figures, Rows, Totals, Wanted } from "../../../graph/rows/rows.ts";
import { isStorable } from "../../../graph/validation.ts";
import { EntityLookups } from "./entity-lookups.ts";
import { readState, type GraphState } from "../write/graph-state.ts";
import { countFigures } from "./postgres-figures.ts";
import { Lookup, NotLoaded, keyOf } from "./lookups.ts";
import { PendingChanges } from "../write/pending-changes.ts";
import { CallLookups, PostgresCalls } from "./postgres-calls.ts";
import type { PostgresConnection } from "../engine/postgres-connection.ts";
import { PostgresEntities } from "./postgres-entities.ts";
import { ObservationLookups, PostgresObservations } from "./postgres-observations.ts";
import { PostgresRelations, RelationLookups } from "./postgres-relations.ts";
import { PostgresTexts, TextLookups } from "./postgres-texts.ts";

const FIRST_BATCH = 32;
const MAX_BATCH = 8192;

/** What a transaction has read. Kept when its operation starts again. */
export class Loaded {
  readonly entities = new EntityLookups();
  readonly observations = new ObservationLookups();
  readonly relations = new RelationLookups();
  readonly calls = new CallLookups();
  readonly texts = new TextLookups();
  readonly figures = new Lookup<string, Figures | undefined>(
    async (sql, keys) => {
      const found = new Map<string, Figures>();
      for (const key of keys) found.set(key, await countFigures(sql, JSON.parse(key) as FigureLimits)); // as `figures` below makes it
      return found;
    },
    () => undefined,
  );
  state: GraphState | undefined;

  /** Throws NotLoaded where it is not known yet. */
  requireState(): GraphState {
    if (this.state !== undefined) return this.state;
    throw new NotLoaded(async (sql) => void (this.state = await readState(sql)));
  }
}

export class PostgresRows implements Rows {
  readonly entities: PostgresEntities;
  readonly observations: PostgresObservations;
  readonly relations: PostgresRelations;
  readonly calls: PostgresCalls;
  readonly texts: PostgresTexts;
  readonly pending: PendingChanges;
  readonly #loaded: Loaded;

  constructor(loaded: Loaded) {
    this.#loaded = loaded;
    this.pending = new PendingChanges(loaded.state);
    this.entities = new PostgresEntities(loaded.entities, this.pending);
    this.observations = new PostgresObservations(loaded.observations, this.pending);
    this.relations = new PostgresRelations(loaded.relations, this.pending);
    this.calls = new PostgresCalls(loaded.calls, () => loaded.requireState());
    this.texts = new PostgresTexts(loaded.texts);
  }

  /** The transaction has one state. */
  read<T>(query: () => T): T {
    return query();
  }

  /** Throws NotLoaded for everything that is wanted and not loaded yet. */
  prepare(wanted: Wanted): void {
    const loads = [...this.#loadsOf(wanted)];
    if (loads.length === 0) return;
    throw new NotLoaded(async (sql) => {
      for (const load of loads) await load(sql);
    });
  }

  *#loadsOf({
    names = [],
    ids = [],
    keys = [],
    types = [],
    observationsOf = [],
    pastCountsOf = [],
    relationsAt = [],
    relations = [],
    calls = [],
    asOf,
  }: Wanted) {
    const { entities, observations, relations: relationLookups, calls: callLookups } = this.#loaded;
    const storable = (texts: Iterable<string>): string[] => [...texts].filter((text) => isStorable(text));
    if (asOf === undefined) yield* loadOf(entities.named, storable(names));
    else yield* loadOf(entities.namedAsOf.at(asOf), storable(names));
    yield* loadOf(entities.byId.at(asOf), ids);
    yield* loadOf(entities.withKey, storable(keys));
    yield* loadOf(entities.types, storable(types));
    yield* loadOf(
      observations.of.at(asOf),
      [...observationsOf].filter((id) => !this.pending.isNewEntity(id)),
    );
    yield* loadOf(observations.pastCounts, pastCountsOf);
    for (const end of ["source", "target"] as const) yield* loadOf(relationLookups.at[end].at(asOf), storable(relationsAt));
    const storableRelations = [...relations].filter((ends) => isStorable(...ends));
    yield* loadOf(
      relationLookups.ids,
      storableRelations.map((ends) => keyOf(...ends)),
    );
    yield* loadOf(callLookups.calls, calls);
  }

  /** Batches grow: an operation that needs much starts again a few times only. */
  *inBatches<T>(items: Iterable<T>, wantedBy: (batch: readonly T[]) => Wanted): Generator<T> {
    let batch: T[] = [];
    let size = FIRST_BATCH;
    for (const item of items) {
      if (batch.push(item) < size) continue;
      this.prepare(wantedBy(batch));
      yield* batch;
      batch = [];
      size = Math.min(size * 2, MAX_BATCH);
    }
    this.prepare(wantedBy(batch));
    yield* batch;
  }

  totals(): Totals {
    this.#loaded.requireState();
    // With what this transaction has changed.
    const { entities, relations } = this.pending.state;
    return { entities, relations };
  }

  figures(limits: FigureLimits): Figures {
    const key = JSON.stringify(limits);
    const figures = this.#loaded.figures.get(key);
    if (figures === undefined) throw new Error("figures were not counted");
    return figures;
  }

  cursorKey(): Uint8Array {
    return this.#loaded.requireState().cursorKey;
  }

  insertRecord(seq: number, line: string): void {
    this.pending.statement("insert into record (line, created) values ($1, $2)", line, seq);
  }

  endRecord(seq: number, id: number): void {
    this.pending.statement("update record set ended = $1 where id = $2 and ended is null", seq, id);
  }
}

function* loadOf<K extends string | number, V>(lookup: Lookup<K, V>, keys: Iterable<K>) {
  const unloaded = lookup.unloaded(keys);
  if (unloaded.length > 0) yield (sql: PostgresConnection): Promise<void> => lookup.load(sql, unloaded);
}
