// What a note contained when notes and graph agreed: a note is compared with it, so that what is gone from the note is a deletion, and what
// is new in the graph is not. Texts are kept as fingerprints.
import { createHash } from "node:crypto";
import { systemErrorCode } from "@oarlock/domain-kit";
import { GraphError } from "../../graph/errors.ts";
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

export interface NotesState {
  readonly bases: ReadonlyMap<string, NoteBase>;
  /** The process that keeps the notes; undefined where none does. */
  readonly holder: number | undefined;
}

/**
 * The content of the state file; undefined where it is damaged, of a newer version, or of another memory that no process keeps any more. Throws
 * where one does: two memories would undo each other.
 */
export function parseState(text: string, memory: string): NotesState | undefined {
  let state: { version: unknown; memory: unknown; process?: unknown; notes: Record<string, NoteBase> };
  try {
    state = JSON.parse(text) as typeof state;
  } catch {
    return undefined;
  }
  const holder = typeof state.process === "number" && isRunning(state.process) ? state.process : undefined;
  if (state.memory === memory) return state.version === VERSION ? { bases: new Map(Object.entries(state.notes)), holder } : undefined;
  if (holder === undefined) return undefined;
  throw new GraphError(
    "invalid",
    `Folder of notes is in use by another memory (process ${holder}): expected one of its own. Name another folder with --mirror, or end that server.`,
  );
}

const VERSION = 1;

export const formatState = ({ bases, holder }: NotesState, memory: string): string =>
  `${JSON.stringify({ version: VERSION, memory, ...(holder !== undefined && { process: holder }), notes: Object.fromEntries(bases) })}\n`;

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return systemErrorCode(error) === "EPERM";
  }
}
