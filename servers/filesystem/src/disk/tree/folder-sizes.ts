// The entries of a folder with their sizes, for folders the sum of the files below. Sums are bounded: a large tree gives a part of its size.
import { join } from "node:path";
import type { Sandbox } from "../access/sandbox.ts";
import { DiskError } from "../errors.ts";
import { compileTreeExcludes, type GlobMatcher } from "../globs/glob.ts";
import { IgnoreRules } from "../search/gitignore/ignore-rules.ts";
import { orderOf, typeOf, type EntryType } from "./directory-entries.ts";
import { shownEntries, withSizes } from "./listing.ts";

/** Entries of the folder itself in a reply. */
const MAX_LISTED = 5_000;

export interface FolderSizesOptions {
  /** Relative to `base`, as in a tree. */
  readonly excludePatterns?: readonly string[] | undefined;
  /** Leave out what .gitignore ignores. Default false. */
  readonly respectGitignore?: boolean | undefined;
  /** The position of the folder below the top of the tree; empty for the top. */
  readonly base?: string | undefined;
  /** Entries whose size one call reads. Default 50,000. */
  readonly maxEntries?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface SizedChild {
  readonly name: string;
  readonly type: EntryType;
  /** Bytes; of a directory, the sum of the files below. */
  readonly size: number;
  /** Only where the sum is a part: the directory has more entries than one call reads, or some cannot be read. */
  readonly isPart?: true;
}

export interface FolderSizes {
  readonly path: string;
  readonly entries: readonly SizedChild[];
  /** Entries of the folder that are not in the reply. */
  readonly omitted: number;
}

export async function folderSizes(sandbox: Sandbox, path: string, options: FolderSizesOptions = {}): Promise<FolderSizes> {
  const { base = "", respectGitignore = false } = options;
  using start = sandbox.folder(path);
  const sums = new Sums(sandbox, options, respectGitignore ? await IgnoreRules.load(sandbox, start.path) : undefined);
  const { real, children, isCut } = await sums.read(path, base === "" ? "" : `${base}/`);
  const entries: SizedChild[] = [];
  for (const { name, type, size } of children.slice(0, MAX_LISTED)) {
    if (type !== "directory") entries.push({ name, type, size });
    else entries.push({ name, type, ...(await sums.below(join(real, name), `${base === "" ? "" : `${base}/`}${name}/`)) });
  }
  return { path: real, entries, omitted: Math.max(0, children.length - MAX_LISTED) + (isCut ? 1 : 0) };
}

interface Child {
  readonly name: string;
  readonly type: EntryType;
  readonly size: number;
}

class Sums {
  readonly #sandbox: Sandbox;
  readonly #excludes: GlobMatcher;
  readonly #maxEntries: number;
  readonly #signal: AbortSignal | undefined;
  readonly #ignoreRules: IgnoreRules | undefined;
  #seen = 0;

  constructor(sandbox: Sandbox, { excludePatterns = [], maxEntries = 50_000, signal }: FolderSizesOptions, ignoreRules?: IgnoreRules) {
    this.#sandbox = sandbox;
    this.#ignoreRules = ignoreRules;
    this.#excludes = compileTreeExcludes(excludePatterns);
    this.#maxEntries = maxEntries;
    this.#signal = signal;
  }

  /** The entries of one folder. `prefix`: its position below the top, with a slash at its end. */
  async read(path: string, prefix: string): Promise<{ real: string; children: Child[]; isCut: boolean }> {
    using folder = this.#sandbox.folder(path);
    const { entries, cut } = await shownEntries(this.#sandbox, folder);
    const shown = entries
      .filter(({ name }) => !this.#excludes.matches(prefix + name))
      .filter((entry) => this.#ignoreRules?.ignores(join(folder.path, entry.name), entry.isDirectory()) !== true)
      .toSorted((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1));
    this.#seen += shown.length;
    const found = await withSizes(folder, shown, this.#signal);
    const children = found.map(({ entry, size }) => ({ name: entry.name, type: typeOf(entry), size: entry.isFile() ? size : 0 }));
    return { real: folder.path, children, isCut: cut };
  }

  /** The sum of the files below a folder, which must not have become a link. */
  async below(path: string, prefix: string): Promise<{ size: number; isPart?: true }> {
    let size = 0;
    let isPart = false;
    const waiting = [{ path, prefix }];
    for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
      if (this.#seen >= this.#maxEntries) return { size, isPart: true };
      try {
        const { real, children, isCut } = await this.read(at.path, at.prefix);
        if (real !== at.path || isCut) isPart = true;
        if (real !== at.path) continue;
        for (const child of children) {
          size += child.size;
          if (child.type === "directory") waiting.push({ path: join(real, child.name), prefix: `${at.prefix}${child.name}/` });
        }
      } catch (error) {
        if (!(error instanceof DiskError)) throw error;
        isPart = true;
      }
    }
    return isPart ? { size, isPart } : { size };
  }
}
