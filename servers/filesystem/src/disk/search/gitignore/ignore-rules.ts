// The rules of .gitignore files for searches and trees: git would not list what they ignore. The rules of a directory come after
// those of the directories above it, up to the top of its repository or the allowed directory. Whether there is a repository does
// not matter. An ignored directory is searched when a call names it.
import type { Ignore } from "ignore";
import type { EntryPlace, FolderHandle, Sandbox } from "../../access/sandbox.ts";
import { lookAt } from "../../access/entry-stat.ts";
import { isInside, joinPath, nativePaths, withSeparator, type PathRules } from "../../access/path-syntax.ts";
import { DiskError } from "../../errors.ts";
import { readNow } from "../../read/byte-reader.ts";
import { safeLines } from "./rule-lines.ts";

/** A larger .gitignore is not read. */
const MAX_FILE_BYTES = 256 * 1024;

type Make = () => Ignore;

/** The rules of one directory. */
interface Layer {
  readonly directory: string;
  readonly lines: readonly string[];
  readonly rules: Ignore;
}

export class IgnoreRules {
  readonly #sandbox: Sandbox;
  readonly #start: string;
  readonly #make: Make;
  readonly #paths: PathRules;
  /** The layers that count in a directory, innermost first. */
  readonly #layers = new Map<string, readonly Layer[]>();
  readonly #ignoredDirectories = new Map<string, boolean>();
  /** The layers above the start; none where they ignore the start itself. */
  readonly #above: readonly Layer[];

  private constructor(sandbox: Sandbox, start: string, make: Make, paths: PathRules) {
    this.#sandbox = sandbox;
    this.#start = start;
    this.#make = make;
    this.#paths = paths;
    using folder = this.#open(start);
    const above = this.#layersAbove(start, folder);
    const isStartIgnored = this.#isIgnored(above, start, true);
    this.#above = isStartIgnored ? [] : above;
    if (isStartIgnored) this.#layers.set(start, this.#ownLayer(start, folder));
  }

  /** The rules for what lies below a directory, given by its real path. */
  static async load(sandbox: Sandbox, directory: string, paths: PathRules = nativePaths): Promise<IgnoreRules> {
    const { default: ignore } = await import("ignore");
    return new IgnoreRules(sandbox, directory, () => ignore({ ignorecase: paths.ignoresCase }), paths);
  }

  /** Whether rules above the start count below it. */
  get hasRulesAbove(): boolean {
    return this.#above.length > 0;
  }

  /** Rules above the start that are plain names, which a search may skip early; none where a rule takes another one back. */
  get plainNamesAbove(): readonly string[] {
    const lines = this.#above.flatMap((layer) => layer.lines);
    return lines.some((line) => line.startsWith("!")) ? [] : lines.filter((line) => /^[\w.*?-]+\/?$/.test(line));
  }

  /** Whether an entry is ignored whose directories are not. */
  ignores(path: string, isDirectory: boolean): boolean {
    const { basename, dirname } = this.#paths.path;
    return basename(path) === ".git" || this.#isIgnored(this.#layersOf(dirname(path)), path, isDirectory);
  }

  /** Whether a file is ignored, or any directory between the start and it. */
  ignoresFile(path: string): boolean {
    return this.#ignoresDirectory(this.#paths.path.dirname(path)) || this.ignores(path, false);
  }

  #ignoresDirectory(path: string): boolean {
    if (path === this.#start) return false;
    const known = this.#ignoredDirectories.get(path);
    if (known !== undefined) return known;
    const isAnyIgnored = this.#ignoresDirectory(this.#paths.path.dirname(path)) || this.ignores(path, true);
    this.#ignoredDirectories.set(path, isAnyIgnored);
    return isAnyIgnored;
  }

  #layersOf(directory: string): readonly Layer[] {
    const known = this.#layers.get(directory);
    if (known !== undefined) return known;
    using folder = this.#open(directory);
    const above = this.#layersAbove(directory, folder);
    const inherited = this.#isIgnored(above, directory, true) ? above : above.map((layer) => this.#readmitted(layer, directory));
    const layers = [...this.#ownLayer(directory, folder), ...inherited];
    this.#layers.set(directory, layers);
    return layers;
  }

  /** A directory that an outer layer ignores and an inner one takes back: the outer rules count for what lies in it. */
  #readmitted(layer: Layer, directory: string): Layer {
    const relative = this.#relativeTo(layer, directory);
    if (!layer.rules.test(`${relative}/`).ignored) return layer;
    return this.#layer(layer.directory, [...layer.lines, `!/${relative.replace(/[\\*?[\]! #]/g, "\\$&")}/`]);
  }

  /** The innermost rule that matches decides. */
  #isIgnored(layers: readonly Layer[], path: string, isDirectory: boolean): boolean {
    for (const layer of layers) {
      const relative = this.#relativeTo(layer, path);
      const { ignored, unignored } = layer.rules.test(isDirectory ? `${relative}/` : relative);
      if (ignored || unignored) return ignored;
    }
    return false;
  }

  /** With slashes, as rules are written. */
  #relativeTo({ directory }: Layer, path: string): string {
    const relative = path.slice(withSeparator(directory, this.#paths).length);
    return this.#paths.windows ? relative.replaceAll("\\", "/") : relative;
  }

  #layer(directory: string, lines: readonly string[]): Layer {
    return { directory, lines, rules: this.#make().add(lines) };
  }

  #layersAbove(directory: string, folder: FolderHandle | undefined): readonly Layer[] {
    const above = this.#paths.path.dirname(directory);
    const isAllowed = above !== directory && this.#sandbox.roots.some(({ real }) => isInside(above, real, this.#paths));
    return isAllowed && this.#entry(folder, ".git") === undefined ? this.#layersOf(above) : [];
  }

  #ownLayer(directory: string, folder: FolderHandle | undefined): Layer[] {
    const lines = this.#linesOf(this.#entry(folder, ".gitignore"));
    return lines.length === 0 ? [] : [this.#layer(directory, lines)];
  }

  #linesOf(entry: EntryPlace | undefined): string[] {
    if (entry === undefined) return [];
    try {
      // A link could lead to any text inside; git does not follow one here either.
      using file = this.#sandbox.openEntry(entry);
      const size = Number(file.stat.size);
      return size > MAX_FILE_BYTES ? [] : safeLines(readNow(file.fd, 0, size).toString());
    } catch (error) {
      if (error instanceof DiskError) return []; // gone, or not readable
      throw error;
    }
  }

  /** Opened once for both names that are looked for. Undefined where it is gone, or where the way to it leads elsewhere by now. */
  #open(directory: string): FolderHandle | undefined {
    try {
      const folder = this.#sandbox.folder(directory);
      if (folder.path === directory) return folder;
      folder[Symbol.dispose]();
    } catch (error) {
      if (!(error instanceof DiskError)) throw error;
    }
    return undefined;
  }

  /** Undefined where it is missing or hidden. */
  #entry(parent: FolderHandle | undefined, name: string): EntryPlace | undefined {
    if (parent === undefined) return undefined;
    const entry = { parent, name, path: joinPath(parent.path, name, this.#paths) };
    try {
      return this.#sandbox.shows(entry.path) && lookAt(entry) !== undefined ? entry : undefined;
    } catch (error) {
      if (error instanceof DiskError) return undefined;
      throw error;
    }
  }
}
