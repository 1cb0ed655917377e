// The published revisions, newest first. Other folders import revisions from this file only.
// https://modelcontextprotocol.io/specification/versioning
import { newest } from "./2026-07-28.ts";
import { step as at20251125 } from "./2025-11-25.ts";
import { step as at20250618 } from "./2025-06-18.ts";
import { step as at20250326 } from "./2025-03-26.ts";
import { step as at20241105 } from "./2024-11-05.ts";
import { fold, type Revision, type Step } from "./revision.ts";

export type { Facts, Revision } from "./revision.ts";

const STEPS: readonly Step[] = [at20251125, at20250618, at20250326, at20241105];

/** Ids of all revisions that the kit knows, newest first. */
export const REVISIONS: readonly string[] = [newest.id, ...STEPS.map((step) => step.id)];

const folded = new Map<string, Revision>();

/** The revision with this id, folded on first use; undefined for an unknown one. */
export function find(id: unknown): Revision | undefined {
  if (typeof id !== "string") return undefined;
  const known = folded.get(id);
  if (known !== undefined) return known;
  const at = REVISIONS.indexOf(id);
  if (at === -1) return undefined;
  const revision = fold(newest, STEPS.slice(0, at));
  folded.set(id, revision);
  return revision;
}

/** The oldest stateless revision: extensions may appear from it on, unless they say otherwise. */
export const OLDEST_STATELESS: string = newest.id;

/** The oldest revision whose tools have `_meta`. */
export const OLDEST_WITH_TOOL_META: string = at20250618.id;

/** The newest revision with a handshake: the answer to `initialize` with an unknown revision. */
export const NEWEST_HANDSHAKE: string = at20251125.id;

/** The revision that `initialize` negotiates. A stateless one cannot be negotiated. */
export function negotiate(requested: unknown): Revision {
  const wanted = find(requested);
  const revision = wanted?.facts.era === "handshake" ? wanted : find(NEWEST_HANDSHAKE);
  if (revision === undefined) throw new Error("The newest handshake revision is missing from REVISIONS.");
  return revision;
}
