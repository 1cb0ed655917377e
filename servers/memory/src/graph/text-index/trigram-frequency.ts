// Estimates how frequent trigrams are, from a sample of the texts. Only the rarest trigrams of a query are looked up in the index, because
// a lookup costs as much as all the texts that hold the trigram. Every candidate is checked again, so a wrong estimate costs time only.
import type { SqlConnection } from "../sqlite/sql-connection.ts";
import { trigramText } from "./ngrams.ts";

const SAMPLE_SIZE = 600;
/** Characters of a long text that are sampled. */
const SAMPLE_LENGTH = 400;

interface Sample {
  /** For each trigram, how many of the sampled texts hold it. */
  readonly counts: ReadonlyMap<string, number>;
  readonly size: number;
  /** How many texts there were when the sample was taken. */
  readonly total: number;
}

const samples = new WeakMap<SqlConnection, Sample>();

const sampleOf = (sql: SqlConnection): Sample => sql.once("sample", () => currentSample(sql));

/** The sample is taken again when the number of texts has doubled. */
function currentSample(sql: SqlConnection): Sample {
  const highestId = (table: string): number => sql.get<{ id: number | null }>(`SELECT max(id) AS id FROM ${table}`)?.id ?? 0;
  const [entities, observations] = [highestId("entity"), highestId("observation")];
  const kept = samples.get(sql);
  if (kept !== undefined && entities + observations <= 2 * kept.total + 100) return kept;
  const texts = [...sampleTexts(sql, "entity", "name", entities), ...sampleTexts(sql, "observation", "text", observations)];
  const counts = new Map<string, number>();
  for (const text of texts)
    for (const trigram of new Set(trigramsOf(trigramText(text.slice(0, SAMPLE_LENGTH)))))
      counts.set(trigram, (counts.get(trigram) ?? 0) + 1);
  const sample: Sample = { counts, size: Math.max(1, texts.length), total: entities + observations };
  samples.set(sql, sample);
  return sample;
}

/** Pseudo-random ids with a fixed seed: repeatable, and in no step with patterns in the texts. */
function sampleTexts(sql: SqlConnection, table: string, column: string, highestId: number): string[] {
  const texts: string[] = [];
  let random = 1;
  for (let left = Math.min(SAMPLE_SIZE / 2, highestId); left > 0; left--) {
    random = (random * 48_271) % 2_147_483_647;
    const text = sql.get<{ text: string }>(`SELECT ${column} AS text FROM ${table} WHERE id = ?`, 1 + (random % highestId))?.text;
    if (text !== undefined) texts.push(text);
  }
  return texts;
}

function trigramsOf(text: string): string[] {
  const characters = Array.from(text);
  return characters.slice(2).map((_, index) => characters.slice(index, index + 3).join(""));
}

/** From a query with more trigrams than this, every third is looked up: overlapping ones add little, at three times the cost. */
const LONG_QUERY = 10;
const MAX_TRIGRAMS = 16;
const MAX_RARE_TRIGRAMS = 3;
/** The share of texts below which a trigram is rare: a few rare ones are enough. */
const RARE_SHARE = 0.01;

/** Chooses the trigrams of texts to look up: up to three rare ones of each, or a selection of all where none is rare. */
export function trigramChoice(sql: SqlConnection): (text: string) => string[] {
  const sample = sampleOf(sql);
  return (text) => rarestOf(sample, text);
}

function rarestOf({ counts, size }: Sample, text: string): string[] {
  const trigrams = trigramsOf(text).map((trigram, index) => ({ trigram, index, count: counts.get(trigram) ?? 0 }));
  trigrams.sort((a, b) => a.count - b.count);
  const rare = trigrams.filter(({ count }) => count <= RARE_SHARE * size).slice(0, MAX_RARE_TRIGRAMS);
  const isLong = trigrams.length > LONG_QUERY;
  const isSelected = (index: number): boolean => !isLong || index % 3 === 0 || index === trigrams.length - 1;
  const selected = rare.length > 0 ? rare : trigrams.filter(({ index }) => isSelected(index)).slice(0, MAX_TRIGRAMS);
  return [...new Set(selected.map(({ trigram }) => trigram))];
}

/** An upper estimate of how many texts hold `text`. */
export function estimateMatches(sql: SqlConnection, text: string): number {
  const { counts, size, total } = sampleOf(sql);
  const least = trigramsOf(text).reduce((least, trigram) => Math.min(least, counts.get(trigram) ?? 0), size);
  return ((least + 1) / size) * total;
}

/** Whether at most a few texts in a hundred can hold `text`. */
export function mayBeRare(sql: SqlConnection, text: string): boolean {
  const { counts, size } = sampleOf(sql);
  return trigramsOf(text).some((trigram) => (counts.get(trigram) ?? 0) <= 1 + 0.02 * size);
}
