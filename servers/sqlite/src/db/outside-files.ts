// Files beside the database, for import, export and backup: all of them in one folder, none of them reached by a link, and
// none that is there already overwritten.
import { linkSync, lstatSync, realpathSync, rmSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve } from "node:path";
import { DbError, refused, shown } from "./errors.ts";

/** SQLite would take files with these names for its own. */
const OWN = /-(?:journal|wal|shm)$/i;

const LONGEST_NAME = 200;

/** The real path of a file in the folder, whether it exists or not. */
function placeIn(folder: string, path: string): string {
  // Half of a character would become another name on the disk.
  if (path.includes("\0") || path.trim() === "" || !path.isWellFormed()) throw refused("path: expected the path of a file");
  const wanted = resolve(folder, path);
  const inside = `${shown(path)} is not in the folder for files; the operator chooses it with --files-dir`;
  const root = realOf(folder, "The folder for files cannot be read");
  const parent = realOf(dirname(wanted), inside);
  const way = relative(root, parent);
  if (way.startsWith("..") || isAbsolute(way)) throw refused(inside);
  const name = basename(wanted);
  // Room is left for what a file is called until it is whole.
  if (Buffer.byteLength(name) > LONGEST_NAME) throw refused(`path: the name of the file is longer than ${LONGEST_NAME} bytes`);
  if (name === "" || OWN.test(name)) throw refused(`${shown(path)}: SQLite keeps names that end so for itself; choose another one`);
  return join(parent, name);
}

function realOf(path: string, complaint: string): string {
  try {
    return realpathSync(path);
  } catch {
    throw refused(complaint);
  }
}

/** A file to read: an ordinary one. */
export function fileToRead(folder: string, path: string): { file: string; bytes: number } {
  const file = placeIn(folder, path);
  const stat = lstatSync(file, { throwIfNoEntry: false });
  if (stat === undefined) throw new DbError("not-found", `There is no file ${shown(path)} in the folder for files`);
  if (!stat.isFile()) throw refused(`${shown(path)} is not an ordinary file`);
  return { file, bytes: stat.size };
}

/** Runs `write` on a file with another name, which gets its own name when it is whole. */
export async function writeNew<T>(folder: string, path: string, write: (part: string) => Promise<T>): Promise<T> {
  const file = placeIn(folder, path);
  const exists = (): DbError => refused(`${shown(path)} exists already and is not overwritten; choose another name`);
  if (lstatSync(file, { throwIfNoEntry: false }) !== undefined) throw exists();
  const part = `${file}.${process.pid}-${Math.random().toString(36).slice(2, 10)}.part`;
  try {
    const done = await write(part);
    linkSync(part, file);
    return done;
  } catch (error) {
    throw error instanceof Error && "code" in error && error.code === "EEXIST" ? exists() : error;
  } finally {
    for (const left of [part, `${part}-journal`]) rmSync(left, { force: true });
  }
}
