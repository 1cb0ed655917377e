// Copies of the whole store, kept beside it before something large happens to it: the last three.
import { chmodSync, readdirSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { openDatabase } from "./sqlite.ts";

const KEPT = 3;

/** Writes a copy as of the last commit and removes the oldest ones; gives its path. */
export function backUp(path: string): string {
  const stamp = new Date().toISOString().replaceAll(/[:.]/g, "-");
  const copy = `${path}.backup-${stamp}`;
  // A connection of its own: the one that is about to change something may be in its transaction already.
  const db = openDatabase(path, { readonly: true, timeout: 5000 });
  try {
    db.prepare("VACUUM INTO ?").run(copy);
  } finally {
    db.close();
  }
  chmodSync(copy, 0o600);
  for (const old of backupsOf(path).slice(0, -KEPT)) rmSync(old, { force: true });
  return copy;
}

/** The oldest first. */
export function backupsOf(path: string): string[] {
  const prefix = `${basename(path)}.backup-`;
  return readdirSync(dirname(path))
    .filter((name) => name.startsWith(prefix))
    .sort()
    .map((name) => join(dirname(path), name));
}
