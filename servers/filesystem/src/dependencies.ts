// What tools, resources and prompts are made from, and how much of a reply their texts may take.
import type { ActivityLog } from "./activity-log.ts";
import type { Keeping } from "./disk/trash/slots.ts";
import type { Trash } from "./disk/trash/trash.ts";
import type { RequestSandboxes } from "./request-sandbox.ts";

/** Loads what keeps deleted and overwritten files, for the acts of one call. */
export type OpenTrash = (keeping: Keeping) => Promise<Trash>;

export interface Dependencies {
  readonly sandboxes: RequestSandboxes;
  readonly activity: ActivityLog;
  /** The most bytes of one reply. */
  readonly maxResultBytes: number;
  /** Undefined with --no-trash. */
  readonly openTrash: OpenTrash | undefined;
  /** Deletions and overwriting moves continue without asking the user. */
  readonly allowDelete: boolean;
  /** No text is sent twice. */
  readonly isLean: boolean;
  /** Milliseconds between two checks of what clients have subscribed to. Undefined: a second. */
  readonly lookMs: number | undefined;
}

/** Bytes for a text or a blob, beside the facts about it: with a small limit, half of it. */
export const textBudget = (maxResultBytes: number): number => maxResultBytes - Math.min(4096, Math.ceil(maxResultBytes / 2));

/** Bytes of text that hosts show in full. A list has no more, unless the caller sets a limit. */
const SHOWN_BYTES = 62_000;

/** Bytes of one line of a file: a longer one is read in parts. */
export const MAX_LINE_BYTES = 60_000;

/** Bytes for several texts, each sent twice. `isPart`: the caller has set how many lines of each. */
export const textsBudget = (maxResultBytes: number, isPart: boolean): number =>
  isPart ? textBudget(maxResultBytes) : Math.min(textBudget(maxResultBytes), 2 * SHOWN_BYTES);

/** Bytes for a page, beside its cursor, which holds the last path of the page and stands in a reply five times. */
const fullPageBudget = (maxResultBytes: number): number => maxResultBytes - Math.min(32_000, maxResultBytes / 3);

/**
 * Bytes for a page. Lists are sent as text, once more as text in the structured result, and as a list: three copies.
 * @param limit What the caller set; with a limit the reply may be as long as the operator allows.
 */
export const pageBudget = (maxResultBytes: number, limit: number | undefined, copies = 3): number =>
  limit === undefined ? Math.min(fullPageBudget(maxResultBytes), copies * SHOWN_BYTES) : fullPageBudget(maxResultBytes);
