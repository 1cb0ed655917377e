// Random conversations with a fixed seed: all tools in any order, over few names.
import { same, type Call, type Row } from "../row.ts";
import { READ } from "./graphs.ts";

const NAMES = ["ana", "Ana", "bo", "çelik", "日本", "a b", "x'y", "tea"];
const TYPES = ["person", "thing", "日"];
const TEXTS = ["likes tea", "likes Ana", "a fact", "the A fact", "🦀", "line\nbreak", "100%", ""];
const KINDS = ["knows", "likes", "is"];

/** Pseudo-random numbers below `most`, the same for one seed. */
function dice(seed: number): (most: number) => number {
  let state = seed;
  return (most) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * most);
  };
}

function conversation(seed: number): Call[] {
  const roll = dice(seed);
  const one = (all: readonly string[]): string => all[roll(all.length)] ?? "";
  /** Without duplicates, which are an intended difference. */
  const some = (all: readonly string[], most: number): string[] => [...new Set(Array.from({ length: roll(most + 1) }, () => one(all)))];
  const relations = (): object[] => some(NAMES, 3).map((from) => ({ from, to: one(NAMES), relationType: one(KINDS) }));
  const calls: (() => Call)[] = [
    () => ["create_entities", { entities: some(NAMES, 3).map((name) => ({ name, entityType: one(TYPES), observations: some(TEXTS, 3) })) }],
    () => ["create_relations", { relations: relations() }],
    () => ["delete_entities", { entityNames: some(NAMES, 2) }],
    () => ["delete_observations", { deletions: some(NAMES, 2).map((entityName) => ({ entityName, observations: some(TEXTS, 2) })) }],
    () => ["delete_relations", { relations: relations() }],
    () => ["open_nodes", { names: some(NAMES, 4) }],
    () => READ,
  ];
  return Array.from({ length: 40 }, () => (calls[roll(calls.length)] ?? (() => READ))()).concat([READ]);
}

export const madeUp: readonly Row[] = Array.from({ length: 12 }, (_, seed) => same(`number ${seed}`, "", ...conversation(seed + 1)));
