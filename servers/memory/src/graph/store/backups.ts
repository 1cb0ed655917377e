// Backups: copies of the database beside it, made before an upgrade or a large deletion. The newest three are kept.
import { chmodSync, closeSync, readdirSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { createNewFile } from "@oarlock/domain-kit";
import { openDatabase } from "../sqlite/driver.ts";

const MAX_BACKUPS = 3;
const LOCK_TIMEOUT_MS = 5000;

/** Writes a copy of the last committed state, removes the oldest backups, and returns the path of the copy. */
export function makeBackup(path: string): string {
  const time = new Date().toISOString().replaceAll(/[:.]/g, "-");
  const copy = `${path}.backup-${time}`;
  // SQLite writes into an empty file, and would follow a link.
  closeSync(createNewFile(copy, 0o600));
  // On a connection of its own: the caller's may be inside a transaction already.
  const db = openDatabase(path, { readonly: true, timeout: LOCK_TIMEOUT_MS });
  try {
    db.prepare("VACUUM INTO ?").run(copy);
  } catch (error) {
    rmSync(copy, { force: true });
    throw error;
  } finally {
    db.close();
  }
  chmodSync(copy, 0o600);
  for (const old of backupsOf(path).slice(0, -MAX_BACKUPS)) rmSync(old, { force: true });
  return copy;
}

/** Paths of the backups, oldest first. */
export function backupsOf(path: string): string[] {
  const prefix = `${basename(path)}.backup-`;
  return readdirSync(dirname(path))
    .filter((name) => name.startsWith(prefix))
    .sort()
    .map((name) => join(dirname(path), name));
}
