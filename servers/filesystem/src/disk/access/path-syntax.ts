// Checks of paths as text, without the file system. A path is read as the operating system reads it: `~`, variables and percent signs
// have no meaning. The Windows rules can be tested on any machine by passing `windowsPaths`.
import { posix, win32, type PlatformPath } from "node:path";
import { clip, hasPlainWindowsNames } from "@oarlock/domain-kit";
import { DiskError } from "../errors.ts";
import { isWindows, platform } from "../../platform.ts";

export interface PathRules {
  readonly path: PlatformPath;
  readonly windows: boolean;
  /** Most file systems of the platform ignore case. */
  readonly ignoresCase: boolean;
}

export const posixPaths: PathRules = { path: posix, windows: false, ignoresCase: false };
export const macPaths: PathRules = { path: posix, windows: false, ignoresCase: true };
export const windowsPaths: PathRules = { path: win32, windows: true, ignoresCase: true };
export const nativePaths: PathRules = isWindows ? windowsPaths : platform === "darwin" ? macPaths : posixPaths;

/** PATH_MAX of Linux; a longer text cannot name anything there. */
const MAX_BYTES = 4096;

/** Throws for a text that cannot be a path, before anything scans it or puts it into a message. */
export function checkPathText(given: string, rules: PathRules = nativePaths): void {
  if (given.length === 0) throw new DiskError("invalid", "Empty path: expected a file or directory name.");
  if (given.length >= MAX_BYTES || Buffer.byteLength(given) >= MAX_BYTES) {
    throw new DiskError("invalid", `Path too long: expected at most ${MAX_BYTES - 1} bytes: ${clip(given, 60)}`);
  }
  if (given.includes("\0")) throw new DiskError("invalid", `Invalid path: it has a NUL character: ${clip(given)}`);
  // Node would turn a lone surrogate into U+FFFD, which is another name.
  if (!given.isWellFormed()) throw new DiskError("invalid", "Invalid path: it is not well-formed Unicode text.");
  if (rules.windows) {
    if (!hasPlainWindowsNames(given)) throw new DiskError("invalid", `Not a plain file name on Windows: ${clip(given)}`);
  }
  // The caller means another machine; a file with this name would be created here without a warning. `./C:\x` means such a file.
  else if (/^[a-z]:(?:[\\/]|$)/i.test(given)) {
    throw new DiskError("denied", `Access denied - Windows-style path received on a POSIX host: ${clip(given)}`);
  }
}

/** The path of an entry. */
export function joinPath(folder: string, name: string, rules: PathRules = nativePaths): string {
  return withSeparator(folder, rules) + name;
}

/** The path of what lies below a folder, by names with slashes between them. */
export function pathBelow(folder: string, names: string, rules: PathRules = nativePaths): string {
  return names === "" ? folder : joinPath(folder, rules.windows ? names.replaceAll("/", "\\") : names, rules);
}

/**
 * How a reply shows real paths at or below `real`, which the caller named as `given`: below a relative path they stay relative, so that
 * a reply does not repeat the allowed directory on each line.
 */
export function displayPathFrom(given: string, real: string, rules: PathRules = nativePaths): (path: string) => string {
  if (rules.path.isAbsolute(given)) return (path) => path;
  const base = given.replace(/^(?:\.\/+)*(?:\.$)?/, "");
  const skipped = withSeparator(real, rules).length;
  return (path) => {
    const rest = path.slice(skipped);
    if (rest === "") return base || ".";
    return base === "" ? rest : joinPath(base, rest, rules);
  };
}

/** The path of a folder with the separator at its end. */
export function withSeparator(folder: string, { path, windows }: PathRules = nativePaths): string {
  return folder.endsWith(path.sep) || (windows && folder.endsWith("/")) ? folder : folder + path.sep;
}

/** A form in which spellings of a path are equal that most people take for one; different files may share it. */
export const foldPath = (path: string): string => path.normalize("NFC").toLowerCase();

/** Whether `path` is `folder` or lies below it, by whole names. Both are absolute and without `.`, `..` or doubled slashes. */
export function isInside(path: string, folder: string, rules: PathRules = nativePaths): boolean {
  if (rules.windows) {
    // `relative` would read a relative path from the working directory.
    if (!rules.path.isAbsolute(path) || !rules.path.isAbsolute(folder)) return false;
    const way = rules.path.relative(folder, path);
    return way === "" || (way !== ".." && !way.startsWith("..\\") && !rules.path.isAbsolute(way));
  }
  if (folder === "/") return path.startsWith("/");
  return path.startsWith(folder) && (path.length === folder.length || path.charCodeAt(folder.length) === 47);
}

/** The text without `.`, `..`, doubled or trailing slashes; it must be absolute. */
export function lexical(absolute: string, rules: PathRules = nativePaths): string {
  // Most paths are lexical already, and a look at the text is faster than resolving it.
  if (!rules.windows && absolute.startsWith("/") && !/\/\.{0,2}(?:\/|$)/.test(absolute)) return absolute;
  return rules.path.resolve(absolute);
}

/**
 * What is left of `given` below `folder`, slashes and dots as they came; undefined when the text does not begin with
 * the names of the folder, or climbs before it gets there (only the system can then say where it leads).
 */
export function restBelow(given: string, folder: string): string | undefined {
  if (folder === "/") return given.slice(1);
  if (given.startsWith(folder)) {
    if (given.length === folder.length) return "";
    if (given.charCodeAt(folder.length) === 47) return given.slice(folder.length + 1);
  }
  let at = 0;
  for (const name of folder.split("/")) {
    if (name === "") continue;
    let end = at;
    for (;;) {
      while (given.charCodeAt(at) === 47) at += 1;
      end = given.indexOf("/", at);
      if (end === -1) end = given.length;
      if (given.slice(at, end) !== ".") break;
      at = end;
    }
    if (given.slice(at, end) !== name) return undefined;
    at = end;
  }
  return given.slice(at + 1);
}

export interface LastName {
  /** Everything before the last name; "" when there is nothing. */
  readonly folder: string;
  /** "" when the text ends in `.` or `..`, or names nothing. */
  readonly name: string;
  readonly asFolder: boolean;
}

/** Cuts the last name off a path text. */
export function splitLast(given: string, rules: PathRules = nativePaths): LastName {
  const isSlash = (code: number) => code === 47 || (rules.windows && code === 92);
  let end = given.length;
  while (end > 0 && isSlash(given.charCodeAt(end - 1))) end -= 1;
  let start = end;
  while (start > 0 && !isSlash(given.charCodeAt(start - 1))) start -= 1;
  const name = given.slice(start, end);
  const plain = name !== "." && name !== "..";
  return { folder: given.slice(0, start), name: plain ? name : "", asFolder: end < given.length || !plain };
}
