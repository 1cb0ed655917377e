// Paths of files besides the database, for import, export and backup: inside one folder, never through a link, never overwriting. Folders are
// held open, so that one which another program swaps for a link meanwhile leads nowhere.
import { existsSync, lstatSync, opendirSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import {
  clip,
  HeldFolder,
  hasPlainWindowsNames,
  reportChange,
  systemErrorCode,
  systemNameCalls,
  TemporaryFolder,
  TemporaryName,
} from "@oarlock/domain-kit";
import { DbError, refusal } from "./errors.ts";
import { platform } from "../platform.ts";
import type { FilePlace } from "./protocol/file-messages.ts";

/** SQLite would take files with these names for its own. */
const RESERVED_SUFFIX = /-(?:journal|wal|shm)$/i;
const MAX_NAME_BYTES = 200;

/** A name in a held folder, whether such a file exists or not. */
interface HeldPlace extends Disposable {
  readonly folder: HeldFolder;
  readonly name: string;
}

/** Pure. Throws for a text that cannot name a file, or names another one than it spells. */
export function checkPathText(path: string, system: NodeJS.Platform = platform): void {
  // A lone surrogate would become another name on the disk.
  if (path.includes("\0") || path.trim() === "" || !path.isWellFormed()) throw refusal("Invalid path: expected the path of a file.");
  if (system === "win32" && !hasPlainWindowsNames(path))
    throw refusal(
      `Invalid path ${clip(path)}: Windows reads it as another file, a stream or a device. Choose names without colons, without a dot or blank at their end, and not those of devices such as con and nul.`,
    );
}

/** @param folder The real path of the folder for files, as it was at the start. */
function holdInside(folder: string, path: string): HeldPlace {
  checkPathText(path);
  const wanted = resolve(folder, path);
  const outside = `Invalid path ${clip(path)}: it is not in the folder for files. The operator sets the folder with --files-dir.`;
  using root = attempt(() => HeldFolder.open(folder), "The folder for files cannot be read.");
  const [first = "", ...below] = relative(folder, wanted).split(sep);
  if (below.length > 0 && first !== ".." && !isAbsolute(first) && lstatSync(root.at(first), { throwIfNoEntry: false }) === undefined)
    throw new DbError("not-found", `No folder ${clip(first)} in the folder for files, where paths begin. ${contentsOf(root)}`);
  // Only a hint, so that links inside may be used: the folders are then entered one by one.
  const fromRoot = relative(
    folder,
    attempt(() => realpathSync(dirname(wanted)), outside),
  );
  if (fromRoot === ".." || fromRoot.startsWith(`..${sep}`) || isAbsolute(fromRoot)) throw refusal(outside);
  const name = basename(wanted);
  if (Buffer.byteLength(name) > MAX_NAME_BYTES)
    throw refusal(`Invalid path: the file name is longer than ${MAX_NAME_BYTES} bytes. Choose a shorter one.`);
  if (name === "" || RESERVED_SUFFIX.test(name))
    throw refusal(`Invalid path ${clip(path)}: SQLite reserves names that end in -journal, -wal and -shm. Choose another name.`);
  const parent = attempt(() => root.descend(fromRoot.split(sep)), outside);
  return { folder: parent, name, [Symbol.dispose]: () => parent[Symbol.dispose]() };
}

function attempt<T>(act: () => T, message: string): T {
  try {
    return act();
  } catch {
    throw refusal(message);
  }
}

const MAX_NAMES = 10;

/** No tool lists this folder. */
function contentsOf(folder: HeldFolder): string {
  const names: string[] = [];
  const entries = opendirSync(folder.self);
  try {
    for (let entry = entries.readSync(); entry !== null && names.length <= MAX_NAMES; entry = entries.readSync())
      names.push(clip(entry.name));
  } finally {
    entries.closeSync();
  }
  if (names.length > MAX_NAMES) return `It has ${names.slice(0, MAX_NAMES).join(", ")} and more.`;
  return names.length === 0 ? "It is empty." : `It has ${names.toSorted().join(", ")}.`;
}

/** Finds an ordinary file to read. */
export function findFile(folder: string, path: string): { file: FilePlace; bytes: number } {
  using place = holdInside(folder, path);
  const stat = lstatSync(place.folder.at(place.name), { throwIfNoEntry: false });
  if (stat === undefined)
    throw new DbError("not-found", `File ${clip(path)} not found in the folder for files. ${contentsOf(place.folder)}`);
  if (!stat.isFile()) throw refusal(`${clip(path)} is not an ordinary file. Name a file, not a link, directory or device.`);
  return { file: { folder: place.folder.reference, name: place.name }, bytes: stat.size };
}

/** Runs `write`, which creates a file with a temporary name. It gets its own name when it is complete. */
export async function writeNewFile<T>(
  folder: string,
  path: string,
  write: (file: FilePlace) => Promise<T>,
  calls = systemNameCalls,
): Promise<T> {
  using place = holdInside(folder, path);
  const alreadyExists = (): DbError => refusal(`${clip(path)} already exists and is not overwritten. Choose another name.`);
  if (lstatSync(place.folder.at(place.name), { throwIfNoEntry: false }) !== undefined) throw alreadyExists();
  using temporary = new TemporaryName(place.folder, { calls });
  const result = await write({ folder: place.folder.reference, name: temporary.name });
  try {
    await temporary.takeName(place.name);
    reportChange([join(place.folder.path, place.name)]);
  } catch (error) {
    throw systemErrorCode(error) === "EEXIST" ? alreadyExists() : error;
  }
  return result;
}

/** A folder for one large temporary file, where SQLite puts its own: /tmp is often in memory. */
export function scratchFolder(): TemporaryFolder {
  for (const parent of temporaryFolders(process.env["TMPDIR"], tmpdir())) {
    if (!existsSync(parent)) continue;
    try {
      return new TemporaryFolder(parent);
    } catch (error) {
      if (systemErrorCode(error) === undefined) throw error;
    }
  }
  throw new DbError(
    "read-only",
    "No folder for temporary files can be written to. The operator names one with the environment variable TMPDIR.",
  );
}

/** Pure. Where temporary files may be, the best first. On Windows /var/tmp would be on the current drive, where any user may have made it. */
export function temporaryFolders(fromEnvironment: string | undefined, ofUser: string, system: NodeJS.Platform = platform): string[] {
  return [...(fromEnvironment === undefined ? [] : [fromEnvironment]), ...(system === "win32" ? [] : ["/var/tmp"]), ofUser];
}
