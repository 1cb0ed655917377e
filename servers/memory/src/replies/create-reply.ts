// Results of tools that create or change something: what was stored, in the form of the reference server where that is small, and one line
// that counts it and names what needs attention. The caller knows what it has sent, so a large input is not repeated.
import { takeWithin } from "@oarlock/domain-kit";
import { text } from "@oarlock/server-kit";
import type { Block } from "@oarlock/server-kit/protocol";
import { estimateBytes } from "../graph/read/json-size.ts";
import { compactJson } from "./reply.ts";

/** Text and structured result together: a list that has about 4 KB of text is repeated as a whole, of a larger one the first items. */
const MAX_WHOLE_BYTES = 8000;
const FIRST_ITEMS_BYTES = 2000;
const MAX_NOTICE_BYTES = 50_000;

/** Shares of the largest result. */
const ITEM_SHARE = 0.6;
const NOTICE_SHARE = 0.1;

export interface Created<T, K extends string> {
  /** The name of the list in the structured result. */
  readonly key: K;
  readonly items: readonly T[];
  readonly bytesOf: (item: T) => number;
  /** Counts what was stored, such as "Created: 2 entities, 3 observations." */
  readonly summary: string;
  /** Further lists of the structured result, by name, such as items that were skipped. */
  readonly notices: Readonly<Record<string, readonly unknown[]>>;
  /** The notices as sentences. */
  readonly remarks?: readonly string[];
  readonly maxResultBytes: number;
}

export function createReply<T, K extends string>(created: Created<T, K>): { content: Block[]; structured: Record<K, T[]> } {
  const { key, items, bytesOf, summary, notices, remarks = [], maxResultBytes } = created;
  const whole = takeWithin(items, Math.min(MAX_WHOLE_BYTES, maxResultBytes * ITEM_SHARE), bytesOf);
  const visible = whole.length === items.length ? whole : takeWithin(whole, FIRST_ITEMS_BYTES, bytesOf);
  const noticeBytes = Math.min(MAX_NOTICE_BYTES, maxResultBytes * NOTICE_SHARE);
  const omitted = items.length - visible.length;
  const line = [summary];
  if (omitted > 0) line.push(`Truncated: all ${items.length} are stored, the first ${visible.length} are shown.`);
  line.push(...remarks);
  const shownNotices: Record<string, readonly unknown[]> = {};
  let isCut = omitted > 0;
  for (const [name, list] of Object.entries(notices)) {
    const part = takeWithin(list, noticeBytes, estimateBytes);
    if (part.length < list.length) line.push(`Truncated: ${name} shows ${part.length} of ${list.length}.`);
    isCut ||= part.length < list.length;
    shownNotices[name] = part;
  }
  const cut = isCut && { truncated: true, total: items.length, omitted };
  const structured = { [key]: visible, ...shownNotices, ...cut } as Record<K, T[]>; // a computed key has the type string
  return { content: [text(compactJson(visible)), text(line.join(" "))], structured };
}
