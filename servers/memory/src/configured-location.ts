// Where the memory is stored: as the command line or the environment says, otherwise in the user's data folder.
import { existsSync, readdirSync } from "node:fs";
import { homedir } from "node:os";
import { join, posix, win32 } from "node:path";
import { fileURLToPath } from "node:url";
import { userFolder, type UserFolderOptions } from "@oarlock/domain-kit";
import { checkWritable, LocationError, locationOf, resolveLinks, type Location } from "./graph/location.ts";
import { isPostgresAddress, postgresLocationOf, type MemoryLocation, type PostgresLocation } from "./postgres-location.ts";
import { platform } from "./platform.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** The package's folder, above src/ or dist/. */
const PACKAGE_FOLDER = fileURLToPath(new URL("..", import.meta.url));

/** The location for a server. `db`: the value of --db, with `~` expanded. Throws a LocationError. */
export function locate(db: string | undefined, env: Environment, readOnly = false): MemoryLocation {
  const location = configuredLocation(db, env);
  if (isInPostgres(location)) return location;
  if (readOnly) return readOnlyLocation(location);
  checkWritable(location);
  return location;
}

/** The same without any access to its folder. `mayBeDamaged`: also for a database file that is none. */
export function configuredLocation(db: string | undefined, env: Environment, mayBeDamaged = false): MemoryLocation {
  const file = env["MEMORY_FILE_PATH"];
  const given = db ?? file;
  if (given !== undefined && isPostgresAddress(given)) {
    if (file !== undefined && file.trim() !== "" && !isPostgresAddress(file))
      throw new LocationError(
        "Variable MEMORY_FILE_PATH names a file, which belongs to one machine and cannot be kept as a mirror of a memory in Postgres. Unset it; oarlock-memory import and export read and write files.",
      );
    return postgresLocationOf(given);
  }
  // Shells and hosts set a variable without a value to the empty string.
  return given === undefined || given.trim() === ""
    ? { database: resolveLinks(defaultPath(env)) }
    : locationOf(expandHome(given), PACKAGE_FOLDER, mayBeDamaged);
}

export const isInPostgres = (location: MemoryLocation): location is PostgresLocation => "address" in location;

/** For read-only use, which creates no files: without a database, one in memory takes the content of the JSONL file. */
export const readOnlyLocation = (location: Location): Location =>
  existsSync(location.database) ? location : { ...location, database: ":memory:" };

const defaultPath = (env: Environment): string =>
  join(userFolder("data", { platform, env, home: homeFolder }), "oarlock", "memory", "memory.db");

/** Users in containers may have none. */
function homeFolder(): string {
  try {
    return homedir();
  } catch {
    throw new LocationError("This user has no home directory. Set HOME, or name a file with --db or MEMORY_FILE_PATH.", true);
  }
}

/**
 * Points to files of the reference server, whose default is a file in the cache of npx, where an update deletes it. Only where the memory
 * is in the default place and does not exist yet.
 */
export function hintAtOldFiles(location: MemoryLocation, env: Environment, tell: (message: string) => void): void {
  if (isInPostgres(location) || existsSync(location.database)) return;
  const folders = npxFolders(env);
  // The default path needs a home folder; the cache of npx is in it too.
  if (folders.length === 0 || location.database !== resolveLinks(defaultPath(env))) return;
  const files = folders.flatMap((folder) =>
    ["memory.jsonl", "memory.json"].map((file) => join(folder, "node_modules", "@modelcontextprotocol", "server-memory", "dist", file)),
  );
  for (const file of files.filter((file) => existsSync(file)))
    tell(`Memory of the reference server found at ${file}. To import it, run: oarlock-memory import ${JSON.stringify(file)}`);
}

/** Empty where the cache of npx cannot be read. */
function npxFolders(env: Environment): string[] {
  try {
    const cache = npxCache({ platform, env, home: homedir });
    return readdirSync(cache).map((name) => join(cache, name));
  } catch {
    return [];
  }
}

/** Pure. Where npm keeps what npx runs: https://docs.npmjs.com/cli/v11/using-npm/config#cache */
export const npxCache = (options: UserFolderOptions): string =>
  options.platform === "win32" ? win32.join(userFolder("data", options), "npm-cache", "_npx") : posix.join(options.home(), ".npm", "_npx");

/** Expands `~`: shells do not expand it in environment variables, behind `=` or in quotes. */
export const expandHome = (path: string): string => (/^~(?=$|[/\\])/.test(path) ? homeFolder() + path.slice(1) : path);
