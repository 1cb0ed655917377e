// Whose memory this is. The memory itself holds it, so that its copies tell it too.
import type { Store } from "./store/store.ts";

export interface Owner {
  /** The name of the memory. */
  readonly scope: string;
  /** As the authorization server names the person; undefined where none does. */
  readonly person?: string | undefined;
}

const KEY = "owner";

/** Undefined for a text that is not of this server. */
export function parseOwner(text: string | null | undefined): Owner | undefined {
  try {
    const { scope, person } = JSON.parse(text ?? "") as Partial<Record<keyof Owner, unknown>>; // checked below
    return typeof scope === "string" ? { scope, ...(typeof person === "string" && { person }) } : undefined;
  } catch {
    return undefined;
  }
}

export const readOwner = (store: Pick<Store, "meta">): Owner | undefined => parseOwner(store.meta<string>(KEY));

/** Does nothing where an owner is known. */
export function recordOwner(store: Store, owner: Owner): void {
  try {
    if (store.meta(KEY) === undefined) store.setMeta(KEY, JSON.stringify(owner));
  } catch {
    // A lock or a full disk must not keep the memory from being read. The next time does it.
  }
}
