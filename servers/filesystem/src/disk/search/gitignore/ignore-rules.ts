// The rules of .gitignore files for searches and trees: git would not list what they ignore. The rules of a directory come after
// those of the directories above it, up to the top of its repository or the allowed directory. Whether there is a repository does
// not matter. An ignored directory is searched when a call names it.
import type { Ignore } from "ignore";
import type { Sandbox, Entry } from "../../access/sandbox.ts";
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
    const above = this.#layersAbove(start);
    const isStartIgnored = this.#isIgnored(above, start, true);
    this.#above = isStartIgnored ? [] : above;
    if (isStartIgnored) this.#layers.set(start, this.#ownLayer(start));
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
    const above = this.#layersAbove(directory);
    const inherited = this.#isIgnored(above, directory, true) ? above : above.map((layer) => this.#readmitted(layer, directory));
    const layers = [...this.#ownLayer(directory), ...inherited];
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

  #layersAbove(directory: string): readonly Layer[] {
    const above = this.#paths.path.dirname(directory);
    const isAllowed = above !== directory && this.#sandbox.roots.some(({ real }) => isInside(above, real, this.#paths));
    const isRepositoryTop = this.#withEntry(joinPath(directory, ".git", this.#paths), lookAt) !== undefined;
    return isAllowed && !isRepositoryTop ? this.#layersOf(above) : [];
  }

  #ownLayer(directory: string): Layer[] {
    const lines = this.#linesOf(joinPath(directory, ".gitignore", this.#paths));
    return lines.length === 0 ? [] : [this.#layer(directory, lines)];
  }

  #linesOf(path: string): string[] {
    if (this.#withEntry(path, lookAt) === undefined) return [];
    try {
      using file = this.#sandbox.file(path);
      const size = Number(file.stat.size);
      // A link could lead to any text inside; git does not follow one here either.
      if (file.path !== path || size > MAX_FILE_BYTES) return [];
      return safeLines(readNow(file.fd, 0, size).toString());
    } catch (error) {
      if (error instanceof DiskError) return []; // missing, hidden, or not readable
      throw error;
    }
  }

  #withEntry<T>(path: string, read: (entry: Entry) => T): T | undefined {
    try {
      using entry = this.#sandbox.entry(path, { inStoredNames: false });
      return read(entry);
    } catch (error) {
      if (error instanceof DiskError) return undefined;
      throw error;
    }
  }
}
