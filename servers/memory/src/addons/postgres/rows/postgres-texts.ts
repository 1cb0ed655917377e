// Texts in Postgres, found with trigram indexes of the folded texts.
import type { EntityRow } from "../../../graph/rows/entities.ts";
import {
  byKind,
  MAX_PAST_TEXTS,
  TEXT_KINDS,
  type FoundObservation,
  type PastText,
  type TextKind,
  type TextRows,
  type TextSearch,
} from "../../../graph/rows/texts.ts";
import { keyOf, Lookup, queryLookup } from "./lookups.ts";
import { pages } from "./paging.ts";

/** A word in more texts of one kind than this is common. */
const RARE = 150;

const SELECT_ENTITY = "select e.id, e.name, e.extra, t.name as type from entity e join type t on t.id = e.type";
const NEWEST = "order by e.id desc limit $3";

const PAST_TEXTS = `select e.name, o.text
  from (select * from observation where ended is not null order by ended desc, id desc limit ${MAX_PAST_TEXTS}) o join entity e on e.id = o.entity`;

const TABLE: Readonly<Record<TextKind, string>> = {
  name: "entity where ended is null and",
  observation: "observation where ended is null and",
  type: "type where",
};

export const patternOf = (folded: string): string => `%${folded.replaceAll(/[\\%_]/g, (special) => `\\${special}`)}%`;

/** A condition on the patterns, which follow the limit. */
const likePatterns = (column: string, [, ...patterns]: readonly unknown[], operator: "and" | "or"): string =>
  patterns.map((_, index) => `${column} like $${index + 2}`).join(` ${operator} `);

export class TextLookups {
  readonly names = queryLookup<EntityRow>(`${SELECT_ENTITY} where e.folded like $1 and e.id < $2 and e.ended is null ${NEWEST}`);
  readonly ofTypes = queryLookup<EntityRow>(`${SELECT_ENTITY} where t.folded like $1 and e.id < $2 and e.ended is null ${NEWEST}`);
  readonly observations = queryLookup<FoundObservation>(
    `select e.id, e.entity, e.text from observation e where e.folded like $1 and e.id < $2 and e.ended is null and not exists (
       select 1 from observation n where n.entity = e.entity and n.id > e.id and n.folded like $1 and n.ended is null) ${NEWEST}`,
  );
  readonly idsWithAll = byKind((kind) =>
    queryLookup<{ id: number }>(
      (values) => `select id from ${TABLE[kind]} ${likePatterns("folded", values, "and")} order by id desc limit $1`,
    ),
  );
  readonly idsWithAny = queryLookup<{ kind: TextKind; id: number }>((values) =>
    TEXT_KINDS.map(
      (kind) => `(select '${kind}' as kind, id from ${TABLE[kind]} (${likePatterns("folded", values, "or")}) order by id desc limit $1)`,
    ).join(" union all "),
  );
  readonly pastWithAny = queryLookup<PastText>(
    (values) => `${PAST_TEXTS} where ${likePatterns("o.folded", values, "or")} order by o.ended desc, o.id desc limit $1`,
  );
  readonly withAny = byKind(
    (kind) =>
      new Lookup<string, { folded: string }[]>(
        async (sql, keys) => {
          const found = new Map<string, { folded: string }[]>();
          for (const key of keys) {
            const [most, groups] = JSON.parse(key) as [number, string[][]]; // as withAny makes it
            let parameter = 1;
            const condition = groups.map((pieces) => `(${pieces.map(() => `folded like $${++parameter}`).join(" and ")})`).join(" or ");
            const select = `select folded from ${TABLE[kind]} (${condition}) order by id desc limit $1`;
            found.set(key, await sql.all(select, most, ...groups.flat().map(patternOf)));
          }
          return found;
        },
        () => [],
      ),
  );
  readonly owners = new Lookup<number, number | undefined>(
    async (sql, observations) => {
      const rows = await sql.all<{ id: number; entity: number }>(
        "select id, entity from observation where id = any($1::bigint[])",
        observations,
      );
      return new Map(rows.map(({ id, entity }) => [id, entity]));
    },
    () => undefined,
  );
  readonly idsOfType = queryLookup<{ id: number }>("select id from entity where type = $1 and ended is null order by id desc limit $2");
}

class PostgresTextSearch implements TextSearch {
  readonly #lookups: TextLookups;
  readonly #pattern: string;

  constructor(lookups: TextLookups, folded: string) {
    this.#lookups = lookups;
    this.#pattern = patternOf(folded);
  }

  names(before?: number): Iterable<EntityRow> {
    return this.#newestFirst(this.#lookups.names, before);
  }

  ofTypes(before?: number): Iterable<EntityRow> {
    return this.#newestFirst(this.#lookups.ofTypes, before);
  }

  observations(before?: number): Iterable<FoundObservation> {
    return this.#newestFirst(this.#lookups.observations, before);
  }

  close(): void {
    // Nothing is open.
  }

  #newestFirst<Row extends { readonly id: number }>(lookup: Lookup<string, Row[]>, before = Number.MAX_SAFE_INTEGER): Iterable<Row> {
    return pages(
      lookup,
      before,
      (position, size) => keyOf(this.#pattern, position, size),
      ({ id }) => id,
    );
  }
}

export class PostgresTexts implements TextRows {
  readonly #lookups: TextLookups;

  constructor(lookups: TextLookups) {
    this.#lookups = lookups;
  }

  search(folded: string): TextSearch {
    return new PostgresTextSearch(this.#lookups, folded);
  }

  pastWithAny(pieces: readonly string[], most: number): PastText[] {
    return this.#lookups.pastWithAny.get(keyOf(most, ...pieces.map(patternOf)));
  }

  /** A search finds the newest match of each entity only. */
  hasNewerMatch(): boolean {
    return false;
  }

  firstIdsWithAll(kind: TextKind, words: readonly string[], most: number): number[] {
    const long = words.filter((word) => Array.from(word).length >= 3);
    if (long.length === 0) return [];
    return this.#lookups.idsWithAll[kind].get(keyOf(most, ...long.map(patternOf))).map(({ id }) => id);
  }

  firstIdsWithAny(pieces: readonly string[], most: number): Record<TextKind, number[]> {
    const found = this.#lookups.idsWithAny.get(keyOf(most, ...pieces.map(patternOf)));
    return byKind((kind) => found.flatMap((row) => (row.kind === kind ? [row.id] : [])).toSorted((a, b) => b - a));
  }

  *withAny(groups: readonly (readonly string[])[], most: number): Generator<string> {
    const key = JSON.stringify([most, groups]);
    for (const kind of TEXT_KINDS) for (const { folded } of this.#lookups.withAny[kind].get(key)) yield folded;
  }

  estimate(word: string): number {
    const { name, observation } = this.firstIdsWithAny([word], RARE + 1);
    const counts = [name.length, observation.length];
    return Math.max(...counts) > RARE ? Number.MAX_SAFE_INTEGER : counts.reduce((sum, count) => sum + count, 0);
  }

  /** The estimate is exact where it counts. */
  mayBeRare(): boolean {
    return false;
  }

  ownersOf(observations: readonly number[]): number[] {
    const unloaded = this.#lookups.owners.unloaded(observations);
    if (unloaded.length > 0) throw this.#lookups.owners.notLoaded(unloaded);
    return [...new Set(observations.flatMap((id) => this.#lookups.owners.get(id) ?? []))];
  }

  entityIdsOfType(type: number, most: number): number[] {
    return this.#lookups.idsOfType.get(keyOf(type, most)).map(({ id }) => id);
  }
}
