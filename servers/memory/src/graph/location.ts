// Where a memory is stored: a database and, if a JSONL file was named, that file as its mirror.
import { accessSync, constants, existsSync, readlinkSync, realpathSync, statSync } from "node:fs";
import nodePath, { basename, dirname, join, resolve, type PlatformPath } from "node:path";
import { fileURLToPath } from "node:url";
import { makeFolders, TemporaryFolder } from "@oarlock/domain-kit";
import { codeForMessage, GraphError } from "./errors.ts";
import { holdFolderOf, readHead, statMemoryFile, statOrUndefined } from "./memory-files.ts";
import { isDatabase } from "./sqlite/database-file.ts";

const MAX_LINKS = 40;
const HEAD_BYTES = 4096;
/** How a file of records begins, whether it has one on each line or is one JSON value. */
const RECORDS = /^\ufeff?\s*(?:$|(?:\[\s*)?\{\s*"(?:type|entities|relations)")/;

export interface Location {
  /** A path, or `:memory:`. */
  readonly database: string;
  /** The JSONL file, with all links resolved. */
  readonly mirror?: string;
}

/** Where the vectors of a database are, if it has embeddings. */
export const vectorsPathOf = (database: string): string => `${database}.vectors`;

/** A memory cannot be stored at the given place. The message names the next step. */
export class LocationError extends Error {
  override readonly name = "LocationError";
  /** True where the machine prevents it, false where the path is wrong. */
  readonly isEnvironment: boolean;

  constructor(message: string, isEnvironment = false) {
    super(message);
    this.isEnvironment = isEnvironment;
  }
}

/**
 * The location that a path or file URL means. Names that end in .db, .sqlite or .sqlite3, and files that are databases, are
 * databases; all others are JSONL files. Throws a LocationError.
 * @param packageFolder The folder of the server, where nothing may be stored.
 * @param mayBeDamaged For commands that put a damaged database right. Default false.
 */
export function locationOf(given: string, packageFolder: string, mayBeDamaged = false): Location {
  const named = resolve(toPath(given));
  const path = resolveLinks(named);
  if (isInFolder(path, resolve(packageFolder)))
    throw new LocationError(
      `Memory file ${given} is in the server's own folder, where an update of the package would delete it. Name a file elsewhere.`,
    );
  checkRegularFile(path, given);
  if (/\.(?:db|sqlite3?)$/i.test(path)) {
    if (isDatabase(path) === false && !mayBeDamaged)
      throw new LocationError(
        `Memory file ${given} is not a SQLite database. Name a .jsonl file, or another .db file. If it was the memory, put a backup in its place: oarlock-memory restore BACKUP --db ${given}`,
      );
    return { database: path };
  }
  if (existsSync(path) && statSync(path).size > 0 && isDatabase(path) === true) return { database: path };
  const database = `${path}.db`;
  checkRegularFile(database, `${given}.db`);
  if (statOrUndefined(named)?.isSymbolicLink() === true && statOrUndefined(database) === undefined) checkLinkedFile(path, given);
  return { database, mirror: path };
}

/** Pure. Whether the path is that of the folder, or below it. Both are absolute. */
export function isInFolder(path: string, folder: string, { relative, isAbsolute, sep }: PlatformPath = nodePath): boolean {
  const way = relative(folder, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** Resolves a file URL. Without this, it would name a folder `file:`. */
function toPath(given: string): string {
  if (!/^file:/i.test(given)) return given;
  try {
    const url = new URL(given);
    if (/^file:\//i.test(given) && url.search === "" && url.hash === "") return fileURLToPath(url);
  } catch {
    // Reported below.
  }
  throw new LocationError(
    `Memory file ${given} is not the URL of a file on this machine. Write a path, or a URL such as file:///folder/memory.jsonl.`,
  );
}

/** Creates the folder, and throws a LocationError if files in it cannot be written: better at the start than at the first call. */
export function checkWritable({ database, mirror }: Location): void {
  const folder = dirname(database);
  try {
    makeFolders(folder, 0o700);
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    for (const file of [database, ...(mirror === undefined ? [] : [mirror])])
      if (statMemoryFile(file) !== undefined) accessSync(file, constants.R_OK | constants.W_OK);
    // Throws for a name that is too long for a file, too.
    statMemoryFile(`${database}-wal`);
    if (statMemoryFile(database) === undefined) writeProbe(database);
  } catch (error) {
    if (error instanceof GraphError) throw new LocationError(`Cannot store the memory at ${mirror ?? database}: ${error.message}`, true);
    throw new LocationError(
      `Cannot store the memory at ${mirror ?? database} (${codeForMessage(error)}). Name a file in a writable folder with --db or MEMORY_FILE_PATH.`,
      true,
    );
  }
}

/** Some folders only look writable, such as /proc for root. */
function writeProbe(database: string): void {
  using folder = holdFolderOf(database);
  // A folder, because a random file name would load node:crypto, which takes 4 ms of a start.
  new TemporaryFolder(folder.self)[Symbol.dispose]();
}

/** `path`: with its links resolved, so that a link there belongs to a file that the operator did not name. */
function checkRegularFile(path: string, given: string): void {
  const stat = statOrUndefined(path);
  if (stat === undefined) return;
  if (stat.isSymbolicLink()) throw new LocationError(`Memory file ${given} is a symbolic link: expected a regular file. Remove the link.`);
  if (stat.isDirectory())
    throw new LocationError(`Memory file ${given} is a directory. Name a file in it, such as ${join(given, "memory.jsonl")}.`);
  if (!stat.isFile()) throw new LocationError(`Memory file ${given} is not a regular file. Name a .jsonl or .db file.`);
}

/** Whoever writes in the folder may have put the link there: a file without a memory must not be rewritten as one. */
function checkLinkedFile(path: string, given: string): void {
  if (statOrUndefined(path) === undefined) return;
  if (RECORDS.test(readHead(path, HEAD_BYTES).toString())) return;
  throw new LocationError(
    `Memory file ${given} is a link to a file that is not a memory: expected records of entities and relations. Remove the link, or name another file.`,
  );
}

/** The path with all links resolved, also where its end does not exist yet. */
export function resolveLinks(path: string): string {
  let current = path;
  for (let left = MAX_LINKS; left > 0; left--) {
    if (existsSync(current)) return realpathSync(current);
    if (statOrUndefined(current)?.isSymbolicLink() !== true) {
      const parent = dirname(current);
      return parent === current ? current : join(resolveLinks(parent), basename(current));
    }
    current = resolve(dirname(current), readlinkSync(current));
  }
  throw new LocationError(`Memory file ${path} leads through too many links. Name another file.`, true);
}
