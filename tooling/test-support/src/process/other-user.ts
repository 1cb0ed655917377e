// Runs commands of a package as another user than root, for whom file modes count.
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, symlinkSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import type { Command } from "@oarlock/client";
import { tempFolder, type TempFolder } from "@oarlock/testing";
import { afterAll } from "vitest";

/** The unprivileged user and group of most systems. */
const NOBODY = 65534;

export interface OtherUser {
  /** User and group of the commands; undefined: tests do not run as root, so commands run as the user of the tests. */
  readonly id: number | undefined;
  /** The same command as the other user. Its arguments may name files of the package. */
  command(command: Command): Command;
}

interface Copy {
  /** Of the package. */
  readonly path: string;
  readonly folder: TempFolder;
}

/** By the folder of the package. */
const copies = new Map<string, Copy>();

/**
 * Another user; call it at the top of a file or of a `describe`. Where root runs the tests, commands run from a copy of the package with
 * its dependencies, because only root may be able to read the package itself, and Node drops its rights after its start, for the same
 * reason. The copy is made for the first command and removed after the tests. A module that several test files share may call it once
 * for all of them: a later command gets another copy.
 * @example const unprivileged = otherUser(new URL("..", import.meta.url));
 */
export function otherUser(packageFolder: URL, id: number = NOBODY): OtherUser {
  if (process.getuid?.() !== 0) return { id: undefined, command: (command) => command };
  const from = realpathSync(fileURLToPath(packageFolder));
  afterAll(() => removeCopy(from));
  const inCopy = (arg: string): string => (arg.startsWith(join(from, "/")) ? join(copyOf(from), relative(from, arg)) : arg);
  return {
    id,
    command: ({ command, args = [], ...rest }) => ({ ...rest, command, args: ["--import", dropRights(id), ...args.map(inCopy)] }),
  };
}

function copyOf(packageFolder: string): string {
  const existing = copies.get(packageFolder);
  if (existing !== undefined) return existing.path;
  const folder = tempFolder();
  const path = copyPackage(packageFolder, folder.path, new Map());
  makeReadable(folder.path);
  copies.set(packageFolder, { path, folder });
  return path;
}

async function removeCopy(packageFolder: string): Promise<void> {
  const copy = copies.get(packageFolder);
  copies.delete(packageFolder);
  await copy?.folder[Symbol.asyncDispose]();
}

/** A module for Node's `--import`. Worker threads import it too, when the rights are gone. */
const dropRights = (id: number): string =>
  `data:text/javascript,if (process.getuid() === 0) { process.setgroups([]); process.setgid(${id}); process.setuid(${id}); }`;

interface Manifest {
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
}

/** Outside of `node_modules`, where Node runs no TypeScript. */
const folderName = (folder: string, count: number): string => `${count}-${basename(folder)}`;

/** Copies a package and, beside it, the packages that it depends on; gives the copy. `copied` holds folders and their copies. */
function copyPackage(folder: string, into: string, copied: Map<string, string>): string {
  const to = join(into, folderName(folder, copied.size));
  copied.set(folder, to);
  cpSync(folder, to, { recursive: true, filter: (path) => path === folder || !/^(node_modules|\.\w+)$/.test(basename(path)) });
  const { dependencies, optionalDependencies, peerDependencies } = JSON.parse(
    readFileSync(join(folder, "package.json"), "utf8"),
  ) as Manifest; // npm has read it
  for (const name of Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })) {
    const found = findPackage(name, folder);
    if (found === undefined) continue; // optional, for another machine
    const link = join(to, "node_modules", name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(copied.get(found) ?? copyPackage(found, into, copied), link);
  }
  return to;
}

/** The real folder of a package, where Node would look for it. */
function findPackage(name: string, from: string): string | undefined {
  const path = join(from, "node_modules", name);
  if (existsSync(join(path, "package.json"))) return realpathSync(path);
  return dirname(from) === from ? undefined : findPackage(name, dirname(from));
}

function makeReadable(folder: string): void {
  chmodSync(folder, 0o755);
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isDirectory() || entry.isFile()) chmodSync(path, 0o755); // programs are among the files
  }
}
