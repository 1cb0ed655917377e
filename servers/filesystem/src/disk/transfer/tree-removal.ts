// Removes directories with all entries below them, through open directories: a link is removed and never entered.
import { lstatSync, readdirSync, rmdirSync, unlinkSync, type BigIntStats } from "node:fs";
import { clip, retryWhileInUse, yieldToEventLoop } from "@oarlock/domain-kit";
import type { FolderHandle } from "../access/sandbox.ts";
import { DiskError, fromSystem } from "../errors.ts";
import { changeError } from "../rights/write-access.ts";
import { below } from "./tree-scan.ts";

/** Called before an entry is removed, with its path and stat. Throws to stop. */
export type Removing = (path: string, stat: BigIntStats) => void;

/** Removes a directory and all entries below it. */
export async function removeFolder(parent: FolderHandle, name: string, removing: Removing = () => undefined): Promise<void> {
  using folder = parent.child(name);
  if (folder === undefined)
    throw new DiskError("conflict", `Directory changed: another program changed ${clip(name)} in the meantime. Try again.`);
  await removeEntries(folder, 0, removing);
  await removeNaming(folder.path, parent, () => rmdirSync(parent.at(name)));
}

async function removeEntries(folder: FolderHandle, depth: number, removing: Removing): Promise<void> {
  if (depth > 1000) throw new DiskError("too-large", "Directory too deep: at most 1,000 levels can be removed.");
  for (const [index, name] of namingErrors(folder.path, () => readdirSync(folder.self)).entries()) {
    if (index % 256 === 255) await yieldToEventLoop();
    const path = below(folder, name);
    const stat = namingErrors(path, () => lstatSync(folder.at(name), { bigint: true }));
    removing(path, stat);
    if (!stat.isDirectory()) {
      await removeNaming(path, folder, () => unlinkSync(folder.at(name)));
      continue;
    }
    using child = folder.child(name);
    if (child === undefined)
      throw new DiskError("conflict", `Directory changed: another program changed ${clip(name)} in the meantime. Try again.`);
    await removeEntries(child, depth + 1, removing);
    await removeNaming(path, folder, () => rmdirSync(folder.at(name)));
  }
}

/** Windows refuses to remove what another program has open for a moment. */
async function removeNaming(path: string, within: FolderHandle, remove: () => void): Promise<void> {
  try {
    await retryWhileInUse(remove);
  } catch (error) {
    throw changeError(error, path, within);
  }
}

/** Errors name the entry that failed, which the path of the call does not show. */
function namingErrors<T>(path: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    throw fromSystem(error, path);
  }
}
