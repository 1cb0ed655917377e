// Backups: copies of the database beside it, made before an upgrade or a large deletion. The newest three are kept.
import { readdirSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { TemporaryFile } from "@oarlock/domain-kit";
import { holdFolderOf } from "../memory-files.ts";
import { openDatabase } from "../sqlite/driver.ts";

const MAX_BACKUPS = 3;
const LOCK_TIMEOUT_MS = 5000;

/** Writes a copy of the last committed state, removes the oldest backups, and returns the path of the copy. */
export function makeBackup(path: string): string {
  const time = new Date().toISOString().replaceAll(/[:.]/g, "-");
  const name = `${basename(path)}.backup-${time}`;
  using folder = holdFolderOf(path);
  // The name of a backup can be guessed, and SQLite would follow a link that has it.
  using file = new TemporaryFile(folder, { prefix: `${name}-` });
  // On a connection of its own: the caller's may be inside a transaction already.
  const db = openDatabase(path, { readonly: true, timeout: LOCK_TIMEOUT_MS });
  try {
    db.prepare("VACUUM INTO ?").run(folder.at(file.name));
  } finally {
    db.close();
  }
  file.replaceNow(name); // a name that is free, in a file that only this process knows
  const copy = join(dirname(path), name);
  // Files with later names are not of this server, and push no backup out.
  const earlier = backupsOf(path).filter((other) => other < copy);
  for (const old of earlier.slice(0, 1 - MAX_BACKUPS)) rmSync(old, { force: true });
  return copy;
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
