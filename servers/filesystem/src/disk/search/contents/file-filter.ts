// Which files count in a search by content: the globs of the call, hidden names, the rules of .gitignore. ripgrep receives only what it
// understands in just the same way, to save it the way into directories that do not count.
import { DiskError } from "../../errors.ts";
import { compileGlobs, expandBraces } from "../../globs/glob.ts";
import type { IgnoreRules } from "../gitignore/ignore-rules.ts";
import type { FileFilter } from "./engine.ts";
import type { ContentsOptions } from "./options.ts";

const SIMPLE_NAME = /^[\w.*?-]+$/;
const SIMPLE_PATH = /^[\w.*?-]+(?:\/[\w.*?-]+)*$/;
const MAX_FILE_TYPES = 100;
/** A command line has a maximum length. */
const MAX_ARGUMENTS = 300;

/** `pathOf`: the path of a name below the directory. `rules`: undefined where .gitignore does not count. */
export function fileFilter(
  { include = [], exclude = [], includeHidden = false }: ContentsOptions,
  pathOf: (name: string) => string,
  rules: IgnoreRules | undefined,
): FileFilter {
  const includes = include.map(atAnyDepth);
  const excludes = exclude.map((glob) => atAnyDepth(glob.replace(/(?<=.)\/+$/, "")));
  const [included, excluded] = [compileGlobs(includes), compileGlobs(excludes)];
  const isExcluded = (path: string): boolean => {
    for (let end = path.indexOf("/"); end !== -1; end = path.indexOf("/", end + 1)) if (excluded.matches(path.slice(0, end))) return true;
    return excluded.matches(path);
  };
  const isHidden = (path: string): boolean => !includeHidden && /(?:^|\/)\./.test(path);
  const isNamed = (path: string): boolean => includes.length === 0 || included.matches(path);
  return {
    isHidden,
    isExcluded: (path) => excludes.length > 0 && isExcluded(path),
    isNamed,
    mayKeepBelow: (directory) => !isHidden(directory) && !/(?:^|\/)\.git$/.test(directory) && !isExcluded(directory),
    keeps: (path) =>
      !isHidden(path) &&
      isNamed(path) &&
      (excludes.length === 0 || !isExcluded(path)) &&
      // ripgrep itself applies the rules below the directory; the rules above it can also be taken back below.
      !(rules?.hasRulesAbove === true && rules.ignoresFile(pathOf(path))),
    ripgrepArguments: [
      ...typeArguments(includes),
      ...excludes.filter((glob) => SIMPLE_PATH.test(glob)).map((glob) => `--glob=!/${glob}`),
      ...(rules?.plainNamesAbove ?? []).map((name) => `--glob=!${name}`),
    ].slice(0, MAX_ARGUMENTS),
  };
}

/** A glob without a slash means the name at any depth; with one, the path from the directory. */
function atAnyDepth(glob: string): string {
  const text = glob.replace(/^(?:\.\/+)+/, "");
  if (text === "" || text.includes("\0")) throw new DiskError("invalid", "Empty glob: expected one such as *.ts or src/**.");
  return text.startsWith("/") ? text.replace(/^\/+/, "") : text.includes("/") ? text : `**/${text}`;
}

/** A file type of our own with all that the last names of the globs can be; nothing where one of the names is not simple. */
function typeArguments(globs: readonly string[]): string[] {
  const names = globs.flatMap((glob) => expandBraces(glob)).map((glob) => glob.slice(glob.lastIndexOf("/") + 1));
  const areSimple = names.length > 0 && names.length <= MAX_FILE_TYPES && names.every((name) => SIMPLE_NAME.test(name) && name !== "**");
  return areSimple ? [...names.map((name) => `--type-add=wanted:${name}`), "--type=wanted"] : [];
}
