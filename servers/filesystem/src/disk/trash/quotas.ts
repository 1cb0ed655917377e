// Which slots the trash keeps, and which it removes. Each principal has one quota for deletions and another for overwriting, so that neither
// pushes out the other's slots. Slots that the user was promised are removed only for their age.
import { ownerOf, removeSlot, slotNames, type Keeping, type SlotName } from "./slots.ts";

/** For each principal and kind of act; the oldest slots are removed first. */
export const MAX_BYTES = 1024 * 1024 * 1024;
export const MAX_SLOTS = 1000;
export const MAX_AGE_DAYS = 14;
/** Slots of one overwritten path that a clean-up leaves: the oldest and the newest. */
export const MAX_VERSIONS = 10;
const DAY_MS = 24 * 60 * 60 * 1000;

const isTooOld = ({ time }: SlotName, now: number): boolean => now - time.getTime() > MAX_AGE_DAYS * DAY_MS;

/** Whether so many bytes can be promised to be kept: promised slots are not removed for each other. */
export function canPromise(trash: string, keeping: Keeping, bytes: number, now = Date.now()): boolean {
  const owner = ownerOf(keeping);
  const slots = slotNames(trash).filter((slot) => slot.kind === "promised" && slot.owner === owner && !isTooOld(slot, now));
  return slots.length < MAX_SLOTS && slots.reduce((sum, slot) => sum + slot.bytes, bytes) <= MAX_BYTES;
}

/**
 * Merges the versions of each path, then removes what is too old, and the oldest slots of a quota while there is too much. Returns the number
 * of slots that were removed for these.
 */
export async function removeOldSlots(trash: string, now = Date.now()): Promise<number> {
  const quotas = new Map<string, { slots: number; bytes: number }>();
  let removed = 0;
  for (const slot of await mergeVersions(trash, slotNames(trash))) {
    const key = `${slot.kind} ${slot.owner}`;
    const quota = quotas.get(key) ?? { slots: 0, bytes: 0 };
    quotas.set(key, quota);
    quota.slots += 1;
    quota.bytes += slot.bytes;
    const isInQuota = slot.kind === "promised" || (quota.slots <= MAX_SLOTS && quota.bytes <= MAX_BYTES);
    if (isInQuota && !isTooOld(slot, now)) continue;
    await removeSlot(trash, slot.folder);
    removed += 1;
  }
  return removed;
}

/** Of a path that was overwritten again and again, the first state and the latest ones stay. Returns the slots that stay. */
async function mergeVersions(trash: string, slots: readonly SlotName[]): Promise<readonly SlotName[]> {
  const overwritten = slots.filter(({ kind }) => kind === "overwritten");
  const versions = Map.groupBy(overwritten, ({ owner, place }) => `${owner} ${place}`);
  const between = new Set([...versions.values()].flatMap((ofPath) => ofPath.slice(MAX_VERSIONS - 1, -1)));
  for (const { folder } of between) await removeSlot(trash, folder);
  return slots.filter((slot) => !between.has(slot));
}
