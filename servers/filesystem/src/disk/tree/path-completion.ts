// Completion of a partly typed path, within the sandbox. A path outside gets the same empty answer as one that does not exist.
import { systemErrorCode } from "@oarlock/domain-kit";
import type { Sandbox } from "../access/sandbox.ts";
import { foldPath, nativePaths, withSeparator, type PathRules } from "../access/path-syntax.ts";
import { readEntries } from "./directory-entries.ts";
import { DiskError } from "../errors.ts";

/** The most values of a completion in the protocol. */
const SUGGESTIONS = 100;
/** PATH_MAX of Linux: a longer text is not a path. */
const MAX_TYPED = 4096;
/** Entries that are read of a folder. */
const MAX_ENTRIES = 50_000;

export interface Suggestions {
  /** Each begins with the text as typed; a directory ends in a slash. */
  readonly values: readonly string[];
  /** There are more values. */
  readonly more: boolean;
}

const NONE: Suggestions = { values: [], more: false };

export async function suggestPaths(
  sandbox: Sandbox,
  typed: string,
  limit: number = SUGGESTIONS,
  rules: PathRules = nativePaths,
): Promise<Suggestions> {
  if (typed.length > MAX_TYPED || typed.includes("\0")) return NONE;
  const cut = Math.max(typed.lastIndexOf("/"), rules.windows ? typed.lastIndexOf("\\") : -1) + 1;
  const separator = typed.slice(cut - 1, cut) || rules.path.sep;
  const found = new Set<string>();
  // Roots that begin with the typed text; `/data` lacks only its slash.
  for (const { given, real } of sandbox.roots) {
    for (const root of new Set([given, real])) {
      const whole = rules.windows ? withSeparator(root, rules).replaceAll("\\", separator) : withSeparator(root, rules);
      if (beginsWith(whole, typed, rules) && whole.length > typed.length) found.add(typed + whole.slice(typed.length));
    }
  }
  // A relative path is tried in each root, as in every call; the empty text completes to the roots.
  const isAbsolute = rules.path.isAbsolute(typed);
  const bases = typed === "" ? [] : isAbsolute ? [""] : sandbox.roots.map((root) => withSeparator(root.real, rules));
  for (const base of bases) {
    const start = { base, folder: typed.slice(0, cut), begun: typed.slice(cut), separator };
    for (const value of await below(sandbox, start, limit + 1)) found.add(value);
  }
  const values = [...found];
  return { values: values.slice(0, limit), more: values.length > limit };
}

const beginsWith = (path: string, typed: string, { ignoresCase }: PathRules): boolean =>
  path.startsWith(typed) || (ignoresCase && foldPath(path.slice(0, typed.length)) === foldPath(typed));

interface Typed {
  /** What a relative path starts at, or nothing. */
  readonly base: string;
  /** The text up to the last separator, and behind it. */
  readonly folder: string;
  readonly begun: string;
  readonly separator: string;
}

async function below(sandbox: Sandbox, typed: Typed, most: number): Promise<string[]> {
  const values: string[] = [];
  try {
    using folder = sandbox.folder(typed.base + typed.folder);
    const prefix = withSeparator(folder.path);
    const { entries } = await readEntries(folder, MAX_ENTRIES);
    for (const entry of entries) {
      // A name that is not UTF-8 cannot be typed.
      if (entry.odd || !entry.name.startsWith(typed.begun) || !sandbox.shows(prefix + entry.name)) continue;
      values.push(typed.folder + entry.name + (entry.isDirectory() ? typed.separator : ""));
      if (values.length >= most) break;
    }
  } catch (error) {
    // Outside, missing, not a folder, or not readable.
    if (!(error instanceof DiskError) && systemErrorCode(error) === undefined) throw error;
  }
  return values;
}
