// The bundled files: the template, and the servers to copy. tooling/build/carry.ts writes them.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { CommandError } from "./command-error.ts";

const PACKAGE_FOLDER = fileURLToPath(new URL("../", import.meta.url));
const BUNDLED_FOLDER = join(PACKAGE_FOLDER, "dist/carried");

/** Contents by path in the new folder, with `/`. */
export type Files = Map<string, Buffer>;

interface Manifest {
  version: string;
  dependencies: Record<string, string>;
}

const readManifest = (path: string): Manifest => JSON.parse(readFileSync(path, "utf8")) as Manifest; // our own files, tested

/** Whether this command runs from a clone of its repository, and not as npm has installed it. */
export const runsFromClone = (): boolean => existsSync(join(PACKAGE_FOLDER, "../../pnpm-workspace.yaml"));

export const version = (): string => readManifest(join(PACKAGE_FOLDER, "package.json")).version;

/** The names of the servers to copy. */
export const bundledServers = (): string[] => readdirSync(bundledFolder("from")).toSorted();

/** The version range of the kit in a bundled folder. */
export const bundledKitVersion = (folder: string): string =>
  readManifest(join(bundledFolder(folder), "package.json")).dependencies["@oarlock/server-kit"] ?? "*";

/** All files in a bundled folder. */
export function bundledFiles(folder: string): Files {
  const home = bundledFolder(folder);
  const entries = readdirSync(home, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = entries.map((entry) => join(entry.parentPath, entry.name)).toSorted();
  return new Map(paths.map((path) => [path.slice(home.length + 1).replaceAll("\\", "/"), readFileSync(path)]));
}

function bundledFolder(folder: string): string {
  const path = join(BUNDLED_FOLDER, folder);
  if (!existsSync(path)) throw new CommandError(3, "Incomplete package: its files were not built. Run its build, or install it again.");
  return path;
}
