// Vectors as they are stored: one byte for each number, and for many vectors one bit for each number. Only the direction of a vector counts,
// so each has a scale of its own.

const MAX_INT8 = 127;

/** Undefined for a vector of zeros, which has no direction. */
export function toInt8(vector: Float32Array): Int8Array | undefined {
  const largest = vector.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  return largest === 0 ? undefined : Int8Array.from(vector, (value) => Math.round((value / largest) * MAX_INT8));
}

/** The mean of vectors of one length. */
export function meanOf(vectors: readonly Int8Array[]): Float32Array {
  const mean = new Float32Array(vectors[0]?.length ?? 0);
  for (const vector of vectors) for (const [at, value] of vector.entries()) mean[at] = (mean[at] ?? 0) + value / vectors.length;
  return mean;
}

/**
 * A bit for each number: whether it is above that of the center. Models may give vectors that all point in nearly the same direction; compared
 * with zero, their bits would all be the same.
 */
export function toBits(vector: Int8Array, center: Float32Array): Uint8Array {
  const bits = new Uint8Array(Math.ceil(vector.length / 8));
  for (const [at, value] of vector.entries()) if (value > (center[at] ?? 0)) bits[at >> 3] = (bits[at >> 3] ?? 0) | (1 << (at & 7));
  return bits;
}

/** The bytes of a typed array, without a copy. */
export const toBuffer = (array: Int8Array | Uint8Array | Float32Array): Buffer =>
  Buffer.from(array.buffer, array.byteOffset, array.byteLength);

export const toNumbers = (value: Buffer): Int8Array => new Int8Array(value.buffer, value.byteOffset, value.byteLength);

function lengthOf(vector: Iterable<number>): number {
  let squares = 0;
  for (const value of vector) squares += value * value;
  return Math.sqrt(squares);
}

/** The mean of the directions of vectors of one length. */
export function meanDirectionOf(vectors: readonly Int8Array[]): Float32Array {
  const mean = new Float32Array(vectors[0]?.length ?? 0);
  for (const vector of vectors) {
    const scale = lengthOf(vector) * vectors.length;
    for (const [at, value] of vector.entries()) mean[at] = (mean[at] ?? 0) + value / scale;
  }
  return mean;
}

/** The direction of a vector without that of the mean, which models give to all texts of a memory: what is left tells them apart. */
export function centeredOn(mean: Float32Array, vector: Int8Array): Float32Array {
  const length = lengthOf(vector);
  return Float32Array.from(vector, (value, at) => value / length - (mean[at] ?? 0));
}

/** Of lengths: what is left by rounding. */
const NO_LENGTH = 1e-6;

/** Of a query that is `centeredOn` the mean and a vector that is not yet; 0 where one has no direction. Hundreds are compared in a search. */
export function cosineWithoutMean(query: Float32Array, mean: Float32Array, vector: Int8Array): number {
  const length = lengthOf(vector);
  let [product, squares] = [0, 0];
  for (let at = 0; at < vector.length; at++) {
    const value = (vector[at] ?? 0) / length - (mean[at] ?? 0);
    product += value * (query[at] ?? 0);
    squares += value * value;
  }
  const lengths = lengthOf(query) * Math.sqrt(squares);
  return lengths < NO_LENGTH ? 0 : product / lengths;
}
