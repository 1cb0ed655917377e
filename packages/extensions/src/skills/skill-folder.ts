// Reads the files below a folder of skills. Links and hidden names are left out, so nothing outside of the folder is served.
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/** The limits of one skill that the specification recommends. */
export const MAX_FILES = 512;
export const MAX_BYTES = 16 * 1024 * 1024;

/** An entry below the folder. `path`: its names from there, such as `["use-git", "SKILL.md"]`. */
export interface FolderEntry {
  readonly path: readonly string[];
  /** Undefined for a directory. */
  readonly bytes: Uint8Array | undefined;
}

/** All files and directories below the folder, in the order of their paths. Bounded, because they stay in memory. */
export async function readFolder(folder: string): Promise<FolderEntry[]> {
  const entries: FolderEntry[] = [];
  let total = 0;
  const visit = async (path: readonly string[]): Promise<void> => {
    const found = await readdir(join(folder, ...path), { withFileTypes: true });
    for (const entry of found.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      if (entry.name.startsWith(".") || !(entry.isDirectory() || entry.isFile())) continue;
      const below = [...path, entry.name];
      const bytes = entry.isFile() ? await readFile(join(folder, ...below)) : undefined;
      entries.push({ path: below, bytes });
      total += bytes?.length ?? 0;
      if (entries.length > MAX_FILES * 4 || total > MAX_BYTES * 4) throw new Error(`The folder of skills ${folder} holds too much.`);
      if (bytes === undefined) await visit(below);
    }
  };
  await visit([]);
  return entries;
}
