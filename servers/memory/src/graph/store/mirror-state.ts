// What the JSONL mirror contains. Kept in the store, so that all processes that share the store know the same.
import type { HighestIds } from "./calls.ts";
import type { Store } from "./store.ts";

export interface MirrorState {
  /** The last call whose changes the file contains. */
  readonly syncedSeq: number;
  /** Tells this version of the file from others. */
  readonly identity: string;
  /** When the file was written, in milliseconds since 1970. */
  readonly at: number;
  /** In bytes. */
  readonly size: number;
  readonly ids: HighestIds;
  /** The last call in the version of the file before this one. */
  readonly previousSeq: number;
  /** The file must be written again: it is not formatted as the server writes it, or it matches no state of the store. */
  readonly isStale: boolean;
}

/** As it is stored in JSON. Its names are older than those above; other names would need an upgrade of every database. */
type StoredState = Omit<MirrorState, "syncedSeq" | "previousSeq"> & { readonly seq: number; readonly before: number };

export function getMirrorState(store: Store): MirrorState | undefined {
  const text = store.meta<string>("mirror");
  if (text === undefined) return undefined;
  const { seq, before, ...state } = JSON.parse(text) as StoredState; // written by setMirrorState
  return { ...state, syncedSeq: seq, previousSeq: before };
}

export function setMirrorState(store: Store, { syncedSeq, previousSeq, ...state }: MirrorState): void {
  const stored: StoredState = { ...state, seq: syncedSeq, before: previousSeq };
  store.setMeta("mirror", JSON.stringify(stored));
}
