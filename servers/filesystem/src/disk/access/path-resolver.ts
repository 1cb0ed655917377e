// What one request may touch, and the one way in. A path text is first looked at as text; then the way is gone name by
// name from a held root; then what was found is judged.
import { lstatSync, realpathSync, statSync } from "node:fs";
import { clip, systemErrorCode } from "@oarlock/domain-kit";
import { deniesNothing, type Denies } from "./deny-rules.ts";
import type { Area, Entry, FileHandle, FolderHandle, Look, Root } from "./area.ts";
import { DiskError, denied, fromSystem } from "../errors.ts";
import { HeldFile, HeldFolder } from "./open-handle.ts";
import { nearName } from "./similar-name.ts";
import { checkPathText, isInside, lexical, nativePaths, splitLast } from "./path-syntax.ts";
import { WayEnds, resolve, wayOf, type Found, type Ground, type Way } from "./path-traversal.ts";
import { nativeText } from "./windows-path.ts";
import { checkWritable, isReadOnly } from "./write-permission.ts";

/** What all areas of one disk have in common. */
export interface Rules extends Ground {
  readonly denies: Denies;
  readonly writeGit: boolean;
  readonly refuseHardLinks: boolean;
}

export function areaOf(rules: Rules): Area {
  return new DiskArea(rules, rules.walls);
}

class DiskArea implements Area {
  readonly roots: readonly Root[];
  readonly hides: boolean;
  readonly refusesHardLinks: boolean;
  readonly #rules: Rules;
  readonly #wallPaths: readonly string[];

  constructor(rules: Rules, roots: readonly Root[]) {
    this.#rules = rules;
    this.roots = roots;
    this.hides = rules.denies !== deniesNothing;
    this.refusesHardLinks = rules.refuseHardLinks;
    // Both spellings, so that a denied name is also hidden when it is a link and the root is spelled by a link.
    this.#wallPaths = [...new Set(rules.walls.flatMap((wall) => [wall.real, wall.given]))];
  }

  readonly shows = (real: string): boolean => {
    for (const root of this.roots) {
      if (isInside(real, root.real)) return !this.#rules.denies(real, this.#wallPaths);
    }
    return false;
  };

  mustBeWritable(real: string): void {
    if (!this.shows(real)) throw denied(real);
    checkWritable(real, this.#rules.walls, this.#rules.writeGit);
  }

  narrowed(folders: readonly string[] | undefined): Area {
    if (folders === undefined) return this;
    const kept: Root[] = [];
    for (const folder of folders) {
      const real = realFolder(folder);
      if (real === undefined) continue;
      for (const root of this.roots) {
        if (isInside(real, root.real)) {
          const readOnly = isReadOnly(real, this.#rules.walls);
          // As the client spells it, and as the operator does; the real path is good in any case.
          const spellings = new Set([lexical(folder), nativePaths.path.join(root.given, real.slice(root.real.length))]);
          if (spellings.size > 1) spellings.delete(real);
          for (const given of spellings) kept.push({ given, real, readOnly });
        } else if (isInside(root.real, real)) kept.push(root);
      }
    }
    return new DiskArea(
      this.#rules,
      kept.filter((root, index) => isFirst(root, index, kept)),
    );
  }

  file(given: string): FileHandle {
    const path = nativeText(given);
    const { held, path: real } = this.#known(path);
    if (held.stat.isFile()) {
      if (!this.refusesHardLinks || held.stat.nlink === 1n) return new HeldFile(held, real);
      held.release();
      throw new DiskError("denied", `The file has more than one name (hard link), and this server refuses those: ${clip(path)}`);
    }
    held.release();
    if (held.stat.isDirectory()) throw new DiskError("not-a-file", `Expected a file, but this is a directory: ${clip(path)}`);
    throw new DiskError("not-a-file", `Not a regular file: ${clip(path)}`);
  }

  folder(given: string): FolderHandle {
    const path = nativeText(given);
    const found = this.#known(path);
    if (found.held.stat.isDirectory()) return this.#folder(found);
    found.held.release();
    throw new DiskError("not-a-folder", `Expected a directory, but this is a file: ${clip(path)}`);
  }

  look(path: string): Look {
    const { held, path: real } = this.#known(nativeText(path));
    held.release();
    return { path: real, stat: held.stat };
  }

  entry(given: string): Entry {
    const path = nativeText(given);
    // Before anything goes through a text of ten megabytes.
    checkPathText(path);
    const { folder, name, asFolder } = splitLast(path);
    const found: Entry[] = [];
    let missing: DiskError | undefined;
    const ways = this.#ways(path, folder);
    if (name === "" || this.#isRoot(path)) {
      throw new DiskError("invalid", `Expected a path that ends in a name below an allowed directory: ${clip(path)}`);
    }
    for (const way of ways) {
      try {
        const entry = this.#enterParent(way, path, name, asFolder);
        found.push(entry);
        // An existing name in a later root goes before a new one in an earlier root.
        if (ways.length > 1 && exists(entry)) return keepOnly(entry, found);
      } catch (error) {
        if (!(error instanceof DiskError) || error.code !== "not-found") throw dropAll(error, found);
        missing ??= error;
      }
    }
    const [first] = found;
    if (first === undefined) throw missing ?? denied(path);
    return keepOnly(first, found);
  }

  #folder({ held, path }: Found): FolderHandle {
    return new HeldFolder(held, path, this.#rules.holder, this.shows);
  }

  /** What is there; and when it is not, a name that looks the same is told. */
  #known(path: string): Found {
    try {
      return this.#find(path);
    } catch (error) {
      if (!(error instanceof DiskError) || error.code !== "not-found") throw error;
      throw new DiskError("not-found", error.message + this.#near(path));
    }
  }

  #near(path: string): string {
    try {
      using entry = this.entry(path);
      return nearName(entry.parent, entry.name, this.shows);
    } catch {
      return ""; // not even its directory is there
    }
  }

  /** The existing object that a path leads to: the first root that has it wins. */
  #find(path: string): Found {
    let missing: DiskError | undefined;
    for (const way of this.#ways(path)) {
      try {
        return this.#enter(way, path, fromSystem);
      } catch (error) {
        if (!(error instanceof DiskError) || error.code !== "not-found") throw error;
        missing ??= error;
      }
    }
    throw missing ?? denied(path);
  }

