// Brings an overwritten file into its slot: linked on the same file system, copied from any other.
import { linkSync, readlinkSync, symlinkSync, type BigIntStats } from "node:fs";
import { systemErrorCode } from "@oarlock/domain-kit";
import type { Entry } from "../access/area.ts";
import { AttributeTakeover } from "../attributes/attribute-takeover.ts";
import { DiskError } from "../errors.ts";
import { copyFill } from "../transfer/device-copy.ts";
import { replace } from "../write/atomic-replace.ts";

/** The most bytes that are copied. */
export const MAX_COPIED_BYTES = 64 * 1024 * 1024;
/** Passed to `replace` in place of a lock: it needs only the temporary name, which is free in a slot, because nobody else uses it. */
export const SLOT_LOCK = { temp: "copy" } as const;

/** Throws where the file cannot be kept. */
export async function keepFile(target: Entry, entry: Entry, old: BigIntStats): Promise<void> {
  const [from, to] = [entry.parent.at(entry.name), target.parent.at(target.name)];
  if (old.isSymbolicLink()) symlinkSync(readlinkSync(from), to);
  else if (!isLinked(from, to)) await copyTo(target, entry, old);
}

/** False on another file system, or where hard links are not possible. */
function isLinked(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (systemErrorCode(error) === undefined) throw error;
    return false;
  }
}

async function copyTo(target: Entry, entry: Entry, old: BigIntStats): Promise<void> {
  if (old.size > MAX_COPIED_BYTES) throw new DiskError("too-large", "File too large to be copied to the trash");
  const attributes = new AttributeTakeover(entry, old, target.parent);
  const how = { old: undefined, attributes, source: old, mustBeNew: true };
  await replace(target, SLOT_LOCK, copyFill(entry.parent, entry.name, old, undefined), how, () => undefined);
}
