// Moves from one file system to another: the source is copied, synced to the disk and checked, and then removed.
import { clip, retryWhileInUse } from "@oarlock/domain-kit";
import { mkdirSync, unlinkSync, type BigIntStats } from "node:fs";
import type { Entry } from "../access/sandbox.ts";
import { lookAt } from "../access/entry-stat.ts";
import { AttributeTakeover } from "../attributes/attribute-takeover.ts";
import { TreeAttributes } from "../attributes/tree-attributes.ts";
import { DiskError, fromSystem } from "../errors.ts";
import { replace, syncFolder } from "../write/atomic-replace.ts";
import { diskCalls, type DiskCalls } from "../write/disk-calls.ts";
import type { Lock } from "../write/name-lock.ts";
import { CopiedMetadata } from "./copied-metadata.ts";
import { copyEntries, copyFill, setMode, setModes } from "./device-copy.ts";
import { putLink } from "./link-copy.ts";
import { renameFolder, renameOverEntry } from "./rename.ts";
import { removeFolder } from "./tree-removal.ts";

interface DeviceMove {
  readonly source: Entry;
  readonly target: Entry;
  readonly stat: BigIntStats;
  readonly old: BigIntStats | undefined;
  readonly lock: Lock;
  readonly signal: AbortSignal | undefined;
}

/** Returns what the copy has not got from the source: a sentence. */
export async function moveAcrossDevices(move: DeviceMove, calls: DiskCalls = diskCalls): Promise<string | undefined> {
  const { source, target, stat, old, lock, signal } = move;
  if (stat.isDirectory()) return moveFolder(move, calls);
  const copied = new CopiedMetadata();
  copied.note(source.path, stat);
  const attributes = stat.isFile() ? new AttributeTakeover(source, stat, target.parent) : undefined;
  if (stat.isSymbolicLink()) {
    await putLink(source, target, old === undefined ? undefined : lock, calls);
  } else {
    const how = { old: undefined, attributes, source: stat, mustBeNew: old === undefined, calls, signal };
    await replace(target, lock, copyFill(source.parent, source.name, stat, signal), how, () => undefined);
  }
  copied.mustBe(source.path, lookAt(source));
  try {
    await retryWhileInUse(() => unlinkSync(source.parent.at(source.name)), calls.platform);
  } catch (error) {
    throw leftBehind(error, source);
  }
  return attributes?.loss;
}

/** A copy exists by now, which the error must mention. */
function leftBehind(error: unknown, { path }: Entry): DiskError {
  const why = fromSystem(error, path);
  return why.code === "conflict"
    ? why
    : new DiskError(why.code, `Everything was copied to the destination, but the source could not be removed. ${why.message}`);
}

async function moveFolder({ source, target, stat, lock, signal, old }: DeviceMove, calls: DiskCalls): Promise<string | undefined> {
  using from = source.parent.child(source.name);
  if (from === undefined)
    throw new DiskError("conflict", `Directory changed: another program changed ${clip(source.name)} in the meantime. Try again.`);
  const copied = new CopiedMetadata();
  const attributes = await TreeAttributes.of(from, target.parent);
  mkdirSync(target.parent.at(lock.temp), { mode: 0o700 });
  try {
    using copy = target.parent.child(lock.temp);
    if (copy === undefined)
      throw new DiskError("conflict", `Copy changed: another program changed ${clip(target.name)} in the meantime. Try again.`);
    await copyEntries(from, copy, { copied, attributes, calls, signal });
    setModes(from, copy, attributes, calls.platform);
    setMode(copy, stat, attributes, calls.platform);
    signal?.throwIfAborted();
    if (old === undefined) await renameFolder(target.parent.at(lock.temp), target.parent.at(target.name), calls);
    else await renameOverEntry(target.parent.at(lock.temp), target, calls);
  } catch (error) {
    await removeFolder(target.parent, lock.temp);
    throw error;
  }
  await syncFolder(target.parent);
  try {
    await removeFolder(source.parent, source.name, (path, now) => copied.mustBe(path, now));
  } catch (error) {
    // An entry was added at the last moment.
    if (error instanceof DiskError && error.code === "exists") copied.mustBe(source.path, undefined);
    throw leftBehind(error, source);
  }
  return attributes.loss;
}
