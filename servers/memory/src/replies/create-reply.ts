// What a call has made, told back: all of it where it fits, else the first, with how many there are.
import { reply } from "./reply.ts";
import { thoseThatFit, weighAny } from "../graph/read/json-size.ts";

/** What a reply may weigh that tells what the caller has said already. */
const BYTES = 1_000_000;
const FACTS_BYTES = 100_000;

/** `key` names the list in the structured result; `facts` are more lists beside it. */
export function made<T, K extends string>(
  key: K,
  items: readonly T[],
  {
    weigh,
    maxResultBytes,
    facts,
  }: { weigh: (item: T) => number; maxResultBytes: number; facts: Readonly<Record<string, readonly unknown[]>> },
) {
  const room = Math.min(BYTES, maxResultBytes * 0.6);
  const shown = thoseThatFit(items, room, weigh);
  const short = Object.fromEntries(
    Object.entries(facts).map(([name, list]) => [name, thoseThatFit(list, Math.min(FACTS_BYTES, maxResultBytes * 0.1), weighAny)]),
  );
  const isCut = shown.length < items.length || Object.entries(facts).some(([name, list]) => (short[name]?.length ?? 0) < list.length);
  const notes = [
    ...(shown.length < items.length ? [`Cut here: all ${items.length} are stored, the first ${shown.length} are shown.`] : []),
    ...Object.entries(facts).flatMap(([name, list]) => {
      const told = short[name]?.length ?? 0;
      return told < list.length ? [`Cut here: ${name} names ${told} of ${list.length}.`] : [];
    }),
  ];
  const structured = { [key]: shown, ...short, ...(isCut && { truncated: true, total: items.length }) } as Record<K, T[]> &
    Record<string, unknown>; // made so
  return reply(shown, structured, notes);
}
