// The folder of notes: reads, writes and removes files in it, never outside of it. Links are neither followed nor replaced. Each folder is
// held open while it is used: where another program swaps it for a link, the link is not followed.
import { closeSync, fstatSync, lstatSync, readdirSync, readFile, readFileSync, unlinkSync, type Stats } from "node:fs";
import { lstat, opendir, realpath } from "node:fs/promises";
import { promisify } from "node:util";
import {
  HeldFolder,
  makeFolders,
  randomName,
  renameOver,
  systemErrorCode,
  systemNameCalls,
  TemporaryFile,
  type NameCalls,
} from "@oarlock/domain-kit";
import { GraphError } from "../../graph/errors.ts";

/** Larger notes are left out. */
export const MAX_NOTE_BYTES = 8 * 1024 * 1024;
/** Further notes are left out. */
const MAX_NOTES = 200_000;
const MAX_DEPTH = 20;
const TRASH = ".trash";
/** Hidden, so that Obsidian and other programs leave it out. */
const STATE_FILE = ".oarlock-notes.json";

const readDescriptor = promisify(readFile);

export interface NoteFile {
  /** Below the folder, with slashes. */
  readonly path: string;
  /** Differs when the file may have been changed. */
  readonly stamp: string;
  readonly size: number;
}

const stampOf = ({ ino, size, mtimeMs }: Stats): string => `${ino}.${size}.${mtimeMs}`;

/** A held folder, and a name in it. */
interface Place extends Disposable {
  readonly folder: HeldFolder;
  readonly name: string;
}

export class NoteFolder {
  /** With all links resolved. */
  readonly root: string;
  readonly #calls: NameCalls;

  private constructor(root: string, calls: NameCalls) {
    this.root = root;
    this.#calls = calls;
  }

  /** Creates the folder where it is missing. */
  static async open(path: string, calls: NameCalls = systemNameCalls): Promise<NoteFolder> {
    try {
      makeFolders(path, 0o700);
      const root = await realpath(path);
      HeldFolder.open(root)[Symbol.dispose]();
      return new NoteFolder(root, calls);
    } catch (error) {
      const code = systemErrorCode(error);
      if (code === "ENOTDIR") throw new GraphError("io", `${path} is not a directory. Name another folder for the notes.`);
      throw new GraphError("io", `Cannot use the folder ${path} for notes (${code ?? "unknown error"}). Name another folder.`);
    }
  }

