// What a search by content without a match has left out, and why: an empty answer must not pass for "it is nowhere here".
import type { FolderHandle, Sandbox } from "../../access/sandbox.ts";
import { pathBelow } from "../../access/path-syntax.ts";
import { DiskError } from "../../errors.ts";
import { walk } from "../../tree/walk.ts";
import type { IgnoreRules } from "../gitignore/ignore-rules.ts";
import type { FileFilter } from "./engine.ts";
import { MAX_MULTILINE_BYTES, type ContentsOptions } from "./options.ts";
import { searchEncoding } from "./text-check.ts";

/** Entries: a directory that is left out counts once, whatever is in it. */
export interface Skipped {
  hidden: number;
  ignored: number;
  /** By `exclude`, or not named by `include`. */
  excluded: number;
  links: number;
  binary: number;
  /** Text with NUL bytes, which a search of a directory leaves out as git and grep do, and one of the file does not: the real paths. */
  readonly withNuls: string[];
  /** Too large for matches that span lines. */
  large: number;
  /** Of owners that --lockdown does not trust. */
  foreign: number;
  unreadable: number;
  /** There are more entries than were looked at. */
  isPart: boolean;
}

/** `searched`: files that were searched, by their paths below the directory. Undefined where they are too many to be kept. */
export interface SkippedQuery {
  readonly directory: FolderHandle;
  readonly filter: FileFilter;
  readonly rules: IgnoreRules | undefined;
  readonly searched: ReadonlySet<string> | undefined;
}

/** An empty answer must not cost more than the search. */
export const MAX_ENTRIES = 20_000;
/** Files that are opened to find out why they were not searched. */
const MAX_OPENED = 2000;

const nothingSkipped = (): Skipped => ({
  hidden: 0,
  ignored: 0,
  excluded: 0,
  links: 0,
  binary: 0,
  withNuls: [],
  large: 0,
  foreign: 0,
  unreadable: 0,
  isPart: false,
});

export async function skippedBelow(
  sandbox: Sandbox,
  { directory, filter, rules, searched }: SkippedQuery,
  options: ContentsOptions,
): Promise<Skipped> {
  const skipped = nothingSkipped();
  const kept: string[] = [];
  const entry = (found: { name: string; isDirectory(): boolean; isSymbolicLink(): boolean; isFile(): boolean }, at: string) => {
    const name = at + found.name;
    const isDirectory = found.isDirectory();
    if (filter.isHidden(name)) skipped.hidden += 1;
    else if (rules?.ignores(pathBelow(directory.path, name), isDirectory) === true) skipped.ignored += 1;
    else if (found.isSymbolicLink()) skipped.links += 1;
    else if (filter.isExcluded(name) || (!isDirectory && !filter.isNamed(name))) skipped.excluded += 1;
    else if (isDirectory) return `${name}/`;
    else if (found.isFile()) kept.push(name);
    return undefined;
  };
  const { signal } = options;
  const walked = await walk(sandbox, directory, "", { entry }, { order: "wide", maxEntries: MAX_ENTRIES, signal });
  skipped.unreadable += walked.unreadable;
  const suspects = searched === undefined ? [] : kept.filter((name) => !searched.has(name));
  skipped.isPart = searched === undefined || walked.ended !== undefined || walked.cutFolders > 0 || suspects.length > MAX_OPENED;
  for (const name of suspects.slice(0, MAX_OPENED)) {
    const path = pathBelow(directory.path, name);
    if (countFile(sandbox, path, options, skipped)) skipped.withNuls.push(path);
  }
  return skipped;
}

/** Of one file that the call names. */
export function skippedFile(sandbox: Sandbox, path: string, options: ContentsOptions): Skipped {
  const skipped = nothingSkipped();
  countFile(sandbox, path, options, skipped);
  return skipped;
}

/** Returns true for a text. */
function countFile(sandbox: Sandbox, path: string, { encoding, multiline = false }: ContentsOptions, skipped: Skipped): boolean {
  try {
    using file = sandbox.file(path);
    if (multiline && file.stat.size > MAX_MULTILINE_BYTES) skipped.large += 1;
    else if (searchEncoding(file.fd, encoding) === undefined) skipped.binary += 1;
    else return true;
  } catch (error) {
    if (!(error instanceof DiskError)) throw error;
    skipped[error.code === "foreign" ? "foreign" : "unreadable"] += 1;
  }
  return false;
}
