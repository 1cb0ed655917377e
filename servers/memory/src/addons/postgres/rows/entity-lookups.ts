// Queries for entities.
import type { Counted } from "../../../graph/model.ts";
import type { EndedName, EntityRow, EntityVersion } from "../../../graph/rows/entities.ts";
import { groupBy, Lookup, queryLookup, TimedLookup } from "./lookups.ts";
import { INDEXED_KEY_LENGTH as KEY } from "../tables.ts";

const SELECT = "select e.id, e.name, e.extra, t.name as type";
const FROM = "entity e join type t on t.id = e.type";
const SELECT_CURRENT = `${SELECT} from ${FROM}`;
/** The type as of call $2: the old value of the first type change after it. */
const SELECT_AS_OF = `select e.id, e.name, e.extra, e.ended, coalesce(
  (select past from turn where entity = e.id and kind = 'type' and seq > $2 order by id limit 1), t.name) as type`;

const WITH_NAMES = `unnest($1::text[]) w(name) join entity e on md5(e.name) = md5(w.name) and e.name = w.name join type t on t.id = e.type`;
const NAMED = `${SELECT} from ${WITH_NAMES} where e.ended is null`;
const NAMED_AS_OF = `${SELECT_AS_OF} from ${WITH_NAMES} where e.created <= $2 and e.ended is null
  union all ${SELECT_AS_OF} from ${WITH_NAMES} where e.created <= $2 and e.ended > $2`;

const WITH_KEYS = `${SELECT}, w.key from unnest($1::text[]) w(key) cross join lateral (
    select * from entity where left(key, ${KEY}) = left(w.key, ${KEY}) and key = w.key and ended is null order by id limit 1000) e
  join type t on t.id = e.type order by e.id`;

const BY_KEY = `from entity where left(key, ${KEY}) >= left($1, ${KEY}) and left(key, ${KEY}) < left($2, ${KEY + 1})
  and key >= $1 and key < $2 and ended is null order by left(key, ${KEY}), key, id limit $3`;

/** Entities that had the name before, or into which such entities were merged, directly or through others. */
const FORMERLY_NAMED = `with recursive now (id) as (
    select entity from turn where md5(past) = md5($1) and past = $1 and kind in ('name', 'merged')
    union select t.entity from now join entity e on e.id = now.id
      join turn t on t.kind = 'merged' and md5(t.past) = md5(e.name) and t.past = e.name and t.seq = e.ended)
  select e.name from now join entity e on e.id = now.id where e.ended is null order by e.id desc limit $2`;

/** With their observations where these are few and short. */
const AFTER_WITH_TEXTS = `${SELECT}, o.texts from (select * from entity where id > $1 and ended is null order by id limit $2) e
  join type t on t.id = e.type cross join lateral (
    select case when coalesce(sum(octet_length(text)), 0) <= 50000 and count(times) = 0 then coalesce(json_agg(text order by id), '[]') end as texts
    from observation where entity = e.id and ended is null) o order by e.id`;

const TYPE_COUNTS = `select t.name, e.count from (select type, count(*) from entity where ended is null group by type) e
  join type t on t.id = e.type order by e.count desc, t.name limit $1`;

const SELECT_VERSIONS = `select e.id, e.created, e.ended, t.name as type from ${FROM} where md5(e.name) = md5($1) and e.name = $1`;
const VERSIONS = `(${SELECT_VERSIONS} and e.ended is null) union all (${SELECT_VERSIONS} and e.ended is not null order by e.id)`;

const IS_NEW = `select 1 from entity where id = $1 and created >= $2 and created < $3
  union all select 1 from observation where entity = $1 and ended is null and created >= $2 and created < $3 limit 1`;

const byId = (rows: readonly EntityRow[]): Map<number, EntityRow> => new Map(rows.map((row) => [row.id, row]));

export class EntityLookups {
  readonly named = new Lookup<string, EntityRow | undefined>(
    async (sql, names) => new Map((await sql.all<EntityRow>(NAMED, names)).map((row) => [row.name, row])),
    () => undefined,
  );
  /** Present ones first. */
  readonly namedAsOf = new TimedLookup<string, EntityRow[]>(
    (asOf = 0) =>
      new Lookup(
        async (sql, names) => groupBy(await sql.all<EntityRow>(NAMED_AS_OF, names, asOf), ({ name }) => name),
        () => [],
      ),
  );
  readonly byId = new TimedLookup<number, EntityRow | undefined>(
    (asOf) =>
      new Lookup(
        async (sql, ids) =>
          asOf === undefined
            ? byId(await sql.all<EntityRow>(`${SELECT_CURRENT} where e.id = any($1::bigint[]) and e.ended is null`, ids))
            : byId(
                await sql.all<EntityRow>(
                  `${SELECT_AS_OF} from ${FROM} where e.id = any($1::bigint[]) and e.created <= $2 and (e.ended is null or e.ended > $2)`,
                  ids,
                  asOf,
                ),
              ),
        () => undefined,
      ),
  );
  readonly withKey = new Lookup<string, EntityRow[]>(
    async (sql, keys) => groupBy(await sql.all<EntityRow & { key: string }>(WITH_KEYS, keys), ({ key }) => key),
    () => [],
  );
  readonly types = new Lookup<string, number | undefined>(
    async (sql, names) => {
      const select = "select id, t.name from unnest($1::text[]) w(name) join type t on md5(t.name) = md5(w.name) and t.name = w.name";
      return new Map((await sql.all<{ id: number; name: string }>(select, names)).map(({ id, name }) => [name, id]));
    },
    () => undefined,
  );
  readonly namesByKey = queryLookup<{ name: string }>(`select name ${BY_KEY}`);
  readonly keysFrom = queryLookup<{ key: string }>(`select key ${BY_KEY}`);
  readonly formerlyNamed = queryLookup<{ name: string }>(FORMERLY_NAMED);
  readonly formerNames = queryLookup<{ past: string }>(
    "select past from turn where kind in ('name', 'merged') group by past order by max(id) desc limit $1",
  );
  readonly lastEnded = queryLookup<EndedName>(
    "select name, ended from entity where ended is not null order by ended desc, id desc limit $1",
  );
  readonly newest = queryLookup<{ id: number; name: string; created: number }>(
    "select id, name, created from entity where ended is null order by id desc limit $1",
  );
  readonly after = queryLookup<EntityRow>(`${SELECT_CURRENT} where e.id > $1 and e.ended is null order by e.id limit $2`);
  readonly afterWithTexts = queryLookup<EntityRow & { texts: string[] | null }>(AFTER_WITH_TEXTS);
  readonly ofType = queryLookup<EntityRow>(
    `${SELECT_CURRENT} where md5(t.name) = md5($1) and t.name = $1 and e.id > $2 and e.ended is null order by e.id limit $3`,
  );
  readonly typeCounts = queryLookup<Counted>(TYPE_COUNTS);
  readonly versions = queryLookup<EntityVersion>(VERSIONS);
  readonly isNew = queryLookup<unknown>(IS_NEW);
}
