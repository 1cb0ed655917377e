// Removing what is in a directory, through held directories: a link is removed, never entered.
import { lstatSync, readdirSync, rmdirSync, unlinkSync, type BigIntStats } from "node:fs";
import { setImmediate } from "node:timers/promises";
import type { FolderHandle } from "./door.ts";
import { DiskError, clip } from "./errors.ts";

/** Called before an entry is removed, with its path and what is there; may throw to stop. */
export type Removing = (path: string, stat: BigIntStats) => void;

/** Removes a directory and everything in it. */
export async function removeFolder(parent: FolderHandle, name: string, removing: Removing = () => undefined): Promise<void> {
  using folder = parent.child(name);
  if (folder === undefined) throw new DiskError("conflict", `The directory changed in the meantime: ${clip(name)}`);
  await removeEntries(folder, 0, removing);
  rmdirSync(parent.at(name));
}

async function removeEntries(folder: FolderHandle, depth: number, removing: Removing): Promise<void> {
  if (depth > 1000) throw new DiskError("too-large", "The directory is nested too deep.");
  for (const [index, name] of readdirSync(folder.self).entries()) {
    // Let other requests go on.
    if (index % 256 === 255) await setImmediate();
    const stat = lstatSync(folder.at(name), { bigint: true });
    removing(`${folder.path}/${name}`, stat);
    if (!stat.isDirectory()) {
      unlinkSync(folder.at(name));
      continue;
    }
    using child = folder.child(name);
    if (child === undefined) throw new DiskError("conflict", `The directory changed in the meantime: ${clip(name)}`);
    await removeEntries(child, depth + 1, removing);
    rmdirSync(folder.at(name));
  }
}