  #enterParent(way: Way, path: string, name: string, asFolder: boolean): Entry {
    const found = this.#enter(way, path, parentMissing);
    const full = found.path.endsWith("/") ? found.path + name : `${found.path}/${name}`;
    if (found.held.stat.isDirectory() && this.shows(full)) {
      const parent = this.#folder(found);
      return { parent, name, path: full, asFolder, [Symbol.dispose]: () => parent[Symbol.dispose]() };
    }
    found.held.release();
    if (this.shows(full)) throw new DiskError("not-a-folder", `A part of the path is not a directory: ${clip(path)}`);
    throw denied(path);
  }

  /** Goes a way and judges where it ends; a failure is told only if it happened inside. */
  #enter(way: Way, given: string, missing: (error: unknown, given: string) => DiskError): Found {
    let found: Found;
    try {
      found = resolve(this.#rules, way);
    } catch (error) {
      if (!(error instanceof WayEnds)) throw error;
      throw error.path === undefined || !this.shows(error.path) ? denied(given) : missing(error.cause, given);
    }
    // A file system that ignores case opens a hidden name in another spelling, and may know its own.
    if (this.shows(found.path) && (!this.hides || this.shows(found.held.realPath()))) return found;
    found.held.release();
    throw denied(given);
  }

  /**
   * The readings of a path text, first choice first; or those of `part`, the text of the directory that the path lies in.
   * Text that leads out is refused before the system is asked.
   */
  #ways(path: string, part: string = path): Way[] {
    checkPathText(path);
    const starts = nativePaths.path.isAbsolute(path) ? [""] : this.roots.map((root) => `${root.real}/`);
    const inside = starts.filter((start) => this.#coversText(lexical(start + path)));
    if (inside.length === 0) throw denied(path);
    // A root itself lies in a directory that is not ours to look at.
    if (part !== path && this.#isRoot(path)) return [];
    try {
      return inside.map((start) => wayOf(this.#rules, start + part));
    } catch (error) {
      throw error instanceof WayEnds ? denied(path) : error;
    }
  }

  #isRoot(path: string): boolean {
    return nativePaths.path.isAbsolute(path) && this.roots.some((root) => [root.real, root.given].includes(lexical(path)));
  }

  #coversText(absolute: string): boolean {
    if (this.hides && this.#rules.denies(absolute, this.#wallPaths)) return false;
    return this.roots.some((root) => isInside(absolute, root.real) || isInside(absolute, root.given));
  }
}

function realFolder(folder: string): string | undefined {
  try {
    checkPathText(folder);
    if (!nativePaths.path.isAbsolute(folder)) return undefined;
    const real = realpathSync.native(folder);
    return statSync(real).isDirectory() ? real : undefined;
  } catch {
    return undefined;
  }
}

function exists(entry: Entry): boolean {
  return lstatSync(entry.parent.at(entry.name), { throwIfNoEntry: false }) !== undefined;
}

function isFirst(root: Root, index: number, all: readonly Root[]): boolean {
  return all.findIndex((other) => other.real === root.real && other.given === root.given) === index;
}

function parentMissing(error: unknown, given: string): DiskError {
  if (systemErrorCode(error) !== "ENOENT") return fromSystem(error, given);
  const { folder } = splitLast(given);
  return new DiskError("not-found", `Parent directory does not exist: ${clip(folder.replace(/(?<=.)\/+$/, "") || ".")}`);
}

function keepOnly(kept: Entry, all: readonly Entry[]): Entry {
  for (const entry of all) if (entry !== kept) entry[Symbol.dispose]();
  return kept;
}

function dropAll(error: unknown, all: readonly Entry[]): unknown {
  for (const entry of all) entry[Symbol.dispose]();
  return error;
}