  /** Notes by path: files that end in .md, neither hidden nor in hidden folders. */
  async notes(): Promise<Map<string, NoteFile>> {
    const found = new Map<string, NoteFile>();
    using root = HeldFolder.open(this.root);
    await this.#collect(root, "", MAX_DEPTH, found);
    return new Map([...found].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  /** All files and folders at the top, links among them: no new note may have their names. */
  names(): string[] {
    using root = HeldFolder.open(this.root);
    return readdirSync(root.self);
  }

  async #collect(folder: HeldFolder, path: string, depth: number, found: Map<string, NoteFile>): Promise<void> {
    const folders: string[] = [];
    const below = (name: string): string => (path === "" ? name : `${path}/${name}`);
    for await (const entry of await opendir(folder.self)) {
      if (entry.name.startsWith(".") || found.size >= MAX_NOTES) continue;
      if (entry.isDirectory()) folders.push(entry.name);
      else if (entry.isFile() && /\.md$/i.test(entry.name)) {
        const stat = await lstat(folder.at(entry.name)).catch(() => undefined);
        if (stat?.isFile() === true) found.set(below(entry.name), { path: below(entry.name), stamp: stampOf(stat), size: stat.size });
      }
    }
    if (depth === 0) return;
    for (const name of folders) {
      using child = childOf(folder, name);
      if (child !== undefined) await this.#collect(child, below(name), depth - 1, found);
    }
  }

  /** Throws a GraphError for a file that is too large or not UTF-8. */
  async read(path: string): Promise<string> {
    using place = this.#placeOf(path);
    const file = place.folder.openFile(place.name);
    try {
      if (fstatSync(file).size > MAX_NOTE_BYTES)
        throw new GraphError("damaged", `larger than ${MAX_NOTE_BYTES / 1024 / 1024} MB: divide it`);
      return new TextDecoder("utf-8", { fatal: true }).decode(await readDescriptor(file));
    } catch (error) {
      if (error instanceof TypeError) throw new GraphError("damaged", "not UTF-8: save it as UTF-8");
      throw error;
    } finally {
      closeSync(file);
    }
  }

  /** In one step. `stamp`: of the file that is replaced; undefined for a new one. False where another program was faster. */
  async write(path: string, text: string, stamp: string | undefined): Promise<boolean> {
    using place = this.#placeOf(path);
    using file = new TemporaryFile(place.folder, { calls: this.#calls });
    await file.write(text);
    return await file.replace(place.name, () => stampIn(place) === stamp);
  }

  /** Moves a note to the folder .trash, as Obsidian does. False where another program has changed it. */
  async remove(path: string, stamp: string): Promise<boolean> {
    using place = this.#placeOf(path);
    const isUnchanged = (): boolean => stampIn(place) === stamp;
    if (!isUnchanged()) return false;
    using root = HeldFolder.open(this.root);
    using trash = trashIn(root);
    if (trash === undefined) return false;
    const isTaken = lstatSync(trash.at(place.name), { throwIfNoEntry: false }) !== undefined;
    const free = isTaken ? `${place.name.replace(/\.md$/i, "")} ${randomName().slice(0, 8)}.md` : place.name;
    return await renameOver(place.folder.at(place.name), trash.at(free), this.#calls, isUnchanged);
  }

  /** Removes notes from the trash for good. What cannot be read stays. */
  removeFromTrash(isWanted: (name: string, text: string) => boolean): void {
    using root = HeldFolder.open(this.root);
    using trash = childOf(root, TRASH);
    if (trash === undefined) return;
    for (const name of readdirSync(trash.self)) {
      const text = /\.md$/i.test(name) ? textIn(trash, name) : undefined;
      if (text !== undefined && isWanted(name, text)) unlinkSync(trash.at(name));
    }
  }

  stampOf(path: string): string | undefined {
    using place = this.#placeOf(path);
    return stampIn(place);
  }

  /** What notes and graph last agreed on; undefined where no regular file has its name. */
  async readState(): Promise<string | undefined> {
    using root = HeldFolder.open(this.root);
    let file: number;
    try {
      file = root.openFile(STATE_FILE);
    } catch (error) {
      if (["ENOENT", "ELOOP", "EINVAL"].includes(systemErrorCode(error) ?? "")) return undefined;
      throw error;
    }
    try {
      return (await readDescriptor(file)).toString();
    } finally {
      closeSync(file);
    }
  }

  async writeState(text: string): Promise<void> {
    using root = HeldFolder.open(this.root);
    using file = new TemporaryFile(root, { calls: this.#calls });
    await file.write(text);
    await file.replace(STATE_FILE);
  }

  /** Holds the folder of a note. */
  #placeOf(path: string): Place {
    const names = path.split("/");
    const name = names.pop() ?? "";
    using root = HeldFolder.open(this.root);
    try {
      const folder = root.descend(names);
      return { folder, name, [Symbol.dispose]: () => folder[Symbol.dispose]() };
    } catch (error) {
      if (systemErrorCode(error) !== "ENOTDIR") throw error;
      throw new GraphError("io", `Note ${path} is outside of the folder of notes. Remove the link that leads there.`);
    }
  }
}

function stampIn({ folder, name }: Place): string | undefined {
  const stat = lstatSync(folder.at(name), { throwIfNoEntry: false });
  return stat && stampOf(stat);
}

/** Undefined where it has become something else since the folder was listed. */
function childOf(folder: HeldFolder, name: string): HeldFolder | undefined {
  try {
    return folder.child(name);
  } catch (error) {
    if (systemErrorCode(error) === undefined) throw error;
    return undefined;
  }
}

function textIn(folder: HeldFolder, name: string): string | undefined {
  try {
    const file = folder.openFile(name);
    try {
      return fstatSync(file).size > MAX_NOTE_BYTES ? undefined : readFileSync(file, "utf8");
    } finally {
      closeSync(file);
    }
  } catch (error) {
    if (systemErrorCode(error) === undefined) throw error;
    return undefined;
  }
}

/** Undefined where a file or a link has the name of the trash. */
function trashIn(root: HeldFolder): HeldFolder | undefined {
  makeFolders(root.at(TRASH), 0o700);
  return childOf(root, TRASH);
}
