// What is at a path itself, with no symbolic link followed.
import { lstatSync, type BigIntStats, type Stats } from "node:fs";
import { systemErrorCode } from "@oarlock/domain-kit";

/** Undefined where there is nothing, also because a folder of the path is a file. */
export function entryAt(path: string | Buffer): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if (systemErrorCode(error) === "ENOTDIR") return undefined;
    throw error;
  }
}

/** The same with exact numbers: those of files on Windows have 64 bits, more than a `number` keeps. */
export function exactEntryAt(path: string | Buffer): BigIntStats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false, bigint: true });
  } catch (error) {
    if (systemErrorCode(error) === "ENOTDIR") return undefined;
    throw error;
  }
}
