// Relations in Postgres.
import type { Counted } from "../../../graph/model.ts";
import type { End, RelationRow, RelationRows, RelationVersion } from "../../../graph/rows/relations.ts";
import { isStorable } from "../../../graph/validation.ts";
import { groupBy, keyOf, Lookup, queryLookup, TimedLookup } from "./lookups.ts";
import { pages } from "./paging.ts";
import type { PendingChanges } from "../write/pending-changes.ts";

const COLUMNS = "id, source, target, type, extra";
/** Relations of one name that are read. */
const MAX_AT_NAME = 200_001;

const selectAt = (end: End, condition: string, order: string): string =>
  `select ${COLUMNS} from relation where md5(${end}) = md5(w.name) and ${end} = w.name and ${condition} order by ${order}`;

const at = (select: string): string =>
  `select w.name, r.* from unnest($1::text[]) w(name) cross join lateral (${select} limit ${MAX_AT_NAME}) r`;

/** In the order in which SQLite reads its index. */
const CURRENT: Readonly<Record<End, string>> = {
  source: at(selectAt("source", "ended is null", "target, type")),
  target: at(selectAt("target", "ended is null", "id")),
};
const selectAsOf = (end: End, order: string): string =>
  at(`(${selectAt(end, "ended is null and created <= $2", order)}) union all (${selectAt(end, "ended > $2 and created <= $2", "id")})`);
const AS_OF: Readonly<Record<End, string>> = { source: selectAsOf("source", "target, type"), target: selectAsOf("target", "id") };

const IDS = `select r.id, r.source, r.target, r.type from unnest($1::text[], $2::text[], $3::text[]) w(source, target, type)
  join relation r on md5(r.source) = md5(w.source) and md5(r.target) = md5(w.target) and md5(r.type) = md5(w.type)
    and r.source = w.source and r.target = w.target and r.type = w.type where r.ended is null`;

const selectVersions = (ended: string): string =>
  ["source", "target"]
    .map((end) => `select ${COLUMNS}, created, ended from relation where md5(${end}) = md5($1) and ${end} = $1 and ended ${ended}`)
    .join(" union ");
const VERSIONS = `select * from ((${selectVersions("is null")}) union all (${selectVersions("is not null")})) r order by ended is not null, id`;
const LAST_CHANGED = `(select ${COLUMNS}, created, ended from relation order by id desc limit $1) union
  (select ${COLUMNS}, created, ended from relation where ended is not null order by ended desc, id desc limit $1) order by id`;

type AtName = RelationRow & { readonly name: string };

const endLookup = (end: End) =>
  new TimedLookup<string, RelationRow[]>(
    (asOf) =>
      new Lookup(
        async (sql, names) =>
          groupBy(
            await (asOf === undefined ? sql.all<AtName>(CURRENT[end], names) : sql.all<AtName>(AS_OF[end], names, asOf)),
            ({ name }) => name,
          ),
        () => [],
      ),
  );

export class RelationLookups {
  readonly at = { source: endLookup("source"), target: endLookup("target") };
  readonly ids = new Lookup<string, number | undefined>(
    async (sql, keys) => {
      const ends = keys.map((key) => JSON.parse(key) as [string, string, string]); // as keyOf made it
      const columns = [0, 1, 2].map((index) => ends.map((one) => one[index] ?? ""));
      const rows = await sql.all<RelationRow>(IDS, ...columns);
      return new Map(rows.map(({ id, source, target, type }) => [keyOf(source, target, type), id]));
    },
    () => undefined,
  );
  readonly byId = queryLookup<RelationRow>(
    `select ${COLUMNS} from relation where id = $1 and created <= $2 and (ended is null or ended > $2)`,
  );
  readonly after = queryLookup<RelationRow>(`select ${COLUMNS} from relation where id > $1 and ended is null order by id limit $2`);
  readonly ofType = queryLookup<RelationRow>(`select ${COLUMNS} from relation where type = $1 and ended is null order by id limit $2`);
  readonly typeCounts = queryLookup<Counted>(
    "select type as name, count(*) from relation where ended is null group by type order by count desc, type limit $1",
  );
  readonly versions = queryLookup<RelationVersion>(VERSIONS);
  readonly lastChanged = queryLookup<RelationVersion>(LAST_CHANGED);
}

export class PostgresRelations implements RelationRows {
  readonly #lookups: RelationLookups;
  readonly #pending: PendingChanges;
  /** What this transaction has changed and not written yet: ids by ends and type, and those that have ended. */
  readonly #added = new Map<string, number>();
  readonly #ended = new Set<number>();

  constructor(lookups: RelationLookups, pending: PendingChanges) {
    this.#lookups = lookups;
    this.#pending = pending;
  }

  at(end: End, name: string, asOf?: number): Iterable<RelationRow> {
    if (!isStorable(name)) return [];
    const rows = this.#lookups.at[end].at(asOf).get(name);
    return this.#ended.size === 0 ? rows : rows.filter(({ id }) => !this.#ended.has(id));
  }

  byId(id: number, asOf: number): RelationRow | undefined {
    return this.#lookups.byId.get(keyOf(id, asOf))[0];
  }

  idOf(source: string, target: string, type: string): number | undefined {
    const key = keyOf(source, target, type);
    const id = this.#added.get(key) ?? this.#lookups.ids.get(key);
    return id === undefined || this.#ended.has(id) ? undefined : id;
  }

  idsAt(name: string): number[] {
    const ids = new Set([...this.at("source", name), ...this.at("target", name)].map(({ id }) => id));
    return [...ids].sort((a, b) => a - b);
  }

  typesBetween(source: string, target: string): string[] {
    return [...this.at("source", source)].filter((row) => row.target === target).map(({ type }) => type);
  }

  createdAfter(id: number): Iterable<RelationRow> {
    return pages(this.#lookups.after, id, keyOf, (row) => row.id);
  }

  ofType(type: string, most: number): RelationRow[] {
    return this.#lookups.ofType.get(keyOf(type, most));
  }

  typeCounts(most: number): Counted[] {
    return this.#lookups.typeCounts.get(keyOf(most));
  }

  versionsAt(name: string): RelationVersion[] {
    return isStorable(name) ? this.#lookups.versions.get(keyOf(name)) : [];
  }

  lastChanged(most: number): RelationVersion[] {
    return this.#lookups.lastChanged.get(keyOf(most));
  }

  insert(seq: number, source: string, target: string, type: string, extra?: string): void {
    const id = this.#pending.insertRelation({ source, target, type, created: seq, extra: extra ?? null });
    this.#added.set(keyOf(source, target, type), id);
  }

  end(seq: number, id: number): number {
    if (this.#ended.has(id)) return 0;
    this.#pending.endRelation(id, seq);
    this.#ended.add(id);
    return 1;
  }

  setExtra(id: number, extra: string): void {
    this.#pending.statement("update relation set extra = $1 where id = $2", extra, id);
  }
}
