// The databases that the command line names.
import { realpathSync } from "node:fs";
import { basename, dirname, extname, join, resolve } from "node:path";
import { makeFolders, missingFolder, systemErrorCode } from "@oarlock/domain-kit";
import { StartError } from "@oarlock/cli";
import { checkDatabaseFile } from "./db/database-file.ts";
import type { DatabaseSpec } from "./db/database.ts";
import { DbError } from "./db/errors.ts";

const NAMED_FILE = /^([A-Za-z_][\w-]{0,63})=(.+)$/s;

/** Applies `change` to the path in `NAME=FILE` or `FILE`. */
export function changePath(positional: string, change: (path: string) => string): string {
  const [, name, path] = NAMED_FILE.exec(positional) ?? [];
  return name === undefined || path === undefined ? change(positional) : `${name}=${change(path)}`;
}

export interface CommandLine {
  readonly positionals: readonly string[];
  readonly dbPath: string | undefined;
  readonly readWrite: boolean;
  readonly readOnly: boolean;
  /** Files of other owners are refused. Default false. */
  readonly lockdown?: boolean;
}

/** The reference server creates this database when none is named. */
const DEFAULT_FILE = "./sqlite_mcp_server.db";

/** A database that the command line names, or the one that is served when it names none. */
export interface RequestedFile {
  readonly name: string;
  readonly path: string;
  readonly write: boolean;
  readonly create: boolean;
  /** Whether a start without --read-only creates it. */
  readonly isOfDbPath: boolean;
}

export function requestedFiles({ positionals, dbPath, readWrite, readOnly }: CommandLine): RequestedFile[] {
  const defaultPath = dbPath ?? (positionals.length === 0 ? DEFAULT_FILE : undefined);
  return [
    ...(defaultPath === undefined
      ? []
      : [{ name: nameOf(defaultPath), path: defaultPath, write: !readOnly, create: !readOnly, isOfDbPath: true }]),
    ...positionals.map((positional) => {
      const [, name, file] = NAMED_FILE.exec(positional) ?? [];
      return {
        name: name ?? nameOf(positional),
        path: file ?? positional,
        write: readWrite && !readOnly,
        create: false,
        isOfDbPath: false,
      };
    }),
  ];
}

/** The databases to serve, and why others are skipped. Throws a {@link StartError} where none is left. */
export function findServedFiles(line: CommandLine): {
  databases: DatabaseSpec[];
  skipped: string[];
} {
  const databases: DatabaseSpec[] = [];
  const skipped: string[] = [];
  for (const requested of requestedFiles(line)) {
    const { name, write, create } = requested;
    try {
      databases.push({ name: uniqueName(name, databases), file: findFile(requested, line.lockdown), write, create });
    } catch (error) {
      if (!(error instanceof DbError)) throw error;
      skipped.push(error.message);
    }
  }
  if (databases.length === 0) throw new StartError(`No database can be served: ${skipped.join(" ")}`, 3);
  return { databases, skipped };
}

function findFile(requested: RequestedFile, lockdown: boolean | undefined): string {
  const { path: given, create } = requested;
  if (given.trim() === "" || given === ":memory:" || given.startsWith("file:"))
    throw new StartError(`Invalid database ${JSON.stringify(given)}: expected the path of a file.`, 2);
  const path = resolve(given);
  if (create) createFolder(dirname(path), given);
  if (checkDatabaseFile(path, given, lockdown) === undefined && !create) {
    const { problem, remedy } = describeMissing(requested);
    throw new DbError("not-found", `${problem} ${remedy}`);
  }
  return join(realpathSync(dirname(path)), basename(path));
}

/** Why a database is not there, and what to do. Names the folder where that is missing. */
export function describeMissing({ path, isOfDbPath }: RequestedFile): { readonly problem: string; readonly remedy: string } {
  const folder = missingFolder(path);
  if (folder === undefined) {
    const remedy = isOfDbPath
      ? "Start once without --read-only to create it, or correct the path."
      : "Use --db-path FILE to create a database.";
    return { problem: `${path} does not exist.`, remedy };
  }
  const otherwise = isOfDbPath ? ", correct the path, or start once without --read-only, which creates both" : ", or correct the path";
  return { problem: `${path} does not exist: the folder ${folder} is missing.`, remedy: `Create the folder ${folder}${otherwise}.` };
}

function createFolder(folder: string, given: string): void {
  try {
    makeFolders(folder);
  } catch (error) {
    const code = systemErrorCode(error);
    const reason = code === undefined ? "" : ` (${code})`;
    throw new DbError("not-found", `The folder of ${given} cannot be created${reason}. Name a file in a folder that may be written to.`);
  }
}

const nameOf = (path: string): string => basename(path, extname(path)) || "main";

/** Databases with the same file name get numbers. */
function uniqueName(name: string, databases: readonly DatabaseSpec[]): string {
  for (let number = 1; ; number += 1) {
    const candidate = number === 1 ? name : `${name}_${number}`;
    if (!databases.some((database) => database.name === candidate)) return candidate;
  }
}
