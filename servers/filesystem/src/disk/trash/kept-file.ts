// Brings an overwritten file into its slot: linked on the same file system, copied from any other.
import type { BigIntStats } from "node:fs";
import { systemErrorCode } from "@oarlock/domain-kit";
import type { Entry } from "../access/sandbox.ts";
import { AttributeTakeover } from "../attributes/attribute-takeover.ts";
import { DiskError } from "../errors.ts";
import { isKeptByFolder } from "../rights/write-access.ts";
import { copyFill } from "../transfer/device-copy.ts";
import { copyLink } from "../transfer/link-copy.ts";
import { replace } from "../write/atomic-replace.ts";
import type { DiskCalls } from "../write/disk-calls.ts";

/** The most bytes that are copied. */
export const MAX_COPIED_BYTES = 64 * 1024 * 1024;
/** Passed to `replace` in place of a lock: it needs only the temporary name, which is free in a slot, because the slot has one user. */
export const SLOT_LOCK = { temp: "copy" } as const;

/** Throws where the file cannot be kept. */
export async function keepFile(target: Entry, entry: Entry, old: BigIntStats, calls: DiskCalls): Promise<void> {
  const [from, to] = [entry.parent.at(entry.name), target.parent.at(target.name)];
  if (old.isSymbolicLink()) copyLink(from, to, entry.name, calls);
  // What is written in place would change in the trash too, if it were a link.
  else if (isKeptByFolder(entry.parent, old) || !isLinked(from, to, calls)) await copyTo(target, entry, old, calls);
}

/** False on another file system, or where hard links are not possible. */
function isLinked(from: string, to: string, calls: DiskCalls): boolean {
  try {
    calls.link(from, to);
    return true;
  } catch (error) {
    if (systemErrorCode(error) === undefined) throw error;
    return false;
  }
}

async function copyTo(target: Entry, entry: Entry, old: BigIntStats, calls: DiskCalls): Promise<void> {
  if (old.size > MAX_COPIED_BYTES) throw new DiskError("too-large", "File too large to be copied to the trash");
  const attributes = new AttributeTakeover(entry, old, target.parent);
  const how = { old: undefined, attributes, source: old, isMove: true, mustBeNew: true, calls };
  await replace(target, SLOT_LOCK, copyFill(entry.parent, entry.name, old, undefined), how, () => undefined);
}

/** The newer stat where only the time of change differs. With the older one the act finds out that the file has changed. */
export function sameContent(old: BigIntStats, now: BigIntStats | undefined): BigIntStats {
  const isSame = now?.ino === old.ino && now.dev === old.dev && now.size === old.size && now.mtimeNs === old.mtimeNs;
  return isSame ? now : old;
}
