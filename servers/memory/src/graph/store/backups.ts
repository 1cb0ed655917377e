// Backups: copies of the database beside it, made before an upgrade or a large deletion. The newest three are kept.
import { readdirSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { TemporaryFile, type HeldFolder } from "@oarlock/domain-kit";
import { holdFolderOf } from "../memory-files.ts";
import { openDatabase } from "../sqlite/driver.ts";

const MAX_BACKUPS = 3;
const LOCK_TIMEOUT_MS = 5000;

/** Writes a copy of the last committed state, removes the oldest backups, and returns the path of the copy. */
export function makeBackup(path: string): string {
  const name = backupName(basename(path));
  using folder = holdFolderOf(path);
  using file = writeCopy(path, folder, `${name}-`);
  file.replaceNow(name); // a name that is free, in a file that only this process knows
  const copy = join(dirname(path), name);
  // Files with later names are not of this server, and push no backup out.
  const earlier = backupsOf(path).filter((other) => other < copy);
  for (const old of earlier.slice(0, 1 - MAX_BACKUPS)) rmSync(old, { force: true });
  return copy;
}

/** Of a file that is kept: its name and the time. */
export const backupName = (name: string): string => `${name}.backup-${new Date().toISOString().replaceAll(/[:.]/g, "-")}`;

/** Writes a copy of the last committed state, while other processes write. The caller gives it a name, or disposes of it. */
export function writeCopy(path: string, folder: HeldFolder, prefix: string): TemporaryFile {
  // The name of a backup can be guessed, and SQLite would follow a link that has it.
  const file = new TemporaryFile(folder, { prefix });
  try {
    // On a connection of its own: the caller's may be inside a transaction already.
    const db = openDatabase(path, { readonly: true, timeout: LOCK_TIMEOUT_MS });
    try {
      db.prepare("VACUUM INTO ?").run(folder.at(file.name));
    } finally {
      db.close();
    }
    return file;
  } catch (error) {
    file[Symbol.dispose]();
    throw error;
  }
}

/** Paths of the backups, oldest first. Only regular files are backups. */
export function backupsOf(path: string): string[] {
  const prefix = `${basename(path)}.backup-`;
  return readdirSync(dirname(path), { withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.startsWith(prefix))
    .map(({ name }) => name)
    .sort()
    .map((name) => join(dirname(path), name));
}
