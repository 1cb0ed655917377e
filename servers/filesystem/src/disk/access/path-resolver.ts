// The path resolver: the only way from a path of a caller to an object of the file system. A path is first checked as text, then
// followed name by name from a pinned root, and the object at its end is checked against the boundary and --deny.
import { clip, systemErrorCode, type CursorSealer, type RawHandle } from "@oarlock/domain-kit";
import { DiskError, denied, fromSystem } from "../errors.ts";
import type { Sandbox, Entry, EntryPlace, FileHandle, FileRules, FolderHandle, Look, NameOptions, Root } from "./sandbox.ts";
import { narrowRoots } from "./client-narrowing.ts";
import { deniesNothing, type Denies } from "./deny-rules.ts";
import { lookAt } from "./entry-stat.ts";
import { checkOutsideGit, checkTreeEntry } from "./git-guard.ts";
import { OpenFolderHandle, regularFile } from "./handles/open-handle.ts";
import { isProc } from "./handles/proc-device.ts";
import { checkPathText, isInside, joinPath, lexical, nativePaths, splitLast, withSeparator, type LastName } from "./path-syntax.ts";
import { resolveRoute, routeOf, TraversalEnd, type Boundary, type Resolved, type Route } from "./path-traversal.ts";
import { isCoveredByText } from "./roots.ts";
import { similarName } from "./similar-name.ts";
import { storedOrNew } from "./stored-name.ts";
import { nativeText } from "./windows-path.ts";
import { checkWritable } from "./write-permission.ts";

/** What all sandboxes of one disk have in common. */
export interface Rules extends Boundary, FileRules {
  readonly denies: Denies;
  readonly writeGit: boolean;
  /** A sentence for all refusals. */
  readonly refusalHint?: string | undefined;
  readonly cursors: CursorSealer;
}

export class PathResolver implements Sandbox {
  readonly roots: readonly Root[];
  readonly hides: boolean;
  readonly fileRules: FileRules;
  readonly cursors: CursorSealer;
  readonly #rules: Rules;
  readonly #rootPaths: readonly string[];

  constructor(rules: Rules, roots: readonly Root[] = rules.pinnedRoots) {
    this.#rules = rules;
    this.roots = roots;
    this.hides = rules.denies !== deniesNothing;
    this.fileRules = rules;
    this.cursors = rules.cursors;
    // Both spellings: a denied name is also hidden when it is a link and the root is spelled by a link.
    this.#rootPaths = [...new Set(rules.pinnedRoots.flatMap((root) => [root.real, root.given]))];
  }

  readonly shows = (real: string): boolean => {
    for (const root of this.roots) {
      if (isInside(real, root.real)) return !this.#rules.denies(real, this.#rootPaths);
    }
    return false;
  };

