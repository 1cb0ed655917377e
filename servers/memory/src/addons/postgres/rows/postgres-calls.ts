// The log of calls in Postgres.
import type { Call, Calls, EntityChange, MovedEnd, NamedChange, Rename } from "../../../graph/rows/calls.ts";
import type { GraphState } from "../write/graph-state.ts";
import { keyOf, Lookup, queryLookup } from "./lookups.ts";

const RENAMES = `select t.entity, t.past, e.name as present, e.created from turn t join entity e on e.id = t.entity
  where t.seq > $1 and t.kind = 'name' order by t.id desc`;

const MOVED_ENDS = `select -entity as relation, seq, kind as end, past from turn
  where seq > $1 and kind in ('source', 'target') order by id desc`;

const LAST_CHANGES = `select t.seq, t.kind, t.past, t.present, e.name as entity from turn t join entity e on e.id = t.entity
  order by t.id desc limit $1`;

type Seq = { seq: number | null };

export class CallLookups {
  readonly calls = new Lookup<number, Call | undefined>(
    async (sql, seqs) => {
      const rows = await sql.all<Call & { seq: number }>("select seq, at, client from call where seq = any($1::bigint[])", seqs);
      return new Map(rows.map(({ seq, at, client }) => [seq, { at, client }]));
    },
    () => undefined,
  );
  readonly firstSince = queryLookup<Seq>("select min(seq) as seq from call where at >= $1");
  readonly lastUntil = queryLookup<Seq>("select max(seq) as seq from call where at <= $1");
  readonly renames = queryLookup<Rename>(RENAMES);
  readonly movedEnds = queryLookup<MovedEnd>(MOVED_ENDS);
  readonly endedBy = queryLookup<{ id: number }>("select id from entity where ended = $1 and name = $2");
  readonly changes = queryLookup<EntityChange>("select seq, kind, past, present from turn where entity = $1 order by id");
  readonly lastChanges = queryLookup<NamedChange>(LAST_CHANGES);
  readonly mergedInto = queryLookup<{ present: string }>(
    "select present from turn where kind = 'merged' and seq = $1 and md5(past) = md5($2) and past = $2",
  );
}

export class PostgresCalls implements Calls {
  readonly #lookups: CallLookups;
  readonly #state: () => GraphState;

  constructor(lookups: CallLookups, state: () => GraphState) {
    this.#lookups = lookups;
    this.#state = state;
  }

  last(): number {
    return this.#state().seq;
  }

  firstSince(time: number): number | undefined {
    return this.#lookups.firstSince.get(keyOf(time))[0]?.seq ?? undefined;
  }

  lastUntil(time: number): number | undefined {
    return this.#lookups.lastUntil.get(keyOf(time))[0]?.seq ?? undefined;
  }

  historyStart(): number {
    return this.#state().historyStart;
  }

  find(seq: number): Call | undefined {
    return this.#lookups.calls.get(seq);
  }

  renamesSince(seq: number): Rename[] {
    return this.#lookups.renames.get(keyOf(seq));
  }

  movedEndsSince(seq: number): MovedEnd[] {
    return this.#lookups.movedEnds.get(keyOf(seq));
  }

  entityEndedBy(seq: number, name: string): number | undefined {
    return this.#lookups.endedBy.get(keyOf(seq, name))[0]?.id;
  }

  changesOf(entity: number): EntityChange[] {
    return this.#lookups.changes.get(keyOf(entity));
  }

  lastChanges(most: number): NamedChange[] {
    return this.#lookups.lastChanges.get(keyOf(most));
  }

  mergedInto(seq: number, name: string): string | undefined {
    return this.#lookups.mergedInto.get(keyOf(seq, name))[0]?.present;
  }
}
