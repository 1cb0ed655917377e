// The names of the files that a memory keeps: nothing else may be written there.
import { basename, dirname } from "node:path";
import type { Location } from "./location.ts";

/** What follows the name of a database: files of SQLite, vectors with their lock, the inbox, and backups. */
const BESIDE_DATABASE = /^(?:\.vectors(?:-lock)?|\.inbox)?(?:-(?:wal|shm|journal))?$|^\.backup-/;
/** What follows the name of a JSONL file: damaged lines, what a restore has replaced, and new versions that are being written. */
const BESIDE_MIRROR = /^(?:\.damaged)?$|^\.backup-|^\.oarlock-.*\.tmp$/s;

/** Whether a memory has a file with this path, or may have one later. `path`: with its links resolved. */
export function isOwnFile(path: string, { database, mirror }: Location): boolean {
  return isBeside(path, database, BESIDE_DATABASE) || (mirror !== undefined && isBeside(path, mirror, BESIDE_MIRROR));
}

function isBeside(path: string, file: string, endings: RegExp): boolean {
  const [name, own] = [basename(path), basename(file)];
  return dirname(path) === dirname(file) && name.startsWith(own) && endings.test(name.slice(own.length));
}
