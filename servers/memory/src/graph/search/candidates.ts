// Where a text may hold what is looked for: by the index of three characters, by that of one and two for scripts beyond ASCII, and
// by reading everything for one or two characters of ASCII, which nearly everything holds. What the indexes have not seen yet is
// read too. Newest first. Those who ask look for themselves whether the text really does.
import { fold, keyOf } from "../text-index/normalization.ts";
import { indexed, queryOf, shortQuery } from "../text-index/ngrams.ts";
import { bandOf, idAt, placeOf, type Kind } from "../text-index/index-positions.ts";
import { rarestPieces } from "./trigram-frequency.ts";
import { ENTITY, type EntityRow } from "../store/rows.ts";
import type { Store } from "../store/store.ts";

/** Ids behind `after`, that is: lower ones. */
export function* idsWith(store: Store, kind: Kind, wanted: string, after?: number): Generator<number> {
  const [begin, end] = bandOf(kind);
  const from = after === undefined ? begin : placeOf(kind, after) + 1n;
  const characters = Array.from(wanted).length;
  const short = shortQuery(wanted);
  if (characters < 3 && short === undefined) return yield* scan(store, kind, wanted, after);
  yield* notIndexed(store, kind, [wanted], after);
  if (characters >= 3) yield* matches(store, "trigram", kind, queryOf(rarestPieces(store, indexed(wanted))), from, end);
  else if (short !== undefined) yield* matches(store, "gram", kind, short, from, end);
}

/** The first of those ids, in one go: less to do for each. */
export function idsUpTo(store: Store, kind: Kind, wanted: string, most: number): number[] {
  if (Array.from(wanted).length < 3) {
    const ids: number[] = [];
    for (const id of idsWith(store, kind, wanted)) if (ids.push(id) === most) break;
    return ids;
  }
  const sql = "SELECT rowid AS place FROM trigram WHERE trigram MATCH ? AND rowid >= ? AND rowid < ? ORDER BY rowid LIMIT ?";
  const query = queryOf(rarestPieces(store, indexed(wanted)));
  const found = notIndexed(store, kind, [wanted]).slice(0, most);
  for (const [place] of store.rows<[number]>(sql, query, ...bandOf(kind), most - found.length)) found.push(idAt(kind, place));
  return found;
}

/** Ids of texts that may hold all of the words, each of three characters or more. */
export function* idsWithAll(store: Store, kind: Kind, words: readonly string[]): Generator<number> {
  const long = words.filter((word) => Array.from(word).length >= 3);
  const [from, end] = bandOf(kind);
  if (long.length === 0) return;
  yield* notIndexed(store, kind, long);
  yield* matches(store, "trigram", kind, queryOf(long.flatMap((word) => rarestPieces(store, indexed(word)).slice(0, 2))), from, end);
}

function* matches(store: Store, table: "trigram" | "gram", kind: Kind, query: string, from: bigint, end: bigint): Generator<number> {
  const sql = `SELECT rowid AS place FROM ${table} WHERE ${table} MATCH ? AND rowid >= ? AND rowid < ? ORDER BY rowid`;
  for (const { place } of store.each<{ place: number }>(sql, query, from, end)) yield idAt(kind, place);
}

const NEW: Readonly<Record<Exclude<Kind, "type">, string>> = {
  name: "SELECT id, name FROM entity WHERE id > (SELECT name FROM indexed) AND id < ? AND ended IS NULL ORDER BY id DESC",
  observation:
    "SELECT id, text FROM observation WHERE id > (SELECT observation FROM indexed) AND id < ? AND ended IS NULL ORDER BY id DESC",
};

/** Ids of the few texts that the indexes have not seen and that hold all of the words. */
function notIndexed(store: Store, kind: Kind, words: readonly string[], after = Number.MAX_SAFE_INTEGER): number[] {
  if (kind === "type") return [];
  const rows = store.rows<[number, string]>(NEW[kind], after);
  return rows.flatMap(([id, text]) => {
    const folded = fold(text);
    return words.every((word) => folded.includes(word)) ? [id] : [];
  });
}

const TEXTS: Readonly<Record<Kind, string>> = {
  name: "SELECT id FROM entity WHERE ended IS NULL AND id < ?1 AND (LOOK) ORDER BY id DESC",
  type: "SELECT id FROM type WHERE id < ?1 AND (LOOK) ORDER BY id DESC",
  observation: "SELECT id FROM observation WHERE ended IS NULL AND id < ?1 AND (LOOK) ORDER BY id DESC",
};
const COLUMN: Readonly<Record<Kind, string>> = { name: "name", type: "name", observation: "text" };

/** Two letters beyond ASCII have lower cases within it. */
const BECOMES: readonly (readonly [letter: string, capital: string])[] = [
  ["k", "\u212a"],
  ["i", "\u0130"],
];

function* scan(store: Store, kind: Kind, wanted: string, after = Number.MAX_SAFE_INTEGER): Generator<number> {
  const capitals = BECOMES.filter(([letter]) => wanted.includes(letter)).map(([, capital]) => capital);
  // LIKE sees no further than to a NUL.
  const others = ["char(0)", ...capitals.map((capital) => `'${capital}'`)].map((other) => `instr(${COLUMN[kind]}, ${other})`);
  const look = [`${COLUMN[kind]} LIKE ?2 ESCAPE '\\'`, ...others].join(" OR ");
  const pattern = `%${wanted.replace(/[\\%_]/g, (special) => `\\${special}`)}%`;
  for (const { id } of store.each<{ id: number }>(
    TEXTS[kind].replace("LOOK", () => look),
    after,
    pattern,
  ))
    yield id;
}

/** Entities of nearly this name, newest first. */
export const entitiesLike = (store: Store, name: string): EntityRow[] =>
  store.all<EntityRow>(`${ENTITY} WHERE e.key = ? AND e.ended IS NULL ORDER BY e.id DESC`, keyOf(name));
