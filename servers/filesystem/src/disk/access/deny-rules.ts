// --deny: globs for hidden paths. A denied path and everything below a denied directory is hidden. A glob that begins with a slash (or
// `~/`) starts at the root of the file system, any other at each allowed directory, and one without a slash means the name at any
// depth. A glob that could never hide anything is an error, because the operator relies on it.
import { homedir } from "node:os";
import { resolve } from "node:path";
import { clip } from "@oarlock/domain-kit";
import { DiskError } from "../errors.ts";
import { compileGlobs, expandBraces, type GlobMatcher } from "../globs/glob.ts";
import { foldPath, isInside, nativePaths, type PathRules } from "./path-syntax.ts";
import { existingRealPath, realPathOf } from "./real-path.ts";

/** Whether a real path is hidden; `roots` are the real paths of the allowed directories. */
export type Denies = (real: string, roots: readonly string[]) => boolean;

export const deniesNothing: Denies = () => false;

/** Compiles the globs once. */
export function compileDeny(globs: readonly string[], rules: PathRules = nativePaths, home = homedir()): Denies {
  if (globs.length === 0) return deniesNothing;
  const all = globs.map((glob) => toGlob(glob, rules, home));
  const absolute = all.filter((glob) => rules.path.isAbsolute(glob)).flatMap((glob) => [glob, ...otherSpellings(glob, rules)]);
  const hidesAbsolute = hiddenBy(compileGlobs(absolute.map((glob) => asPattern(below(glob, 0)))));
  const hidesRelative = hiddenBy(compileGlobs(all.filter((glob) => !rules.path.isAbsolute(glob)).map(asPattern)));
  return (given, roots) => {
    const real = plain(given, rules);
    return hidesAbsolute(below(real, 0)) || roots.some((root) => isBelow(real, plain(root, rules)));
  };

  function isBelow(real: string, root: string): boolean {
    return isInside(real, root, rules) && hidesRelative(below(real, root.length));
  }
}

/**
 * The globs where the client names the allowed directories: a client's root must not move what the operator hides. Relative globs start at
 * the operator's directories; elsewhere, where nothing says at which depth a root begins, they hide at any depth.
 */
export function anchoredDeny(globs: readonly string[], directories: readonly string[]): Denies {
  if (globs.length === 0) return deniesNothing;
  const anchors = [...new Set(directories.flatMap((path) => [resolve(path), realPathOf(path)]))];
  const denies = compileDeny(globs);
  const isAnchored = (glob: string) => nativePaths.path.isAbsolute(glob) || /^~(?=$|[\\/])/.test(glob);
  const deniesAnywhere = compileDeny(globs.map((glob) => (isAnchored(glob) ? glob : `/**/${glob.replace(/^(?:\.\/+)+/, "")}`)));
  return (real) => denies(real, anchors) || (!anchors.some((anchor) => isInside(real, anchor)) && deniesAnywhere(real, []));
}

/** Hides further paths: those that lie in one of the operator's roots, or all where the client has named the roots. */
export function alsoHiding(denies: Denies, paths: readonly string[], roots: readonly { readonly real: string }[] | "client's"): Denies {
  const hidden = paths.map(realPathOf).filter((path) => roots === "client's" || roots.some(({ real }) => isInside(path, real)));
  if (hidden.length === 0) return denies;
  return (real, all) => hidden.some((path) => isInside(real, path)) || denies(real, all);
}

/** With slashes, and in one spelling where most file systems of the platform accept several for one name. */
function plain(text: string, { windows, ignoresCase }: PathRules): string {
  const slashed = windows ? text.replaceAll("\\", "/") : text;
  return ignoresCase ? foldPath(slashed) : slashed;
}

/** The rest of a path after its first characters, without slashes at its start. */
const below = (path: string, length: number) => path.slice(length).replace(/^\/+/, "");

function toGlob(glob: string, rules: PathRules, home: string): string {
  // The home is escaped after its backslashes have become slashes.
  const text = plain(glob, rules)
    .replace(/^~(?=$|\/)/, () => escaped(plain(home, rules)))
    .replace(/\/{2,}/g, "/")
    .replace(/^(?:\.\/)+/, "")
    .replace(/(?<=.)\/$/, "");
  const names = rules.path.isAbsolute(text) ? below(text, 0) : text;
  const isPlain = (name: string) => name !== "" && name !== "." && name !== "..";
  if (text.trim() === "" || text.startsWith("!") || names === "" || !expandBraces(names).every((one) => one.split("/").every(isPlain))) {
    throw new DiskError("invalid", `Invalid glob in --deny: expected one such as **/.env*, got: ${clip(glob)}`);
  }
  return text.includes("/") ? text : `**/${text}`;
}

/** `!` and `#` at the start are part of the name here. */
const asPattern = (glob: string) => glob.replace(/^(?=[!#])/, "\\");

const escaped = (path: string) => path.replace(/[*?[\]{}()!+@#\\]/g, "\\$&");

/** The glob for real paths, where its first directories are spelled by a link or without a drive. */
function otherSpellings(glob: string, rules: PathRules): string[] {
  if (rules.windows && glob.startsWith("/")) return [`?:${glob}`];
  const names = glob.split("/");
  const special = names.findIndex((name) => /[*?[\]{}()!+@\\]/.test(name));
  for (let end = special === -1 ? names.length : special; end > 1; end -= 1) {
    const start = names.slice(0, end).join("/");
    try {
      const real = plain(existingRealPath(start), rules);
      return real === start ? [] : [[escaped(real), ...names.slice(end)].join("/")];
    } catch {
      // Missing or not readable: the directory above is tried.
    }
  }
  return [];
}

const MAX_REMEMBERED_DIRECTORIES = 4096;

/** Whether a path matches the globs or lies below a directory that does. Walks ask for the same directories again and again. */
function hiddenBy(globs: GlobMatcher): (path: string) => boolean {
  const known = new Map<string, boolean>();
  const isDirectoryHidden = (directory: string): boolean => {
    if (directory === "") return false;
    const remembered = known.get(directory);
    if (remembered !== undefined) return remembered;
    const isHidden = isDirectoryHidden(parentOf(directory)) || globs.matches(directory);
    if (known.size >= MAX_REMEMBERED_DIRECTORIES) known.clear();
    known.set(directory, isHidden);
    return isHidden;
  };
  return (path) => path !== "" && (isDirectoryHidden(parentOf(path)) || globs.matches(path));
}

const parentOf = (path: string): string => path.slice(0, Math.max(path.lastIndexOf("/"), 0));
