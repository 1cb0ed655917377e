// What the JSONL mirror contains. Kept in the store, so that all processes that share the store know the same.
import type { HighestIds } from "./calls.ts";
import type { Store } from "./store.ts";

/** Stored as JSON. */
export interface MirrorState {
  /** The last call whose changes the file contains. */
  readonly seq: number;
  /** Tells this version of the file from others. */
  readonly identity: string;
  /** When the file was written, in milliseconds since 1970. */
  readonly at: number;
  /** In bytes. */
  readonly size: number;
  readonly ids: HighestIds;
  /** The last call in the version of the file before this one. */
  readonly before: number;
  /** The file must be written again: it is not formatted as the server writes it, or it matches no state of the store. */
  readonly isStale: boolean;
}

export function getMirrorState(store: Store): MirrorState | undefined {
  const text = store.meta<string>("mirror");
  return text === undefined ? undefined : (JSON.parse(text) as MirrorState); // written by setMirrorState
}

export const setMirrorState = (store: Store, state: MirrorState): void => store.setMeta("mirror", JSON.stringify(state));
