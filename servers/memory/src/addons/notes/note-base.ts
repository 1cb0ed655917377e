// What a note contained when notes and graph agreed: a note is compared with it, so that what is gone from the note is a deletion, and what
// is new in the graph is not. Texts are kept as fingerprints.
import { createHash } from "node:crypto";
import { relationKey, type NoteContent } from "./note-content.ts";

export interface NoteBase {
  readonly name: string;
  readonly entityType: string;
  readonly tags: readonly string[];
  readonly isEntity: boolean;
  /** Fingerprints. */
  readonly observations: readonly string[];
  readonly relations: readonly string[];
}

const FINGERPRINT_LENGTH = 20;

export const fingerprint = (text: string): string => createHash("sha256").update(text).digest("base64url").slice(0, FINGERPRINT_LENGTH);

export const toBase = ({ name, entityType, tags, isEntity, observations, relations }: NoteContent): NoteBase => ({
  name,
  entityType,
  tags,
  isEntity,
  observations: observations.map(fingerprint),
  relations: relations.map((relation) => fingerprint(relationKey(relation))),
});

export const sameBase = (a: NoteBase, b: NoteBase): boolean => JSON.stringify(sorted(a)) === JSON.stringify(sorted(b));

const sorted = ({ name, entityType, tags, isEntity, observations, relations }: NoteBase): unknown[] => [
  name,
  entityType,
  isEntity,
  ...[tags, observations, relations].map((list) => [...list].sort()),
];

/** The items that occur more often than among the others. */
export function surplus<T>(items: readonly T[], others: readonly string[], keyOf: (item: T) => string): T[] {
  const left = new Map<string, number>();
  for (const key of others) left.set(key, (left.get(key) ?? 0) + 1);
  return items.filter((item) => {
    const count = left.get(keyOf(item)) ?? 0;
    left.set(keyOf(item), count - 1);
    return count <= 0;
  });
}

/** The content of the state file; undefined where it is damaged, of a newer version, or of another memory. */
export function parseBases(text: string, memory: string): Map<string, NoteBase> | undefined {
  try {
    const { version, memory: own, notes } = JSON.parse(text) as { version: unknown; memory: unknown; notes: Record<string, NoteBase> };
    return version === VERSION && own === memory ? new Map(Object.entries(notes)) : undefined;
  } catch {
    return undefined;
  }
}

const VERSION = 1;

export const formatBases = (bases: ReadonlyMap<string, NoteBase>, memory: string): string =>
  `${JSON.stringify({ version: VERSION, memory, notes: Object.fromEntries(bases) })}\n`;
