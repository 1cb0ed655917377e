// Checks of a database file before SQLite opens it: one ordinary file, and ordinary files beside it.
import { lstatSync, type Stats } from "node:fs";
import { foreignOwner, lockdownRefusal } from "@oarlock/domain-kit";
import { DbError, refusal } from "./errors.ts";

/** Files that SQLite keeps beside a database. */
const COMPANION_SUFFIXES = ["-journal", "-wal", "-shm"] as const;

/**
 * Refuses what SQLite would follow (links), wait for (pipes) or read as something else. Undefined: the file does not exist.
 * @param lockdown Refuses files of other owners too. Default false.
 */
export function checkDatabaseFile(file: string, label: string, lockdown = false): Stats | undefined {
  if (file !== file.trim()) throw refusal(`${label}: the path begins or ends with a blank. Rename the file.`);
  const stat = statOf(file, label);
  if (stat !== undefined) checkType(stat, label);
  if (stat !== undefined && lockdown) requireTrustedOwner(stat, label);
  for (const suffix of COMPANION_SUFFIXES) {
    const companion = statOf(file + suffix, label);
    if (companion !== undefined && !companion.isFile())
      throw refusal(`${label}: the ${suffix.slice(1)} beside the database is not an ordinary file. Remove it.`);
    if (companion !== undefined && lockdown) requireTrustedOwner(companion, label + suffix);
  }
  return stat;
}

/** Throws for a file of an author that the operator does not trust. */
export function requireTrustedOwner(stat: { readonly uid: number | bigint }, label: string): void {
  const owner = foreignOwner(stat);
  if (owner !== undefined) throw refusal(lockdownRefusal(label, owner));
}

function checkType(stat: Stats, label: string): void {
  if (stat.isSymbolicLink()) throw refusal(`${label} is a symbolic link. Name the file that it points to.`);
  if (stat.isDirectory()) throw refusal(`${label} is a directory. Name a database file.`);
  if (!stat.isFile()) throw refusal(`${label} is not an ordinary file. Name a database file.`);
}

function statOf(path: string, label: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    throw new DbError(
      "not-found",
      `${label} cannot be reached: a folder on its path may not be read by this user. Give this user the right to read it (chmod), or name another file.`,
    );
  }
}
