// Removing what is in a directory, through held directories: a link is removed, never entered.
import { lstatSync, readdirSync, rmdirSync, unlinkSync, type BigIntStats } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { clip } from "@oarlock/domain-kit";
import type { FolderHandle } from "../access/area.ts";
import { DiskError, fromSystem } from "../errors.ts";
import { below } from "./tree-scan.ts";

/** Called before an entry is removed, with its path and what is there; may throw to stop. */
export type Removing = (path: string, stat: BigIntStats) => void;

/** Removes a directory and everything in it. */
export async function removeFolder(parent: FolderHandle, name: string, removing: Removing = () => undefined): Promise<void> {
  using folder = parent.child(name);
  if (folder === undefined) throw new DiskError("conflict", `The directory changed in the meantime: ${clip(name)}`);
  await removeEntries(folder, 0, removing);
  told(folder.path, () => rmdirSync(parent.at(name)));
}

async function removeEntries(folder: FolderHandle, depth: number, removing: Removing): Promise<void> {
  if (depth > 1000) throw new DiskError("too-large", "The directory is nested too deep.");
  for (const [index, name] of told(folder.path, () => readdirSync(folder.self)).entries()) {
    // Let other requests go on.
    if (index % 256 === 255) await setImmediate();
    const path = below(folder, name);
    const stat = told(path, () => lstatSync(folder.at(name), { bigint: true }));
    removing(path, stat);
    if (!stat.isDirectory()) {
      told(path, () => unlinkSync(folder.at(name)));
      continue;
    }
    using child = folder.child(name);
    if (child === undefined) throw new DiskError("conflict", `The directory changed in the meantime: ${clip(name)}`);
    await removeEntries(child, depth + 1, removing);
    told(path, () => rmdirSync(folder.at(name)));
  }
}

/** An error is about the entry that it was met at, which the caller of a whole directory could not guess. */
function told<T>(path: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    throw fromSystem(error, path);
  }
}
