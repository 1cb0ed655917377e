// What is at a path itself, with no symbolic link followed.
import { constants, lstatSync, openSync, readSync, type BigIntStats, type Stats } from "node:fs";
import { systemErrorCode } from "@oarlock/domain-kit";

/** Nothing can be at a path whose folder is a file or a circle of links, or whose name the file system does not take. */
const IS_NOWHERE: ReadonlySet<string | undefined> = new Set(["ENOTDIR", "ELOOP", "ENAMETOOLONG"]);

/** Undefined where there is nothing. For files of git: what cannot be looked at fails, so that no check passes over it. */
export function entryAt(path: string | Buffer): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if (IS_NOWHERE.has(systemErrorCode(error))) return undefined;
    throw error;
  }
}

/** The same for the work tree: in a folder that this user may not enter, git finds nothing either and warns of it. */
export function enterableEntryAt(path: string | Buffer): Stats | undefined {
  try {
    return entryAt(path);
  } catch (error) {
    if (systemErrorCode(error) === "EACCES") return undefined;
    throw error;
  }
}

/** The same as {@link entryAt} with exact numbers: those of files on Windows have 64 bits, more than a `number` keeps. */
export function exactEntryAt(path: string | Buffer): BigIntStats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false, bigint: true });
  } catch (error) {
    if (IS_NOWHERE.has(systemErrorCode(error))) return undefined;
    throw error;
  }
}

/** Opens a file for reading. Neither follows a link nor waits for a pipe. */
export const openPlain = (path: string | Buffer): number =>
  openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));

/** Undefined for an open file that is not as long as it says: those of /proc have another text for each process. */
export function readWhole(file: number, size: number): Buffer | undefined {
  const bytes = Buffer.alloc(size + 1);
  return readSync(file, bytes, 0, bytes.length, 0) === size ? bytes.subarray(0, size) : undefined;
}
