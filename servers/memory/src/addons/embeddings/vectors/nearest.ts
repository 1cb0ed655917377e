// Finds the vectors that are nearest to a query, with the functions of sqlite-vec.
import type * as SqliteVec from "sqlite-vec";
import type { SqlConnection } from "../../../graph/sqlite/sql-connection.ts";
import { toBits, toBuffer, toInt8 } from "./quantization.ts";
import type { VectorFile } from "./vector-file.ts";

/** Vectors near by their bits whose distance is then measured, for each one that is wanted. */
const CANDIDATES_PER_HIT = 4;

export interface NearVector {
  readonly id: number;
  readonly entity: number;
  /** From -1 to 1, where 1 is the same direction. */
  readonly similarity: number;
}

const DISTANCE = "vec_distance_cosine(vec_int8(value), vec_int8(?))";
const ALL = `SELECT id, entity, 1 - ${DISTANCE} AS similarity FROM vector ORDER BY similarity DESC LIMIT ?`;
const OF_CANDIDATES = `SELECT id, entity, 1 - ${DISTANCE} AS similarity FROM vector WHERE id IN (
    SELECT id FROM (SELECT id, vec_distance_hamming(vec_bit(value), vec_bit(?)) AS distance FROM bits ORDER BY distance LIMIT ?))
  ORDER BY similarity DESC LIMIT ?`;

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
  const center = file.center();
  if (center === undefined) return file.all<NearVector>(ALL, toBuffer(query), most);
  return file.all<NearVector>(OF_CANDIDATES, toBuffer(query), toBuffer(toBits(query, center)), most * CANDIDATES_PER_HIT, most);
}
