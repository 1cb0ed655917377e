// What this command carries along: the template, and the servers to copy. tooling/build/carry.ts puts it there.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Refusal } from "./refusal.ts";

const HOME = fileURLToPath(new URL("../", import.meta.url));
const CARRIED = join(HOME, "dist/carried");

/** Path within the new folder, with `/` → content. */
export type Files = Map<string, Buffer>;

interface Manifest {
  version: string;
  dependencies: Record<string, string>;
}

const manifestAt = (path: string): Manifest => JSON.parse(readFileSync(path, "utf8")) as Manifest; // our own files, tested

export const version = (): string => manifestAt(join(HOME, "package.json")).version;

/** The names of the servers that can be copied. */
export const servers = (): string[] => readdirSync(checked("from")).toSorted();

/** The version of the kit that a folder of what is carried is written for. */
export const kitOf = (folder: string): string =>
  manifestAt(join(checked(folder), "package.json")).dependencies["@oarlock/server-kit"] ?? "*";

/** All files below a folder of what is carried. */
export function filesIn(folder: string): Files {
  const home = checked(folder);
  const entries = readdirSync(home, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = entries.map((entry) => join(entry.parentPath, entry.name)).toSorted();
  return new Map(paths.map((path) => [path.slice(home.length + 1).replaceAll("\\", "/"), readFileSync(path)]));
}

function checked(folder: string): string {
  const path = join(CARRIED, folder);
  if (!existsSync(path)) throw new Refusal(3, "This package was not built: run its build, or install it again");
  return path;
}
