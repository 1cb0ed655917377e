/**
 * File systems that take several spellings for one name, emulated on a folder of this machine: which entry a looked up name means, and what
 * the calls on names answer there. Beside each rule stands where it is written down.
 */
import { linkSync, lstatSync, readdirSync, readlinkSync, realpathSync, renameSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { portableHandles, type HandleProvider, type RawHandle } from "@oarlock/domain-kit";

/** Whether a looked up name means the entry of a directory with this stored name; `names` are all of them. */
type Means = (lookedUp: string, stored: string, names: readonly string[]) => boolean;

/**
 * NTFS compares names without regard to case ("Naming Files, Paths, and Namespaces", learn.microsoft.com: OSCAR, Oscar and oscar are the same),
 * by its table of capitals, letter for letter ([MS-FSA] 2.1.5.1, upper-casing), and keeps the case of the creator. It does not compose letters.
 */
const upperCased = (name: string): string =>
  Array.from(name)
    .map((letter) => (letter.toUpperCase().length === letter.length ? letter.toUpperCase() : letter))
    .join("");

/**
 * APFS as macOS formats it compares names without regard to case and composition, and keeps both as they were written ("Apple File System
 * Guide", FAQ, developer.apple.com; its reference describes the hash over the decomposed and case folded name).
 */
const caseFolded = (name: string): string => name.normalize("NFD").toUpperCase().toLowerCase().normalize("NFD");

/** The generated 8.3 name ([MS-FSCC] 2.1.5.2.1, fsutil 8dot3name): six letters without blanks and dots, `~1`, three letters of the extension. */
export function shortName(name: string, names: readonly string[]): string | undefined {
  const dot = name.lastIndexOf(".");
  const [base, extension] = dot > 0 ? [name.slice(0, dot), name.slice(dot + 1)] : [name, ""];
  if (base.length <= 8 && extension.length <= 3 && !/[ .]/.test(base)) return undefined;
  const start = (text: string) => text.replaceAll(/[ .]/g, "").slice(0, 6).toUpperCase();
  const same = names.filter((other) => start(other.slice(0, other.lastIndexOf(".") >>> 0)) === start(base));
  const end = extension === "" ? "" : `.${extension.slice(0, 3).toUpperCase()}`;
  return `${start(base)}~${same.toSorted().indexOf(name) + 1}${end}`;
}

export const ntfs: Means = (lookedUp, stored, names) =>
  upperCased(lookedUp) === upperCased(stored) || upperCased(lookedUp) === shortName(stored, names);

export const apfs: Means = (lookedUp, stored) => caseFolded(lookedUp) === caseFolded(stored);

/** The name that the entry has; the looked up one where there is none. */
function storedName(folder: string, lookedUp: string, means: Means): string {
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch {
    return lookedUp;
  }
  return names.find((stored) => stored === lookedUp) ?? names.find((stored) => means(lookedUp, stored, names)) ?? lookedUp;
}

/** How the system reports the path of an open object. */
interface Reporting {
  /**
   * Windows and macOS report stored names (`FILE_NAME_NORMALIZED` of GetFinalPathNameByHandle; getattrlist behind realpath(3)). Linux
   * repeats the names of the lookup (proc_pid_fd(5) shows the entry of the name cache), and so do file systems of macOS without that attribute.
   */
  readonly realPath: "stored" | "as looked up";
}

/** Handles by name on an emulated file system. */
export function emulatedHandles(means: Means, { realPath }: Reporting = { realPath: "stored" }): HandleProvider {
  class Emulated implements RawHandle {
    readonly inner: RawHandle;
    readonly #spelled: string;

    constructor(inner: RawHandle, spelled: string) {
      this.inner = inner;
      this.#spelled = spelled;
    }
    get stat() {
      return this.inner.stat;
    }
    get self() {
      return this.inner.self;
    }
    at(name: string): string {
      return this.inner.at(storedName(this.inner.self, name, means));
    }
    open(flags: number): number {
      return this.inner.open(flags);
    }
    realPath(): string {
      return realPath === "stored" ? this.inner.realPath() : this.#spelled;
    }
    isInPlace(): boolean {
      return this.inner.isInPlace();
    }
    release(): void {
      this.inner.release();
    }
    step(name: string, take: HandleProvider["step"]): Emulated {
      const stored = name === ".." ? name : storedName(this.inner.self, name, means);
      return new Emulated(take(this.inner, stored), resolve(this.#spelled, name));
    }
  }
  const emulated = (handle: RawHandle): Emulated => {
    if (handle instanceof Emulated) return handle;
    throw new Error("Expected a handle of this emulation");
  };
  return {
    base: (path) => new Emulated(portableHandles.base(path), path),
    enter: (from, name) => emulated(from).step(name, portableHandles.enter),
    step: (from, name) => emulated(from).step(name, portableHandles.step),
  };
}

const refused = (code: string): Error => Object.assign(new Error(code), { code });

/**
 * rename on Windows: libuv calls MoveFileExW with MOVEFILE_REPLACE_EXISTING (src/win/fs.c, fs__rename), which replaces no directory, not even by a
 * directory (MoveFileExW, learn.microsoft.com: the flag cannot be used where a name is a directory); ERROR_ACCESS_DENIED is EPERM.
 */
export function renameOfWindows(from: string, to: string): void {
  const there = lstatSync(to, { throwIfNoEntry: false });
  if (there?.isDirectory() === true) throw refused("EPERM");
  if (there !== undefined && lstatSync(from).isDirectory()) throw refused("EPERM");
  renameSync(from, to);
}

/** link(2) of macOS (its manual page): where path1 is a symbolic link, the new name is one of the file behind it. */
export function linkOfMac(from: string, to: string): void {
  const isLink = lstatSync(from).isSymbolicLink();
  linkSync(isLink ? realpathSync(resolve(dirname(from), readlinkSync(from))) : from, to);
}
