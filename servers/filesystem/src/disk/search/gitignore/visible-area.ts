// An area as one who keeps to .gitignore sees it: what git would not list is not there. For walks and searches only. The rules of
// a directory come after those of the directories above it, up to the top of its repository or the allowed directory. Whether
// there is a repository does not matter. A directory that is itself ignored is looked through when it is asked for by name.
import type { Ignore } from "ignore";
import type { Area, Entry, FileHandle, FolderHandle, Look, Root } from "../../access/area.ts";
import { DiskError } from "../../errors.ts";
import { safeLines } from "./rule-lines.ts";
import { readNow } from "../../read/byte-reader.ts";
import { lookAt } from "../../write/write-target.ts";

type Make = () => Ignore;

/** A list of rules larger than this is not read. */
const MOST_BYTES = 256 * 1024;

/** `area` without what .gitignore leaves out at and below the directory `path`. */
export async function withoutIgnored(area: Area, path: string): Promise<Area> {
  // Some milliseconds that most sessions never need.
  const { default: ignore } = await import("ignore");
  using start = area.folder(path);
  return new VisibleArea(area, start.path, () => ignore({ ignorecase: process.platform !== "linux" }));
}

/** Rules, and the directory that they are for. */
interface Layer {
  readonly folder: string;
  readonly lines: readonly string[];
  readonly rules: Ignore;
}

class VisibleArea implements Area {
  readonly roots: readonly Root[];
  readonly hides = true;
  readonly refusesHardLinks: boolean;
  readonly #area: Area;
  readonly #start: string;
  readonly #make: Make;
  /** Innermost first. */
  readonly #layers = new Map<string, readonly Layer[]>();

  constructor(area: Area, start: string, make: Make) {
    this.#area = area;
    this.roots = area.roots;
    this.refusesHardLinks = area.refusesHardLinks;
    this.#start = start;
    this.#make = make;
    const above = this.#above(start);
    if (above.length > 0 && isIgnored(above, start, true)) this.#layers.set(start, this.#own(start));
  }

  readonly shows = (real: string): boolean => this.#area.shows(real) && !this.#ignores(real);

  narrowed(folders: readonly string[] | undefined): Area {
    return this.#area.narrowed(folders);
  }

  file(path: string): FileHandle {
    return this.#area.file(path);
  }

  folder(path: string): FolderHandle {
    return this.#area.folder(path);
  }

  look(path: string): Look {
    return this.#area.look(path);
  }

  entry(path: string): Entry {
    return this.#area.entry(path);
  }

  mustBeWritable(real: string): void {
    this.#area.mustBeWritable(real);
  }

  #ignores(real: string): boolean {
    if (real === this.#start) return false;
    const { folder, name } = split(real);
    if (name === ".git") return true;
    const layers = this.#of(folder);
    if (layers.length === 0) return false;
    const asFile = isIgnored(layers, real, false);
    // Few rules are about directories only, so few entries are looked at.
    return asFile === isIgnored(layers, real, true) ? asFile : asFile !== this.#isFolder(real);
  }

  #isFolder(real: string): boolean {
    return this.#at(real, (entry) => lookAt(entry)?.isDirectory() === true) ?? false;
  }

  #of(folder: string): readonly Layer[] {
    const known = this.#layers.get(folder);
    if (known !== undefined) return known;
    const above = this.#above(folder);
    const inside = isIgnored(above, folder, true) ? above : above.map((layer) => this.#into(layer, folder));
    const layers = [...this.#own(folder), ...inside];
    this.#layers.set(folder, layers);
    return layers;
  }

  /** What a list leaves out and one further down takes back is to be looked through: then the first is right about what lies in it. */
  #into(layer: Layer, folder: string): Layer {
    const below = belowOf(layer, folder);
    if (!layer.rules.test(`${below}/`).ignored) return layer;
    return this.#layer(layer.folder, [...layer.lines, `!/${below.replace(/[\\*?[\]! #]/g, "\\$&")}/`]);
  }

  #layer(folder: string, lines: readonly string[]): Layer {
    return { folder, lines, rules: this.#make().add(lines) };
  }

  #above(folder: string): readonly Layer[] {
    const isTop = this.roots.some(({ real }) => real === folder) || this.#at(`${folder}/.git`, lookAt) !== undefined;
    return isTop || folder === "/" ? [] : this.#of(split(folder).folder);
  }

  #own(folder: string): Layer[] {
    const lines = this.#lines(folder === "/" ? "/.gitignore" : `${folder}/.gitignore`);
    return lines.length === 0 ? [] : [this.#layer(folder, lines)];
  }

  #lines(path: string): string[] {
    if (this.#at(path, lookAt) === undefined) return [];
    try {
      using file = this.#area.file(path);
      const size = Number(file.stat.size);
      return size > MOST_BYTES ? [] : safeLines(readNow(file.fd, 0, size).toString(), this.#make);
    } catch (error) {
      if (error instanceof DiskError) return []; // there is none, or none that may be read
      throw error;
    }
  }

  #at<T>(path: string, look: (entry: Entry) => T): T | undefined {
    try {
      using entry = this.#area.entry(path);
      return look(entry);
    } catch (error) {
      if (error instanceof DiskError) return undefined;
      throw error;
    }
  }
}

/** The innermost rule that says something decides. */
function isIgnored(layers: readonly Layer[], real: string, isFolder: boolean): boolean {
  for (const layer of layers) {
    const below = belowOf(layer, real);
    const { ignored, unignored } = layer.rules.test(isFolder ? `${below}/` : below);
    if (ignored || unignored) return ignored;
  }
  return false;
}

const belowOf = ({ folder }: Layer, real: string): string => real.slice(folder === "/" ? 1 : folder.length + 1);

function split(path: string): { folder: string; name: string } {
  const cut = path.lastIndexOf("/");
  return { folder: path.slice(0, Math.max(cut, 1)), name: path.slice(cut + 1) };
}
