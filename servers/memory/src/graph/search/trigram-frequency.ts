// How rare three characters are, by a sample of the texts: of a query only its rarest pieces are asked of the index, as every common
// one costs as much as all that have it. What the index gives is looked at again, so a wrong guess costs time and nothing else.
import { indexed } from "../text-index/ngrams.ts";
import type { Store } from "../store/store.ts";

const SAMPLE = 600;
/** Of a long text its begin tells enough. */
const LENGTH = 400;

interface Sample {
  /** In how many of the texts a piece is. */
  readonly counts: ReadonlyMap<string, number>;
  readonly size: number;
  /** How many texts there were. */
  readonly total: number;
}

const samples = new WeakMap<Store, Sample>();

/** Taken anew when the memory has doubled. */
function sampleOf(store: Store): Sample {
  const last = (table: string): number => store.get<{ id: number | null }>(`SELECT max(id) AS id FROM ${table}`)?.id ?? 0;
  const [entities, observations] = [last("entity"), last("observation")];
  const kept = samples.get(store);
  if (kept !== undefined && entities + observations <= 2 * kept.total + 100) return kept;
  const texts = [...some(store, "entity", "name", entities), ...some(store, "observation", "text", observations)];
  const counts = new Map<string, number>();
  for (const text of texts)
    for (const piece of new Set(piecesOf(indexed(text.slice(0, LENGTH))))) counts.set(piece, (counts.get(piece) ?? 0) + 1);
  const sample: Sample = { counts, size: Math.max(1, texts.length), total: entities + observations };
  samples.set(store, sample);
  return sample;
}

/** Here and there, by no rule that texts could follow too, and always the same. */
function some(store: Store, table: string, column: string, last: number): string[] {
  const texts: string[] = [];
  let random = 1;
  for (let left = Math.min(SAMPLE / 2, last); left > 0; left--) {
    random = (random * 48_271) % 2_147_483_647;
    const text = store.get<{ text: string }>(`SELECT ${column} AS text FROM ${table} WHERE id = ?`, 1 + (random % last))?.text;
    if (text !== undefined) texts.push(text);
  }
  return texts;
}

function piecesOf(text: string): string[] {
  const characters = Array.from(text);
  return characters.slice(2).map((_, at) => characters.slice(at, at + 3).join(""));
}

/** Of long texts not every piece is asked for: those that stand side by side say nearly as much, at a third of the cost. */
const LONG = 10;
const MOST = 16;
/** A share of the texts; what is rarer needs little help. */
const RARE = 0.01;

/** The rarest pieces of a text of three characters or more; where all are common, all. */
export function rarestPieces(store: Store, text: string): string[] {
  const { counts, size } = sampleOf(store);
  const pieces = piecesOf(text).map((piece, at) => ({ piece, at, count: counts.get(piece) ?? 0 }));
  pieces.sort((a, b) => a.count - b.count);
  const rare = pieces.filter(({ count }) => count <= RARE * size).slice(0, 3);
  const isLong = pieces.length > LONG;
  const chosen = rare.length > 0 ? rare : pieces.filter(({ at }) => !isLong || at % 3 === 0 || at === pieces.length - 1).slice(0, MOST);
  return [...new Set(chosen.map(({ piece }) => piece))];
}

/** About how many texts hold it, from above. */
export function estimate(store: Store, text: string): number {
  const { counts, size, total } = sampleOf(store);
  const pieces = piecesOf(text);
  const least = pieces.reduce((least, piece) => Math.min(least, counts.get(piece) ?? 0), size);
  return ((least + 1) / size) * total;
}

/** A few texts in a hundred may hold it, so it is worth a look. */
export function isPerhapsRare(store: Store, text: string): boolean {
  const { counts, size } = sampleOf(store);
  return piecesOf(text).some((piece) => (counts.get(piece) ?? 0) <= 1 + 0.02 * size);
}
