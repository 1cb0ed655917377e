// Where the memory lies: as the command line says, or the environment, or else in the user's folder for data.
import { existsSync, readdirSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { checkPlace, LocationError, locationOf, type Location } from "./graph/location.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** The package's folder, above src/ or dist/. */
const OWN = fileURLToPath(new URL("..", import.meta.url));

/** `db`: what --db says, `~` already expanded. Throws a LocationError. */
export function locate(db: string | undefined, env: Environment, readOnly = false): Location {
  const location = placeOf(db, env);
  if (readOnly) return toRead(location);
  checkPlace(location);
  return location;
}

/** As `locate`, but neither looks nor makes anything. */
export function placeOf(db: string | undefined, env: Environment): Location {
  const given = db ?? env["MEMORY_FILE_PATH"];
  // Set but empty is what shells and hosts make of a variable without a value.
  return given === undefined || given.trim() === "" ? { database: defaultPath(env) } : locationOf(expandHome(given), OWN);
}

/** Who only reads leaves nothing behind: without a store there already, what the file says is held in this process alone. */
export const toRead = (location: Location): Location => (existsSync(location.database) ? location : { ...location, database: ":memory:" });

export function defaultPath(env: Environment, platform: string = process.platform): string {
  const folder =
    platform === "win32"
      ? (absolute(env["LOCALAPPDATA"]) ?? join(home(), "AppData", "Local"))
      : platform === "darwin"
        ? join(home(), "Library", "Application Support")
        : (absolute(env["XDG_DATA_HOME"]) ?? join(home(), ".local", "share"));
  return join(folder, "oarlock", "memory", "memory.db");
}

/** A user without one, as in a container, has to say where else. */
function home(): string {
  try {
    return homedir();
  } catch {
    throw new LocationError("This user has no home folder: set HOME, or name a file with --db or MEMORY_FILE_PATH", true);
  }
}

/** A relative one, or an empty one, would mean the working directory, which differs from start to start. */
const absolute = (path: string | undefined): string | undefined =>
  path !== undefined && /^(?:[/\\]|[a-z]:[/\\])/i.test(path) ? path : undefined;

/** The reference server kept its file in the cache of npx, where an update deletes it: who comes from there is told how to bring it along. */
export function hintAtOldFiles({ database }: Location, env: Environment, tell: (message: string) => void): void {
  if (existsSync(database)) return;
  const all = caches();
  if (all.length === 0 || database !== defaultPath(env)) return; // without a home there is no cache either
  const files = all.flatMap((cache) =>
    ["memory.jsonl", "memory.json"].map((file) => join(cache, "node_modules", "@modelcontextprotocol", "server-memory", "dist", file)),
  );
  for (const file of files.filter((file) => existsSync(file)))
    tell(`There is a memory of another server at ${file}: bring it along with oarlock-memory import ${JSON.stringify(file)}`);
}

/** The folders of npx. A hint is all that hangs on them: where they cannot be read, as those of another user, there is none. */
function caches(): string[] {
  try {
    const all = join(homedir(), ".npm", "_npx");
    return readdirSync(all).map((name) => join(all, name));
  } catch {
    return [];
  }
}

/** The environment's value was read by no shell, nor is one behind `=` or in quotes. */
export const expandHome = (path: string): string => (/^~(?=$|[/\\])/.test(path) ? home() + path.slice(1) : path);
