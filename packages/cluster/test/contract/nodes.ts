// The nodes of the tests of a backplane: connections of their own to the same engine.
import { randomUUID } from "node:crypto";
import type { Backplane } from "../../src/backplane.ts";

export type Nodes = readonly [Backplane, Backplane, Backplane];

/** Each node many times, in turn. */
export const manyOf = <T>(nodes: readonly T[]): T[] => Array.from({ length: 20 }, () => nodes).flat();

/** The key of a new record. */
export async function newRecord(node: Backplane): Promise<string> {
  const key = randomUUID();
  await node.put(key, "", { ttlMs: 60_000 });
  return key;
}
