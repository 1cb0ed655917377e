// The folder of notes: reads, writes and removes files in it, never outside of it. Links are neither followed nor replaced.
import { randomUUID } from "node:crypto";
import { constants, type Stats } from "node:fs";
import { lstat, open, opendir, readdir, realpath, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join, sep } from "node:path";
import { makeFolders, systemErrorCode } from "@oarlock/domain-kit";
import { GraphError } from "../errors.ts";

/** Larger notes are left out. */
export const MAX_NOTE_BYTES = 8 * 1024 * 1024;
/** Further notes are left out. */
const MAX_NOTES = 200_000;
const MAX_DEPTH = 20;
const TRASH = ".trash";

export interface NoteFile {
  /** Below the folder, with slashes. */
  readonly path: string;
  /** Differs when the file may have been changed. */
  readonly stamp: string;
  readonly size: number;
}

const stampOf = ({ ino, size, mtimeMs }: Stats): string => `${ino}.${size}.${mtimeMs}`;

export class NoteFolder {
  /** With all links resolved. */
  readonly root: string;

  private constructor(root: string) {
    this.root = root;
  }

  /** Creates the folder where it is missing. */
  static async open(path: string): Promise<NoteFolder> {
    try {
      makeFolders(path, 0o700);
      const root = await realpath(path);
      if (!(await lstat(root)).isDirectory()) throw new GraphError("io", `${path} is not a directory. Name another folder for the notes.`);
      return new NoteFolder(root);
    } catch (error) {
      if (error instanceof GraphError) throw error;
      throw new GraphError(
        "io",
        `Cannot use the folder ${path} for notes (${systemErrorCode(error) ?? "unknown error"}). Name another folder.`,
      );
    }
  }

  /** Notes by path: files that end in .md, neither hidden nor in hidden folders. */
  async notes(): Promise<Map<string, NoteFile>> {
    const found = new Map<string, NoteFile>();
    await this.#collect("", MAX_DEPTH, found);
    return new Map([...found].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  /** All files and folders at the top, links among them: no new note may have their names. */
  async names(): Promise<string[]> {
    return await readdir(this.root);
  }

  async #collect(folder: string, depth: number, found: Map<string, NoteFile>): Promise<void> {
    const folders: string[] = [];
    for await (const entry of await opendir(join(this.root, folder))) {
      if (entry.name.startsWith(".") || found.size >= MAX_NOTES) continue;
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) folders.push(path);
      else if (entry.isFile() && /\.md$/i.test(entry.name)) {
        const stat = await lstat(join(this.root, path)).catch(() => undefined);
        if (stat?.isFile() === true) found.set(path, { path, stamp: stampOf(stat), size: stat.size });
      }
    }
    if (depth === 0) return;
    for (const path of folders) await this.#collect(path, depth - 1, found);
  }

  /** Throws a GraphError for a file that is too large or not UTF-8. */
  async read(path: string): Promise<string> {
    await this.#checkFolder(path);
    const file = await open(join(this.root, path), constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
    try {
      const { size } = await file.stat();
      if (size > MAX_NOTE_BYTES) throw new GraphError("damaged", `larger than ${MAX_NOTE_BYTES / 1024 / 1024} MB: divide it`);
      return new TextDecoder("utf-8", { fatal: true }).decode(await file.readFile());
    } catch (error) {
      if (error instanceof TypeError) throw new GraphError("damaged", "not UTF-8: save it as UTF-8");
      throw error;
    } finally {
      await file.close();
    }
  }

  /** In one step. `stamp`: of the file that is replaced; undefined for a new one. False where another program was faster. */
  async write(path: string, text: string, stamp: string | undefined): Promise<boolean> {
    await this.#checkFolder(path);
    const temporary = join(dirname(join(this.root, path)), `.oarlock-${randomUUID()}.tmp`);
    await writeFile(temporary, text, { flag: "wx", mode: 0o600 });
    try {
      if ((await this.stampOf(path)) !== stamp) return false;
      await rename(temporary, join(this.root, path));
      return true;
    } finally {
      await rm(temporary, { force: true });
    }
  }

  /** Moves a note to the folder .trash, as Obsidian does. False where another program has changed it. */
  async remove(path: string, stamp: string): Promise<boolean> {
    await this.#checkFolder(path);
    if ((await this.stampOf(path)) !== stamp) return false;
    makeFolders(join(this.root, TRASH), 0o700);
    const trash = await lstat(join(this.root, TRASH));
    if (!trash.isDirectory()) return false;
    const name = path.replace(/^.*\//, "");
    const isTaken = (await lstat(join(this.root, TRASH, name)).catch(() => undefined)) !== undefined;
    const free = isTaken ? `${name.replace(/\.md$/i, "")} ${randomUUID().slice(0, 8)}.md` : name;
    await rename(join(this.root, path), join(this.root, TRASH, free));
    return true;
  }

  async stampOf(path: string): Promise<string | undefined> {
    try {
      return stampOf(await lstat(join(this.root, path)));
    } catch (error) {
      if (systemErrorCode(error) === "ENOENT") return undefined;
      throw error;
    }
  }

  /** A folder on the way may have become a link to elsewhere. */
  async #checkFolder(path: string): Promise<void> {
    const folder = await realpath(dirname(join(this.root, path)));
    if (folder !== this.root && !folder.startsWith(this.root + sep))
      throw new GraphError("io", `Note ${path} is outside of the folder of notes. Remove the link that leads there.`);
  }
}
