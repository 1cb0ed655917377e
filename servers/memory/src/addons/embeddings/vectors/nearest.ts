// Finds the vectors that are nearest to a query, with the functions of sqlite-vec.
import type * as SqliteVec from "sqlite-vec";
import type { SqlConnection } from "../../../graph/sqlite/sql-connection.ts";
import { centeredOn, cosineWithoutMean, toBits, toBuffer, toInt8, toNumbers } from "./quantization.ts";
import type { VectorFile } from "./vector-file.ts";

/** Vectors near by their bits whose distance is then measured, and near ones that are compared without the mean, for each one that is wanted. */
const CANDIDATES_PER_HIT = 4;
/** Where fewer of the candidates still exist, deleted ones have taken the places of others: all bits are read again. */
const LEAST_SHARE = 0.5;

export interface NearVector {
  readonly id: number;
  readonly entity: number;
  /** From -1 to 1, where 1 is the same direction. */
  readonly similarity: number;
}

interface Candidate extends NearVector {
  readonly value: Buffer;
}

const DISTANCE = "vec_distance_cosine(vec_int8(value), vec_int8(?))";
const SELECT = `SELECT id, entity, value, 1 - ${DISTANCE} AS similarity FROM vector`;
const ALL = `${SELECT} ORDER BY similarity DESC LIMIT ?`;
const OF_CANDIDATES = `${SELECT} WHERE id IN (SELECT value FROM json_each(?)) ORDER BY similarity DESC`;

/** Loads sqlite-vec into a connection. Throws where there is none for this machine. */
export function loadVectorFunctions({ db }: SqlConnection): void {
  const { createRequire } = process.getBuiltinModule("node:module");
  const { getLoadablePath } = createRequire(import.meta.url)("sqlite-vec") as typeof SqliteVec; // as its own types declare
  db.loadExtension(getLoadablePath());
}

/** Nearest first. `loadVectorFunctions` must have been called for the file. */
export function nearest(file: VectorFile, vector: Float32Array, most: number): NearVector[] {
  const query = toInt8(vector);
  if (query === undefined) return [];
  const candidates = candidatesOf(file, query, most * CANDIDATES_PER_HIT);
  const mean = file.mean();
  if (mean === undefined) return candidates.slice(0, most).map(({ id, entity, similarity }) => ({ id, entity, similarity }));
  const centered = centeredOn(mean, query);
  return candidates
    .map(({ id, entity, value }) => ({ id, entity, similarity: cosineWithoutMean(centered, mean, toNumbers(value)) }))
    .sort((a, b) => b.similarity - a.similarity || a.id - b.id)
    .slice(0, most);
}

function candidatesOf(file: VectorFile, query: Int8Array, most: number): Candidate[] {
  const center = file.center();
  if (center === undefined) return file.all<Candidate>(ALL, toBuffer(query), most);
  const bits = toBits(query, center);
  const ids = file.bits.nearest(bits, most);
  const candidates = withIds(file, query, ids);
  if (candidates.length >= ids.length * LEAST_SHARE) return candidates;
  file.bits.clear();
  return withIds(file, query, file.bits.nearest(bits, most));
}

const withIds = (file: VectorFile, query: Int8Array, ids: readonly number[]): Candidate[] =>
  file.all<Candidate>(OF_CANDIDATES, toBuffer(query), JSON.stringify(ids));
