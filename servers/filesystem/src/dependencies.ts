// What tools, resources and prompts are made from, and how much of a reply their texts may take.
import type { RequestAreas } from "./request-areas.ts";

export interface Dependencies {
  readonly areas: RequestAreas;
  /** The most bytes of one reply. */
  readonly maxResultBytes: number;
  /** Deletions and overwriting moves and copies go on without asking the user. */
  readonly allowDelete: boolean;
}

/** Bytes for a text or a blob, beside the facts about it: with a small limit, half of it. */
export const textBudget = (maxResultBytes: number): number => maxResultBytes - Math.min(4096, Math.ceil(maxResultBytes / 2));

/** Bytes for a page, beside its cursor, which holds the last path of the page and stands in a reply three times. */
export const pageBudget = (maxResultBytes: number): number => maxResultBytes - Math.min(20_000, maxResultBytes / 4);