  mustBeWritable(real: string): void {
    this.mustBeWritableBelow(real);
    if (!this.#rules.writeGit) checkOutsideGit(real, this.#rules.pinnedRoots);
  }

  mustBeWritableBelow(real: string): void {
    if (!this.shows(real)) throw this.denied(real);
    checkWritable(real, this.#rules.pinnedRoots, this.#rules.writeGit);
    if (!this.#rules.writeGit) checkTreeEntry(real);
  }

  narrowed(folders: readonly string[] | undefined, hint?: string): Sandbox {
    if (folders === undefined) return this;
    return new PathResolver({ ...this.#rules, refusalHint: hint }, narrowRoots(this.roots, folders, this.#rules.pinnedRoots));
  }

  denied(path: string): DiskError {
    return denied(path, this.#rules.refusalHint);
  }

  file(given: string): FileHandle {
    const path = nativeText(given);
    return regularFile(this.#existing(path), path, this.#rules);
  }

  openEntry({ parent, name, path }: EntryPlace): FileHandle {
    let handle: RawHandle;
    try {
      handle = parent.step(name);
    } catch (error) {
      throw fromSystem(error, path);
    }
    if (!isProc(handle.stat.dev) && (!this.hides || this.shows(handle.realPath()))) return regularFile({ handle, path }, path, this.#rules);
    handle.release();
    throw this.denied(path);
  }

  folder(given: string, options: NameOptions = {}): FolderHandle {
    const path = nativeText(given);
    const found = this.#existing(path, options);
    if (found.handle.stat.isDirectory()) return this.#folderHandle(found);
    found.handle.release();
    throw new DiskError("not-a-folder", `Expected a directory, but this is a file: ${clip(path)}`);
  }

  look(path: string): Look {
    const { handle, path: real } = this.#existing(nativeText(path));
    handle.release();
    return { path: real, stat: handle.stat };
  }

  entry(given: string, { inStoredNames = true }: NameOptions = {}): Entry {
    const path = nativeText(given);
    // First, so that nothing scans a text of ten megabytes.
    checkPathText(path);
    const { folder, name, asFolder } = splitLast(path);
    const routes = this.#routes(path, folder);
    if (name === "" || this.#isRoot(path)) {
      throw new DiskError("invalid", `Expected a path that ends in a name below an allowed directory: ${clip(path)}`);
    }
    const found: Entry[] = [];
    let missing: DiskError | undefined;
    for (const route of routes) {
      try {
        const entry = this.#enterParent(route, path, { name, asFolder }, { inStoredNames });
        found.push(entry);
        // An existing name in a later root goes before a new name in an earlier one.
        if (routes.length > 1 && lookAt(entry) !== undefined) return keepOnly(entry, found);
      } catch (error) {
        if (error instanceof DiskError && error.code === "not-found") missing ??= error;
        else {
          for (const entry of found) entry[Symbol.dispose]();
          throw error;
        }
      }
    }
    const [first] = found;
    if (first === undefined) throw missing ?? this.denied(path);
    return keepOnly(first, found);
  }

  #folderHandle({ handle, path }: Resolved): FolderHandle {
    return new OpenFolderHandle(handle, path, this.#rules, this.shows);
  }

  /** The existing object at a path. The error for a missing one names a similar name beside it. */
  #existing(path: string, options: NameOptions = {}): Resolved {
    try {
      return this.#firstExisting(path, options);
    } catch (error) {
      if (!(error instanceof DiskError) || error.code !== "not-found") throw error;
      throw new DiskError("not-found", error.message + this.#similarName(path));
    }
  }

  #similarName(path: string): string {
    try {
      using entry = this.entry(path);
      return similarName(entry.parent, entry.name, this.shows);
    } catch {
      return ""; // the directory is missing too
    }
  }

  /** The first root that has the path wins. */
  #firstExisting(path: string, options: NameOptions): Resolved {
    let missing: DiskError | undefined;
    for (const route of this.#routes(path)) {
      try {
        return this.#enter(route, path, fromSystem, options);
      } catch (error) {
        if (!(error instanceof DiskError) || error.code !== "not-found") throw error;
        missing ??= error;
      }
    }
    throw missing ?? this.denied(path);
  }

  #enterParent(route: Route, path: string, last: Omit<LastName, "folder">, options: NameOptions): Entry {
    const found = this.#enter(route, path, parentMissing, options);
    const { name: spelling, asFolder } = last;
    const isFolder = found.handle.stat.isDirectory();
    const name = isFolder && this.#judgesNames(options) ? storedOrNew(found.handle, spelling) : spelling;
    const isShown = name !== undefined && this.shows(joinPath(found.path, name));
    if (isFolder && isShown) {
      const parent = this.#folderHandle(found);
      return { parent, name, spelling, path: joinPath(found.path, name), asFolder, [Symbol.dispose]: () => parent[Symbol.dispose]() };
    }
    found.handle.release();
    if (isShown) throw new DiskError("not-a-folder", `A part of the path is not a directory: ${clip(path)}`);
    throw this.denied(path);
  }

  /** Follows a route and checks where it ends. The reason of a failure is given only for places inside. */
  #enter(route: Route, given: string, describe: (error: unknown, given: string) => DiskError, options: NameOptions): Resolved {
    let found: Resolved;
    try {
      found = resolveRoute(this.#rules, route, { inStoredNames: this.#judgesNames(options) });
    } catch (error) {
      if (!(error instanceof TraversalEnd)) throw error;
      throw error.path === undefined || !this.shows(error.path) ? this.denied(given) : describe(error.cause, given);
    }
    // Also as the system knows it, where it has been moved meanwhile.
    if (this.shows(found.path) && (!this.hides || this.shows(found.handle.realPath()))) return found;
    found.handle.release();
    throw this.denied(given);
  }

  /** Whether names are judged as they are stored: for all changes, and for reading where some are hidden. */
  #judgesNames({ inStoredNames = false }: NameOptions): boolean {
    return inStoredNames || this.hides;
  }

  /**
   * The routes that a path can mean, first choice first: an absolute path has one, a relative one starts at each root. `part` is the
   * beginning of the path that is to be followed. A path whose text leads out is refused before the system is asked.
   */
  #routes(path: string, part: string = path): Route[] {
    checkPathText(path);
    const starts = nativePaths.path.isAbsolute(path) ? [""] : this.roots.map((root) => withSeparator(root.real));
    const inside = starts.filter((start) => this.#coversText(lexical(start + path)));
    if (inside.length === 0) throw this.denied(path);
    // The directory above a root is outside.
    if (part !== path && this.#isRoot(path)) return [];
    try {
      return inside.map((start) => routeOf(this.#rules, start + part));
    } catch (error) {
      throw error instanceof TraversalEnd ? this.denied(path) : error;
    }
  }

  #isRoot(path: string): boolean {
    return nativePaths.path.isAbsolute(path) && this.roots.some((root) => [root.real, root.given].includes(lexical(path)));
  }

  #coversText(absolute: string): boolean {
    if (this.hides && this.#rules.denies(absolute, this.#rootPaths)) return false;
    return isCoveredByText(this.roots, absolute);
  }
}

function parentMissing(error: unknown, given: string): DiskError {
  if (systemErrorCode(error) !== "ENOENT") return fromSystem(error, given);
  const { folder } = splitLast(given);
  return new DiskError(
    "not-found",
    `Parent directory does not exist: ${clip(folder.replace(nativePaths.windows ? /(?<=[^:])[\\/]+$/ : /(?<=.)\/+$/, "") || ".")}. create_directory makes it.`,
  );
}

function keepOnly(kept: Entry, all: readonly Entry[]): Entry {
  for (const entry of all) if (entry !== kept) entry[Symbol.dispose]();
  return kept;
}
