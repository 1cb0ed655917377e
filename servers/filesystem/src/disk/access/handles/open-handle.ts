// The open handles that a sandbox gives out: a regular file, and a directory.
import { chmodSync, closeSync, constants, fstatSync, type BigIntStats } from "node:fs";
import { clip, ReplacedError, type HandleProvider, type RawHandle } from "@oarlock/domain-kit";
import type { FileHandle, FileRules, FolderHandle } from "../sandbox.ts";
import { DiskError, fromSystem, requireTrustedOwner } from "../../errors.ts";
import { joinPath } from "../path-syntax.ts";
import type { Resolved } from "../path-traversal.ts";
import { isProc } from "./proc-device.ts";

class OpenFileHandle implements FileHandle {
  readonly path: string;
  readonly stat: BigIntStats;
  readonly #isLockedDown: boolean;
  #handle: RawHandle | undefined;
  #fd: number | undefined;

  constructor(handle: RawHandle, path: string, isLockedDown: boolean) {
    this.#isLockedDown = isLockedDown;
    this.#handle = handle;
    this.path = path;
    this.stat = handle.stat;
  }

  get fd(): number {
    if (this.#fd !== undefined) return this.#fd;
    if (this.#handle === undefined) throw new Error("File handle is closed");
    try {
      this.#fd = this.#openToRead(this.#handle);
    } catch (error) {
      throw fromSystem(error, this.path);
    }
    return this.#fd;
  }

  /** The only way to the content of a file: what is judged is the file that was opened, whatever links led to it. */
  #openToRead(handle: RawHandle): number {
    const fd = handle.open(constants.O_RDONLY);
    try {
      if (this.#isLockedDown) requireTrustedOwner(fstatSync(fd), this.path);
      return fd;
    } catch (error) {
      closeSync(fd);
      throw error;
    }
  }

  openToAppend(): number {
    if (this.#handle === undefined) throw new Error("File handle is closed");
    return this.#handle.open(constants.O_WRONLY | constants.O_APPEND);
  }

  changeMode(mode: number): void {
    if (this.#handle === undefined) throw new Error("File handle is closed");
    if (!this.#handle.isInPlace()) throw new ReplacedError();
    chmodSync(this.#handle.self, mode);
  }

  [Symbol.dispose](): void {
    const [handle, fd] = [this.#handle, this.#fd];
    this.#handle = undefined;
    this.#fd = undefined;
    handle?.release();
    if (fd !== undefined) closeSync(fd);
  }
}

/** The open file behind a handle. Releases it and throws for anything else; `given` is the path as the caller spelled it. */
export function regularFile({ handle, path }: Resolved, given: string, { refuseHardLinks, lockdown }: FileRules): FileHandle {
  const { stat } = handle;
  if (stat.isFile() && (!refuseHardLinks || stat.nlink === 1n)) return new OpenFileHandle(handle, path, lockdown);
  handle.release();
  if (stat.isFile()) throw new DiskError("denied", `File has several names (hard links), which this server refuses: ${clip(given)}`);
  if (stat.isDirectory()) throw new DiskError("not-a-file", `Expected a file, but this is a directory: ${clip(given)}`);
  throw new DiskError("not-a-file", `Not a regular file: ${clip(given)}`);
}

type FolderRules = Pick<FileRules, "lockdown"> & { readonly handles: HandleProvider };

export class OpenFolderHandle implements FolderHandle {
  readonly path: string;
  readonly stat: BigIntStats;
  readonly self: string;
  readonly #rules: FolderRules;
  readonly #shows: (real: string) => boolean;
  #handle: RawHandle | undefined;

  constructor(handle: RawHandle, path: string, rules: FolderRules, shows: (real: string) => boolean) {
    this.#handle = handle;
    this.#rules = rules;
    this.#shows = shows;
    this.path = path;
    this.stat = handle.stat;
    this.self = handle.self;
  }

  at(name: string): string {
    return this.#open().at(checked(name));
  }

  child(name: string): FolderHandle | undefined {
    const path = joinPath(this.path, checked(name));
    if (!this.#shows(path)) return undefined;
    let handle: RawHandle;
    try {
      handle = this.step(name);
    } catch {
      return undefined;
    }
    if (handle.stat.isDirectory() && !isProc(handle.stat.dev)) return new OpenFolderHandle(handle, path, this.#rules, this.#shows);
    handle.release();
    return undefined;
  }

  step(name: string): RawHandle {
    return this.#rules.handles.step(this.#open(), checked(name));
  }

  checkOwner(name: string, stat: BigIntStats): void {
    if (this.#rules.lockdown) requireTrustedOwner(stat, joinPath(this.path, name));
  }

  #open(): RawHandle {
    if (this.#handle === undefined) throw new Error("Directory handle is closed");
    return this.#handle;
  }

  [Symbol.dispose](): void {
    const handle = this.#handle;
    this.#handle = undefined;
    handle?.release();
  }
}

function checked(name: string): string {
  if (name === "" || name === "." || name === ".." || name.includes("/") || name.includes("\0"))
    throw new Error("Expected one name without slashes");
  return name;
}
