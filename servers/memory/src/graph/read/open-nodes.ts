// Entities by their names: now, or as they were.
import { neighbours, relationsOf } from "./neighbourhood.ts";
import { idsWith } from "../search/candidates.ts";
import { clip } from "../errors.ts";
import { checkCount, type Relation } from "../model.ts";
import { fold, keyOf } from "../text-index/normalization.ts";
import { entityNamed, entityOf, type EntityRow } from "../store/rows.ts";
import type { Store } from "../store/store.ts";
import { seqUntil } from "../history/call-times.ts";
import { Filling, type Detail, type ShownEntity } from "./page-builder.ts";

export interface OpenOptions {
  readonly names: readonly string[];
  readonly depth?: number | undefined;
  readonly relationTypes?: readonly string[] | undefined;
  /** A time: the graph as it was. */
  readonly asOf?: string | undefined;
  readonly maxObservations?: number | undefined;
  readonly detail: Detail;
  readonly room: number;
}

export interface Opened {
  entities: ShownEntity[];
  relations: Relation[];
  notFound: NotFound[];
  /** Names for which there was no room. */
  omitted: string[];
  /** How many of those around them had none either. */
  omittedNear: number;
  omittedRelations: number;
  truncated: boolean;
}

export interface NotFound {
  name: string;
  /** Names that are like it. */
  suggestions: string[];
}

export function openNodes(store: Store, { names, asOf, maxObservations, detail, room, ...around }: OpenOptions): Opened {
  checkCount(names.length);
  return store.read(() => {
    const at = asOf === undefined ? undefined : seqUntil(store, asOf);
    const filling = new Filling(store, room * 0.65, { detail, maxObservations, at });
    const opened: Opened = {
      entities: filling.entities,
      relations: [],
      notFound: [],
      omitted: [],
      omittedNear: 0,
      omittedRelations: 0,
      truncated: false,
    };
    const rows: EntityRow[] = [];
    for (const name of new Set(names)) {
      const row = entityNamed(store, name, at);
      if (row !== undefined) rows.push(row);
      else {
        const suggestions = opened.notFound.length < MOST_SUGGESTED ? suggestionsFor(store, name) : [];
        opened.notFound.push({ name, suggestions });
      }
    }
    // As the graph has them, not as they were asked for.
    rows.sort((a, b) => a.id - b.id);
    const wanted = rows.length;
    const near = neighbours(
      store,
      rows.map(({ name }) => name),
      around.depth ?? 0,
      { types: around.relationTypes, at },
    );
    rows.push(...near.rows);
    let left = 0;
    for (const [place, row] of rows.entries()) {
      if (left === 0 && filling.add(row).done) continue;
      left++;
      if (filling.entities.at(-1)?.name === row.name) opened.truncated = true;
      else if (place < wanted) opened.omitted.push(row.name);
      else opened.omittedNear++;
    }
    opened.truncated ||= near.more;
    if (detail !== "names") {
      const shown = filling.entities.map(({ name }) => name);
      const { relations, omitted } = relationsOf(store, shown, { room: room * 0.15 + filling.room, types: around.relationTypes, at });
      opened.relations = relations;
      opened.omittedRelations = omitted;
    }
    opened.truncated ||= opened.omitted.length > 0 || opened.omittedNear > 0 || opened.omittedRelations > 0;
    return opened;
  });
}

/** Names that suggestions are looked for. */
const MOST_SUGGESTED = 20;
const MOST_SUGGESTIONS = 3;

/** What was called so before, or has taken in what was. */
const CALLED_SO = `WITH RECURSIVE now (id) AS (SELECT entity FROM turn WHERE past = ? AND kind IN ('name', 'merged')
    UNION SELECT t.entity FROM now JOIN entity e ON e.id = now.id JOIN turn t ON t.kind = 'merged' AND t.past = e.name AND t.seq = e.ended)
  SELECT e.name FROM now JOIN entity e ON e.id = now.id WHERE e.ended IS NULL ORDER BY e.id DESC LIMIT ?`;

/** Names of what was called so before, and those that differ in case, accents or punctuation, begin alike, or hold it. */
export function suggestionsFor(store: Store, name: string): string[] {
  if (name === "" || name.length > 200) return [];
  const found = new Set<string>();
  for (const now of store.all<{ name: string }>(CALLED_SO, name, MOST_SUGGESTIONS)) found.add(now.name);
  const key = keyOf(name);
  const sql = "SELECT name FROM entity WHERE key >= ? AND key < ? AND ended IS NULL ORDER BY key LIMIT ?";
  for (const row of store.all<{ name: string }>(sql, key, `${key}\u{10ffff}`, MOST_SUGGESTIONS)) found.add(row.name);
  for (const part of [name, ...name.split(/\s+/u)].map(fold)) {
    if (found.size >= MOST_SUGGESTIONS || Array.from(part).length < 3) continue;
    for (const id of idsWith(store, "name", part)) {
      const like = entityOf(store, id)?.name;
      if (like !== undefined && fold(like).includes(part)) found.add(like);
      if (found.size >= MOST_SUGGESTIONS) break;
    }
  }
  found.delete(name); // as of a time before it there was none
  return [...found].slice(0, MOST_SUGGESTIONS);
}

/** The same as a question; undefined where there are none. */
export function didYouMean(store: Store, name: string): string | undefined {
  const like = suggestionsFor(store, name);
  return like.length === 0 ? undefined : `Did you mean ${like.map((one) => clip(one, 60)).join(", ")}?`;
}
