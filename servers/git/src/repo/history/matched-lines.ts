// The line that a search for changes has found in a commit: git_log shows it, which saves a look at the patch.
import { escapeControls } from "@oarlock/domain-kit";
import type { Repository } from "../repository.ts";
import { pathArguments } from "../safety/path-resolver.ts";
import { decodeText, isByteName } from "../text/file-names.ts";
import { cutAround, type LinePart } from "../text/long-lines.ts";

export interface ChangeSearch {
  readonly pickaxe?: string | undefined;
  readonly grepDiff?: string | undefined;
  readonly paths: readonly string[];
  readonly follow: boolean;
  readonly signal?: AbortSignal | undefined;
}

const MAX_COMMITS = 50;
const MAX_BYTES = 2 * 1024 * 1024;
const MAX_LINE_LENGTH = 200;
/** With these JavaScript could be busy for very long, other than git: such a pattern finds no lines. */
const SLOW = /(?<!\\)[*+?{(|]/;

/** Where a line has what is searched for. */
type Find = (line: string) => LinePart | undefined;

/**
 * By commit, such as `src/price.js: +const tax = 0.16;`: the first added line with a match, below the line that it replaced, otherwise the
 * first removed one.
 */
export async function matchedLines(repository: Repository, hashes: readonly string[], search: ChangeSearch): Promise<Map<string, string>> {
  const { pickaxe, grepDiff, paths, follow, signal } = search;
  const find = finderOf(search);
  if (find === undefined || hashes.length === 0) return new Map();
  const prefixes = ["--src-prefix=a/", "--dst-prefix=b/"];
  const plain = ["--no-color", "--no-ext-diff", "--no-textconv", "--no-show-signature", "--ignore-submodules=dirty", ...prefixes];
  const what = pickaxe === undefined ? `-G${grepDiff}` : `-S${pickaxe}`;
  const only = pathArguments(repository, follow || paths.some(isByteName) ? [] : paths);
  const args = ["log", "--no-walk=unsorted", "--format=%x00%H", "-p", "-U0", "--no-renames", ...plain, what];
  const { stdout } = await repository.tryRead({ args: [...args, ...hashes.slice(0, MAX_COMMITS), ...only], signal, maxBytes: MAX_BYTES });
  return new Map(
    decodeText(stdout)
      .split("\0")
      .flatMap((patch) => {
        const line = lineIn(patch, find);
        return line === undefined ? [] : [[patch.slice(0, patch.indexOf("\n")), line] as const];
      }),
  );
}

function finderOf({ pickaxe, grepDiff = "" }: ChangeSearch): Find | undefined {
  if (pickaxe !== undefined)
    return (line) => (line.includes(pickaxe) ? { start: line.indexOf(pickaxe), length: pickaxe.length } : undefined);
  if (grepDiff === "" || SLOW.test(grepDiff)) return undefined;
  try {
    const pattern = new RegExp(grepDiff);
    return (line) => {
      const found = pattern.exec(line);
      return found === null ? undefined : { start: found.index, length: found[0].length };
    };
  } catch {
    // The syntax of git knows patterns that JavaScript does not.
    return undefined;
  }
}

/** What a patch has shown of the hunk that it is in. */
interface Hunk {
  readonly removed: string[];
  added: number;
  /** It removes as many lines as it adds: the first replaces the first. */
  readonly isEven: boolean;
}

function lineIn(patch: string, find: Find): string | undefined {
  let path = "";
  let hunk: Hunk | undefined;
  let firstRemoved: string | undefined;
  for (const line of patch.split("\n")) {
    const [, before, after] = /^@@ -\d+(,\d+)? \+\d+(,\d+)? @@/.exec(line) ?? [];
    if (line.startsWith("diff --git ")) hunk = undefined;
    else if (line.startsWith("@@ ")) hunk = { removed: [], added: 0, isEven: before === after };
    else if (hunk === undefined) path = /^(?:---|\+\+\+) "?[ab]\/(.*?)"?$/.exec(line)?.[1] ?? path;
    else {
      const isAdded = line.startsWith("+");
      const replaced = isAdded && hunk.isEven ? hunk.removed[hunk.added++] : undefined;
      if (line.startsWith("-")) hunk.removed.push(line);
      const part = /^[+-]/.test(line) ? find(line.slice(1)) : undefined;
      if (part === undefined || (firstRemoved !== undefined && !isAdded)) continue;
      const clipped = (one: string): string => escapeControls(`${one.charAt(0)}${cutAround(one.slice(1), part, MAX_LINE_LENGTH).trim()}`);
      const text = `${escapeControls(path)}: ${replaced === undefined ? "" : `${clipped(replaced)}\n`}${clipped(line)}`;
      if (isAdded) return text;
      firstRemoved = text;
    }
  }
  return firstRemoved;
}
