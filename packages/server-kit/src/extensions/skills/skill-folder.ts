// Reads the files below a folder of skills. Links and hidden names are left out, so nothing outside of the folder is served.
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/** The limits of one skill that the specification recommends. */
export const MAX_FILES = 512;
export const MAX_BYTES = 16 * 1024 * 1024;

/** A file below the folder. `path`: its names from there, such as `["use-git", "SKILL.md"]`. */
export interface FolderFile {
  readonly path: readonly string[];
  readonly bytes: Uint8Array;
}

/** All files below the folder, in the order of their paths. Bounded, because they stay in memory. */
export async function readFolder(folder: string): Promise<FolderFile[]> {
  const files: FolderFile[] = [];
  let bytes = 0;
  const visit = async (path: readonly string[]): Promise<void> => {
    const entries = await readdir(join(folder, ...path), { withFileTypes: true });
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      if (entry.name.startsWith(".")) continue;
      const below = [...path, entry.name];
      if (entry.isDirectory()) await visit(below);
      if (!entry.isFile()) continue;
      const file = { path: below, bytes: await readFile(join(folder, ...below)) };
      files.push(file);
      bytes += file.bytes.length;
      if (files.length > MAX_FILES * 4 || bytes > MAX_BYTES * 4) throw new Error(`The folder of skills ${folder} holds too much.`);
    }
  };
  await visit([]);
  return files;
}
