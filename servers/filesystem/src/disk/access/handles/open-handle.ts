// The open handles that an area gives out: a regular file, and a directory.
import { closeSync, constants, type BigIntStats } from "node:fs";
import type { FileHandle, FolderHandle } from "../area.ts";
import { fromSystem } from "../../errors.ts";
import type { HandleProvider, RawHandle } from "./raw-handle.ts";
import { isProc } from "./proc-device.ts";

export class OpenFileHandle implements FileHandle {
  readonly path: string;
  readonly stat: BigIntStats;
  #held: RawHandle | undefined;
  #fd: number | undefined;

  constructor(held: RawHandle, path: string) {
    this.#held = held;
    this.path = path;
    this.stat = held.stat;
  }

  get fd(): number {
    if (this.#fd !== undefined) return this.#fd;
    if (this.#held === undefined) throw new Error("File handle is closed");
    try {
      this.#fd = this.#held.open(constants.O_RDONLY);
    } catch (error) {
      throw fromSystem(error, this.path);
    }
    return this.#fd;
  }

  [Symbol.dispose](): void {
    const [held, fd] = [this.#held, this.#fd];
    this.#held = undefined;
    this.#fd = undefined;
    held?.release();
    if (fd !== undefined) closeSync(fd);
  }
}

export class OpenFolderHandle implements FolderHandle {
  readonly path: string;
  readonly stat: BigIntStats;
  readonly self: string;
  readonly #handles: HandleProvider;
  readonly #shows: (real: string) => boolean;
  #held: RawHandle | undefined;

  constructor(held: RawHandle, path: string, handles: HandleProvider, shows: (real: string) => boolean) {
    this.#held = held;
    this.#handles = handles;
    this.#shows = shows;
    this.path = path;
    this.stat = held.stat;
    this.self = held.self;
  }

  at(name: string): string {
    return this.#open().at(checked(name));
  }

  child(name: string): FolderHandle | undefined {
    const folder = this.#open();
    const path = this.path.endsWith("/") ? this.path + checked(name) : `${this.path}/${checked(name)}`;
    if (!this.#shows(path)) return undefined;
    let held: RawHandle;
    try {
      held = this.#handles.step(folder, name);
    } catch {
      return undefined;
    }
    if (held.stat.isDirectory() && !isProc(held.stat.dev)) return new OpenFolderHandle(held, path, this.#handles, this.#shows);
    held.release();
    return undefined;
  }

  #open(): RawHandle {
    if (this.#held === undefined) throw new Error("Directory handle is closed");
    return this.#held;
  }

  [Symbol.dispose](): void {
    const held = this.#held;
    this.#held = undefined;
    held?.release();
  }
}

function checked(name: string): string {
  if (name === "" || name === "." || name === ".." || name.includes("/") || name.includes("\0"))
    throw new Error("Expected one name without slashes");
  return name;
}
