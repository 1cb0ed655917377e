// What a glob that has matched nothing would find in another form: at any depth, or as a part of a name.
import { relative, sep } from "node:path";
import type { Sandbox } from "../../access/sandbox.ts";
import { compileGlobs } from "../../globs/glob.ts";
import { searchFiles, type SearchOptions } from "./name-search.ts";

export interface WiderMatch {
  readonly glob: string;
  /** Absolute. */
  readonly path: string;
}

/** An empty answer must not cost more than a search. */
const MAX_ENTRIES = 50_000;
const WILDCARDS = /[*?[\]{}()!\\]/;

/** A path that is not ignored, if there is one. Undefined where no form of the glob finds anything, or it is for any depth itself. */
export async function firstWider(sandbox: Sandbox, path: string, options: SearchOptions): Promise<WiderMatch | undefined> {
  const { pattern, respectGitignore = false } = options;
  const text = pattern.replace(/^(?:\*\*\/)+/, "").replace(/\/+$/, "");
  const isText = text !== "" && !WILDCARDS.test(text) && !text.startsWith("/");
  if (!isText && (pattern === "" || /^(?:\*\*)?\/|^\*\*|^!/.test(pattern))) return undefined;
  const part = `**/${text.replace(/[^/]+$/, "*$&*")}`;
  const globs = isText ? [`**/${text}`, part] : [`**/${pattern}`];
  const wide = { ...options, pattern: isText ? inAnyCase(part) : `**/${pattern}`, cursor: undefined, maxEntries: MAX_ENTRIES };
  for (const skipsIgnored of respectGitignore ? [true] : [true, false]) {
    const { paths, start } = await searchFiles(sandbox, path, { ...wide, limit: isText ? MAX_ENTRIES : 1, respectGitignore: skipsIgnored });
    const below = (found: string): string => relative(start, found).replaceAll(sep, "/");
    for (const glob of globs) {
      const matcher = compileGlobs([glob]);
      const found = paths.find((one) => matcher.matches(below(one)));
      if (found !== undefined) return { glob, path: found };
    }
    const [found] = paths;
    if (found !== undefined) return { glob: `**/${below(found).split("/").at(-1) ?? ""}`, path: found };
  }
  return undefined;
}

const inAnyCase = (glob: string): string =>
  glob.replaceAll(/\p{L}/gu, (letter) => {
    const [low, high] = [letter.toLowerCase(), letter.toUpperCase()];
    return low !== high && low.length === 1 && high.length === 1 ? `[${low}${high}]` : letter;
  });
