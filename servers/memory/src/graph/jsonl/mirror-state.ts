// What is known of the mirror: which call it shows, as which file, and the highest ids that were in it. It lies in the store, so
// that all processes on it know the same.
import type { Store } from "../store/store.ts";

export interface Shown {
  /** The last call that the file shows. */
  readonly seq: number;
  readonly identity: string;
  /** When the file was written, in milliseconds since 1970, and how large it is. */
  readonly at: number;
  readonly size: number;
  readonly ids: Ids;
  /** The call that the file before it showed. */
  readonly before: number;
  /** The file must be written anew: it is not as we write it, or what it shows is not a state of the store. */
  readonly isStale: boolean;
}

/** What has a higher id is new. */
export interface Ids {
  readonly entity: number;
  readonly observation: number;
  readonly relation: number;
  readonly record: number;
  readonly turn: number;
}

export function shown(store: Store): Shown | undefined {
  const text = store.meta<string>("mirror");
  return text === undefined ? undefined : (JSON.parse(text) as Shown); // written below
}

export const setShown = (store: Store, state: Shown): void => store.setMeta("mirror", JSON.stringify(state));

export const lastSeq = (store: Store): number => store.get<{ seq: number | null }>("SELECT max(seq) AS seq FROM call")?.seq ?? 0;

/** The last call that purged something. */
export const lastPurge = (store: Store): number => store.meta<number>("purged") ?? 0;

export function lastIds(store: Store): Ids {
  const last = (table: string): number => store.get<{ id: number | null }>(`SELECT max(id) AS id FROM ${table}`)?.id ?? 0;
  return {
    entity: last("entity"),
    observation: last("observation"),
    relation: last("relation"),
    record: last("record"),
    turn: last("turn"),
  };
}
