// Which files count: globs of the caller, hidden names, ignore files above the directory. This is the rule; what ripgrep is told of
// it only saves it the way into what would be dropped here, so it is told only what it understands in just the same way.
import { expandBraces } from "../../globs/glob-braces.ts";
import { compileGlobs } from "../../globs/glob.ts";
import { DiskError } from "../../errors.ts";
import type { ContentsOptions } from "./options.ts";

export interface Names {
  /** A path below the directory, with slashes. */
  keeps(path: string): boolean;
  readonly narrowing: readonly string[];
}

const SIMPLE = /^[\w.*?-]+$/;
const SIMPLE_PATH = /^[\w.*?-]+(?:\/[\w.*?-]+)*$/;
/** The command line is finite. */
const MOST_NARROWING = 300;

export function namesFor(
  { include = [], exclude = [], includeHidden = false }: ContentsOptions,
  isIgnored: (path: string) => boolean,
  ignoredNames: readonly string[],
): Names {
  const wanted = include.map(anchored);
  const unwanted = exclude.map((glob) => anchored(glob.replace(/(?<=.)\/+$/, "")));
  const [includes, excludes] = [compileGlobs(wanted), compileGlobs(unwanted)];
  const isExcluded = (path: string): boolean => {
    let places = excludes.start;
    return path.split("/").some((name) => {
      if (excludes.matches(places, name)) return true;
      places = excludes.enter(places, name);
      return false;
    });
  };
  return {
    keeps: (path) =>
      (includeHidden || !/(?:^|\/)\./.test(path)) &&
      (wanted.length === 0 || includes.test(path)) &&
      (unwanted.length === 0 || !isExcluded(path)) &&
      !isIgnored(path),
    narrowing: [
      ...lastNames(wanted),
      ...[...unwanted.filter((glob) => SIMPLE_PATH.test(glob)).map((glob) => `/${glob}`), ...ignoredNames].map((glob) => `--glob=!${glob}`),
    ].slice(0, MOST_NARROWING),
  };
}

/** As people mean it: without a slash the name anywhere below; with one the path from the directory. */
function anchored(glob: string): string {
  const text = glob.replace(/^(?:\.\/+)+/, "");
  if (text === "" || text.includes("\0")) throw new DiskError("invalid", "Expected a glob such as *.ts or src/**, but got an empty one.");
  return text.startsWith("/") ? text.replace(/^\/+/, "") : text.includes("/") ? text : `**/${text}`;
}

/** A file type of our own, with all that the last names of the globs can be; nothing where one of them is not simple. */
function lastNames(globs: readonly string[]): string[] {
  const names = globs.flatMap((glob) => expandBraces(glob)).map((glob) => glob.slice(glob.lastIndexOf("/") + 1));
  if (names.length === 0 || names.length > 100 || !names.every((name) => SIMPLE.test(name) && name !== "**")) return [];
  return [...names.map((name) => `--type-add=wanted:${name}`), "--type=wanted"];
}
