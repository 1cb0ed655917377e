// Observations in Postgres.
import type { ChangedObservation, ObservationRow, ObservationRows, ObservationVersion } from "../../../graph/rows/observations.ts";
import { groupBy, keyOf, Lookup, queryLookup, TimedLookup } from "./lookups.ts";
import type { PendingChanges } from "../write/pending-changes.ts";

const CURRENT = `select id, entity, text, created, confirmed, times from observation where entity = any($1::bigint[]) and ended is null
  order by entity, id`;
/** A later confirmation is not known yet. */
const SELECT_PAST = `select id, entity, text, created, case when confirmed <= $2 then confirmed end as confirmed, times from observation
  where entity = any($1::bigint[])`;
const AS_OF = `(${SELECT_PAST} and ended is null and created <= $2) union all (${SELECT_PAST} and ended > $2 and created <= $2)
  order by entity, id`;

const VERSION = "o.id, o.text, o.created, o.ended, o.confirmed, o.times, s.text as successor";
const SELECT_VERSIONS = `select ${VERSION} from observation o left join observation s on s.id = o.successor where o.entity = $1`;
const VERSIONS = `(${SELECT_VERSIONS} and o.ended is null order by o.id) union all (${SELECT_VERSIONS} and o.ended is not null order by o.id)`;

const LAST_CHANGED = `select ${VERSION}, e.name as entity from ((select id from observation order by id desc limit $1)
    union (select id from observation where ended is not null order by ended desc, id desc limit $1)) w
  join observation o on o.id = w.id join entity e on e.id = o.entity left join observation s on s.id = o.successor order by o.id`;
const PAST_COUNTS = `select entity, count(*) as count from observation where entity = any($1::bigint[]) and ended is not null group by entity`;

type OwnedRow = ObservationRow & { readonly entity: number };

export class ObservationLookups {
  readonly of = new TimedLookup<number, ObservationRow[]>(
    (asOf) =>
      new Lookup(
        async (sql, ids) =>
          groupBy(
            await (asOf === undefined ? sql.all<OwnedRow>(CURRENT, ids) : sql.all<OwnedRow>(AS_OF, ids, asOf)),
            ({ entity }) => entity,
          ),
        () => [],
      ),
  );
  readonly newest = queryLookup<{ entity: number; created: number }>(
    "select entity, created from observation where ended is null order by id desc limit $1",
  );
  readonly versions = queryLookup<ObservationVersion>(VERSIONS);
  readonly lastChanged = queryLookup<ChangedObservation>(LAST_CHANGED);
  readonly pastCounts = new Lookup<number, number>(
    async (sql, ids) => {
      const counted = await sql.all<{ entity: number; count: number }>(PAST_COUNTS, ids);
      return new Map(counted.map(({ entity, count }) => [entity, count]));
    },
    () => 0,
  );
}

export class PostgresObservations implements ObservationRows {
  readonly #lookups: ObservationLookups;
  readonly #pending: PendingChanges;
  /** Of entities whose observations this transaction has changed: those that are added, and those that have ended. */
  readonly #added = new Map<number, ObservationRow[]>();
  readonly #ended = new Set<number>();

  constructor(lookups: ObservationLookups, pending: PendingChanges) {
    this.#lookups = lookups;
    this.#pending = pending;
  }

  of(entity: number, asOf?: number): ObservationRow[] {
    if (asOf !== undefined) return this.#lookups.of.at(asOf).get(entity);
    const stored = this.#pending.isNewEntity(entity) ? [] : this.#lookups.of.at(undefined).get(entity);
    const added = this.#added.get(entity);
    if (added === undefined && this.#ended.size === 0) return stored;
    return [...stored, ...(added ?? [])].filter(({ id }) => !this.#ended.has(id));
  }

  countOf(entity: number): number {
    return this.of(entity).length;
  }

  newest(most: number): { entity: number; created: number }[] {
    return this.#lookups.newest.get(keyOf(most));
  }

  versionsOf(entity: number): ObservationVersion[] {
    return this.#lookups.versions.get(keyOf(entity));
  }

  pastCountOf(entity: number): number {
    return this.#lookups.pastCounts.get(entity);
  }

  lastChanged(most: number): ChangedObservation[] {
    return this.#lookups.lastChanged.get(keyOf(most));
  }

  insert(seq: number, entity: number, text: string, times: string | null = null): number {
    const id = this.#pending.insertObservation({ entity, text, created: seq, times });
    const added = this.#added.get(entity);
    const row = { id, text, created: seq, confirmed: null, times };
    if (added === undefined) this.#added.set(entity, [row]);
    else added.push(row);
    return id;
  }

  setTimes(id: number, times: string | null): void {
    this.#pending.statement("update observation set times = $1 where id = $2", times, id);
  }

  confirm(_seq: number, id: number): void {
    this.#pending.confirmObservation(id);
  }

  end(seq: number, { id }: Pick<ObservationRow, "id">, successor?: number): void {
    this.#pending.endObservation(id, seq, successor);
    this.#ended.add(id);
  }
}
