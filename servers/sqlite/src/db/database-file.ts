// Where a database lives: one ordinary file, and beside it the files that SQLite keeps while it works.
import { lstatSync, type Stats } from "node:fs";
import { DbError, refused } from "./errors.ts";

const BESIDE = ["-journal", "-wal", "-shm"] as const;

/** Refuses what SQLite would follow, wait for, or take for something else. Undefined: there is no file yet. */
export function checkPlace(file: string, label: string): Stats | undefined {
  if (file !== file.trim()) throw refused(`${label}: the path begins or ends with a blank; rename the file`);
  const stat = lookAt(file);
  if (stat !== undefined) checkKind(stat, label);
  for (const end of BESIDE) {
    const beside = lookAt(file + end);
    if (beside !== undefined && !beside.isFile())
      throw refused(`${label}: ${end.slice(1)} beside the database is not an ordinary file; it is not opened`);
  }
  return stat;
}

function checkKind(stat: Stats, label: string): void {
  if (stat.isSymbolicLink()) throw refused(`${label} is a symbolic link; name the file that it leads to`);
  if (stat.isDirectory()) throw refused(`${label} is a directory; name a database file`);
  if (!stat.isFile()) throw refused(`${label} is not an ordinary file; name a database file`);
}

function lookAt(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    throw new DbError("not-found", "The place of the database cannot be looked at: a folder on its way is missing or closed");
  }
}
