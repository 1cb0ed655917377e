// Paths of files besides the database, for import, export and backup: inside one folder, never through a link, never overwriting.
import { linkSync, lstatSync, realpathSync, rmSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve } from "node:path";
import { clip, systemErrorCode } from "@oarlock/domain-kit";
import { DbError, refusal } from "./errors.ts";

/** SQLite would take files with these names for its own. */
const RESERVED_SUFFIX = /-(?:journal|wal|shm)$/i;

/** Leaves room for the suffix of a file that is being written. */
const MAX_NAME_BYTES = 200;

/** The real path of a file in the folder, whether it exists or not. */
function resolveInside(folder: string, path: string): string {
  // A lone surrogate would become another name on the disk.
  if (path.includes("\0") || path.trim() === "" || !path.isWellFormed()) throw refusal("Invalid path: expected the path of a file.");
  const wanted = resolve(folder, path);
  const outside = `Invalid path ${clip(path)}: it is not in the folder for files. The operator sets the folder with --files-dir.`;
  const root = realPath(folder, "The folder for files cannot be read.");
  const parent = realPath(dirname(wanted), outside);
  const fromRoot = relative(root, parent);
  if (fromRoot.startsWith("..") || isAbsolute(fromRoot)) throw refusal(outside);
  const name = basename(wanted);
  if (Buffer.byteLength(name) > MAX_NAME_BYTES)
    throw refusal(`Invalid path: the file name is longer than ${MAX_NAME_BYTES} bytes. Choose a shorter one.`);
  if (name === "" || RESERVED_SUFFIX.test(name))
    throw refusal(`Invalid path ${clip(path)}: SQLite reserves names that end in -journal, -wal and -shm. Choose another name.`);
  return join(parent, name);
}

function realPath(path: string, message: string): string {
  try {
    return realpathSync(path);
  } catch {
    throw refusal(message);
  }
}

/** Finds an ordinary file to read. */
export function findFile(folder: string, path: string): { file: string; bytes: number } {
  const file = resolveInside(folder, path);
  const stat = lstatSync(file, { throwIfNoEntry: false });
  if (stat === undefined) throw new DbError("not-found", `File ${clip(path)} not found in the folder for files.`);
  if (!stat.isFile()) throw refusal(`${clip(path)} is not an ordinary file. Name a file, not a link, directory or device.`);
  return { file, bytes: stat.size };
}

/** Runs `write` on a temporary file, which gets its own name when it is complete. */
export async function writeNewFile<T>(folder: string, path: string, write: (partFile: string) => Promise<T>): Promise<T> {
  const file = resolveInside(folder, path);
  const alreadyExists = (): DbError => refusal(`${clip(path)} already exists and is not overwritten. Choose another name.`);
  if (lstatSync(file, { throwIfNoEntry: false }) !== undefined) throw alreadyExists();
  const partFile = `${file}.${process.pid}-${Math.random().toString(36).slice(2, 10)}.part`;
  try {
    const result = await write(partFile);
    // A link fails where the name was taken meanwhile; a rename would overwrite.
    linkSync(partFile, file);
    return result;
  } catch (error) {
    throw systemErrorCode(error) === "EEXIST" ? alreadyExists() : error;
  } finally {
    for (const left of [partFile, `${partFile}-journal`]) rmSync(left, { force: true });
  }
}
