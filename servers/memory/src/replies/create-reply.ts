// Results of tools that create or change something: everything that was stored, or the first part of it where that is too large.
import { takeWithin } from "@oarlock/domain-kit";
import { estimateBytes } from "../graph/read/json-size.ts";
import { reply } from "./reply.ts";

/** The caller knows what was stored. */
const MAX_BYTES = 100_000;
const MAX_NOTICE_BYTES = 50_000;

/** Shares of the largest result. */
const ITEM_SHARE = 0.6;
const NOTICE_SHARE = 0.1;

export interface Created<T, K extends string> {
  /** The name of the list in the structured result. */
  readonly key: K;
  readonly items: readonly T[];
  readonly bytesOf: (item: T) => number;
  /** Further lists of the structured result, by name, such as items that were skipped. */
  readonly notices: Readonly<Record<string, readonly unknown[]>>;
  /** The notices as sentences. */
  readonly remarks?: readonly string[];
  readonly maxResultBytes: number;
}

export function createReply<T, K extends string>({ key, items, bytesOf, notices, remarks = [], maxResultBytes }: Created<T, K>) {
  const visible = takeWithin(items, Math.min(MAX_BYTES, maxResultBytes * ITEM_SHARE), bytesOf);
  const noticeBytes = Math.min(MAX_NOTICE_BYTES, maxResultBytes * NOTICE_SHARE);
  const continuation =
    visible.length < items.length ? [`Truncated: all ${items.length} are stored, the first ${visible.length} are shown.`] : [];
  const shownNotices: Record<string, readonly unknown[]> = {};
  for (const [name, list] of Object.entries(notices)) {
    const part = takeWithin(list, noticeBytes, estimateBytes);
    if (part.length < list.length) continuation.push(`Truncated: ${name} shows ${part.length} of ${list.length}.`);
    shownNotices[name] = part;
  }
  const isTruncated = continuation.length > 0;
  const structured = { [key]: visible, ...shownNotices, ...(isTruncated && { truncated: true, total: items.length }) } as Record<K, T[]> &
    Record<string, unknown>; // a computed key has the type string
  return reply(visible, structured, { continuation, remarks });
}
