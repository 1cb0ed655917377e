// Where a memory lies: a database, and beside it, where a JSONL file was named, that file as its mirror.
import { accessSync, closeSync, constants, existsSync, lstatSync, openSync, readlinkSync, realpathSync, rmSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { codeOf } from "./errors.ts";
import { makeFolders } from "./store/folders.ts";
import { isDatabase } from "./store/open-store.ts";

export interface Location {
  readonly database: string;
  /** The JSONL file that says the same, without links. */
  readonly mirror?: string;
}

/** Why a store cannot lie where it was said; the message says what to do. */
export class LocationError extends Error {
  override readonly name = "LocationError";
  /** The machine does not allow it; otherwise it was said wrongly. */
  readonly isEnvironment: boolean;

  constructor(message: string, isEnvironment: boolean) {
    super(message);
    this.isEnvironment = isEnvironment;
  }
}

/** `given`: a path, relative to the working directory, or the URL of a file. A name ending in .db or .sqlite, or a file that is one, is a database. */
export function locationOf(given: string, own: string): Location {
  const path = withoutLinks(resolve(pathOf(given)));
  const inside = `${resolve(own)}/`;
  if (`${path}/`.startsWith(inside))
    throw new LocationError(
      `The memory may not lie in the server's own folder, where an update would delete it: name another place than ${given}`,
      false,
    );
  checkFile(path, given);
  if (/\.(?:db|sqlite3?)$/i.test(path)) {
    if (isDatabase(path) === false)
      throw new LocationError(`${given} is not a SQLite database: name a .jsonl file, or another .db file`, false);
    return { database: path };
  }
  if (existsSync(path) && statSync(path).size > 0 && isDatabase(path) === true) return { database: path };
  const database = `${path}.db`;
  checkFile(database, `${given}.db`);
  return { database, mirror: path };
}

/** Who gives a URL means no folder that is named `file:`. */
function pathOf(given: string): string {
  if (!/^file:/i.test(given)) return given;
  try {
    const url = new URL(given);
    if (/^file:\//i.test(given) && url.search === "" && url.hash === "") return fileURLToPath(url);
  } catch {
    // Told below.
  }
  throw new LocationError(`${given} is no URL of a file on this machine: write file:///folder/memory.jsonl, or a path`, false);
}

/** Makes the folder, and looks whether it can be written: what cannot be kept is told at the start. */
export function checkPlace({ database, mirror }: Location): void {
  const folder = dirname(database);
  try {
    makeFolders(folder);
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    for (const file of [database, ...(mirror === undefined ? [] : [mirror])])
      if (isThere(file)) accessSync(file, constants.R_OK | constants.W_OK);
    isThere(`${database}-wal`);
    if (!isThere(database)) tryIn(folder);
  } catch (error) {
    throw new LocationError(
      `The memory cannot be kept at ${mirror ?? database} (${codeOf(error)}): name a file in a folder that can be written, with --db or MEMORY_FILE_PATH`,
      true,
    );
  }
}

/** Some folders look as if they could be written, such as /proc for root. */
function tryIn(folder: string): void {
  const probe = join(folder, `.oarlock-${process.pid}-${Math.random().toString(36).slice(2)}.tmp`);
  closeSync(openSync(probe, "wx", 0o600));
  rmSync(probe);
}

/** Unlike existsSync it says so when there can be no such file: its name is too long. */
const isThere = (path: string): boolean => statSync(path, { throwIfNoEntry: false }) !== undefined;

function checkFile(path: string, given: string): void {
  if (existsSync(path)) {
    const stat = statSync(path);
    if (stat.isDirectory())
      throw new LocationError(`${given} is a directory: name a file in it, such as ${join(given, "memory.jsonl")}`, false);
    if (!stat.isFile()) throw new LocationError(`${given} is no regular file: name a .jsonl or .db file`, false);
  }
}

const MOST_LINKS = 40;

/** Where a path leads, also when its end is not there yet. */
export function withoutLinks(path: string): string {
  let at = path;
  for (let left = MOST_LINKS; left > 0; left--) {
    if (existsSync(at)) return realpathSync(at);
    const target = linkTarget(at);
    if (target === undefined) {
      const above = dirname(at);
      return above === at ? at : join(withoutLinks(above), basename(at));
    }
    at = resolve(dirname(at), target);
  }
  throw new LocationError(`${path} leads through too many links`, true);
}

function linkTarget(path: string): string | undefined {
  try {
    return lstatSync(path).isSymbolicLink() ? readlinkSync(path) : undefined;
  } catch {
    return undefined;
  }
}
