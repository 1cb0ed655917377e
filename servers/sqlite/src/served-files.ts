// Which files the command line names, and as what.
import { realpathSync } from "node:fs";
import { basename, dirname, extname, join, resolve } from "node:path";
import { StartError } from "@oarlock/cli";
import { DbError } from "./db/errors.ts";
import type { Served } from "./db/databases.ts";
import { checkPlace } from "./db/database-file.ts";
import { makeFolders } from "./folders.ts";

const NAMED = /^([A-Za-z_][\w-]{0,63})=(.+)$/s;

/** Applies `change` to the path in `NAME=FILE` or `FILE`. */
export function pathWithin(thing: string, change: (path: string) => string): string {
  const [, name, path] = NAMED.exec(thing) ?? [];
  return name === undefined || path === undefined ? change(thing) : `${name}=${change(path)}`;
}

export interface Named {
  readonly things: readonly string[];
  readonly dbPath: string | undefined;
  readonly readWrite: boolean;
  readonly readOnly: boolean;
}

/** The database that the well-known server makes when none is named. */
const DEFAULT_FILE = "./sqlite_mcp_server.db";

/** What is served, and what had to be left out, with why. Throws when nothing is left. */
export function servedBy({ things, dbPath, readWrite, readOnly }: Named): { served: Served[]; skipped: string[] } {
  const path = dbPath ?? (things.length === 0 ? DEFAULT_FILE : undefined);
  const wanted = [
    ...(path === undefined ? [] : [{ name: nameOf(path), path, write: !readOnly, make: !readOnly }]),
    ...things.map((thing) => {
      const [, name, file] = NAMED.exec(thing) ?? [];
      return { name: name ?? nameOf(thing), path: file ?? thing, write: readWrite && !readOnly, make: false };
    }),
  ];
  const served: Served[] = [];
  const skipped: string[] = [];
  for (const { name, path: given, write, make } of wanted) {
    try {
      served.push({ name: unique(name, served), file: placeOf(given, make), write, make });
    } catch (error) {
      if (!(error instanceof DbError)) throw error;
      skipped.push(error.message);
    }
  }
  if (served.length === 0) throw new StartError(`No database can be served: ${skipped.join("; ")}`, 3);
  return { served, skipped };
}

function placeOf(given: string, make: boolean): string {
  if (given.trim() === "" || given === ":memory:" || given.startsWith("file:"))
    throw new StartError(`${JSON.stringify(given)} is no file: name a database file`, 2);
  const path = resolve(given);
  if (make) makeFolder(dirname(path), given);
  if (checkPlace(path, given) === undefined && !make)
    throw new DbError("not-found", `${given} does not exist; --db-path FILE makes a new database`);
  return join(realpathSync(dirname(path)), basename(path));
}

function makeFolder(folder: string, given: string): void {
  try {
    makeFolders(folder);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    throw new DbError(
      "not-found",
      `The folder of ${given} cannot be made${code === "" ? "" : ` (${code})`}; name a file in a folder that may be written to`,
    );
  }
}

const nameOf = (path: string): string => basename(path, extname(path)) || "main";

function unique(name: string, served: readonly Served[]): string {
  const taken = (wanted: string): boolean => served.some((one) => one.name === wanted);
  for (let number = 1; ; number += 1) {
    const wanted = number === 1 ? name : `${name}_${number}`;
    if (!taken(wanted)) return wanted;
  }
}
