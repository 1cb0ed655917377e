// Folders that are held open, so the checked folder is the one that is used. Entries are reached from the held folder: a folder on the
// way that another program swaps for a link leads nowhere else. Handles of Linux make that exact; see portable-handle.ts for other systems.
import { constants, type BigIntStats } from "node:fs";
import { parse, sep } from "node:path";
import { canUseLinuxHandles, linuxHandles } from "./linux-handle.ts";
import { portableHandles } from "./portable-handle.ts";
import type { HandleProvider, RawHandle } from "./raw-handle.ts";
import { notAFolder, ReplacedError } from "./replaced-error.ts";

/** A folder as another process may open it again: by its path, and only if it is the same one. */
export interface FolderReference {
  readonly path: string;
  /** Device and inode in decimal digits. */
  readonly dev: string;
  readonly ino: string;
}

const systemHandles = (): HandleProvider => (canUseLinuxHandles() ? linuxHandles : portableHandles);

/** An open folder. Close it with `using`. */
export class HeldFolder implements Disposable {
  /** The real path, for messages and notifications; never for opening. */
  readonly path: string;
  readonly #handles: HandleProvider;
  #handle: RawHandle | undefined;

  private constructor(path: string, handle: RawHandle, handles: HandleProvider) {
    this.path = path;
    this.#handle = handle;
    this.#handles = handles;
  }

  /**
   * Holds the folder at a real path, as `realpath` gives it. No link on the way is followed: one that is there now was put there since.
   * Throws what the system reports, which is ENOTDIR for a link.
   */
  static open(realPath: string, handles: HandleProvider = systemHandles()): HeldFolder {
    const { root } = parse(realPath);
    const top = new HeldFolder(root, handles.base(root), handles);
    const names = realPath.slice(root.length).split(sep);
    return names.some((name) => name !== "") ? closing(top, () => top.descend(names)) : top;
  }

  /** Holds the folder that another process refers to. Throws a {@link ReplacedError} where its path leads to another one. */
  static reopen({ path, dev, ino }: FolderReference): HeldFolder {
    const folder = HeldFolder.open(path);
    const { reference } = folder;
    if (reference.dev === dev && reference.ino === ino) return folder;
    folder[Symbol.dispose]();
    throw new ReplacedError();
  }

  get reference(): FolderReference {
    const { dev, ino } = this.#open().stat;
    return { path: this.path, dev: String(dev), ino: String(ino) };
  }

  /** A path for calls on the folder itself (readdir), valid while it is held. */
  get self(): string {
    return this.#inPlace().self;
  }

  /** A path for calls on one entry, valid while the folder is held. The call must not follow a link there (lstat, rename, O_NOFOLLOW). */
  at(name: string): string {
    return this.#inPlace().at(checked(name));
  }

  /** Holds the folder with this name. Throws what the system reports, which is ENOTDIR for a link. */
  child(name: string): HeldFolder {
    const handle = this.#handles.enter(this.#open(), checked(name));
    return new HeldFolder(this.path.endsWith(sep) ? this.path + name : this.path + sep + name, handle, this.#handles);
  }

  /** Holds the folder below these names, or this one again if there are none. Empty names do not count. */
  descend(names: readonly string[]): HeldFolder {
    let folder: HeldFolder | undefined;
    for (const name of names) {
      if (name === "") continue;
      const above = folder;
      folder = above === undefined ? this.child(name) : closing(above, () => above.child(name));
    }
    return folder ?? new HeldFolder(this.path, this.#handles.enter(this.#open(), "."), this.#handles);
  }

  /**
   * Opens a regular file for reading, neither through a link (ELOOP) nor waiting for a pipe (EINVAL). The caller closes the descriptor.
   * @param check Called before the file is opened; what it throws refuses the file.
   */
  openFile(name: string, check?: (stat: BigIntStats) => void): number {
    const handle = this.#handles.step(this.#open(), checked(name));
    try {
      check?.(handle.stat);
      if (handle.stat.isFile()) return handle.open(constants.O_RDONLY);
      throw Object.assign(new Error(`not a regular file: ${name}`), { code: handle.stat.isSymbolicLink() ? "ELOOP" : "EINVAL" });
    } finally {
      handle.release();
    }
  }

  #open(): RawHandle {
    if (this.#handle === undefined) throw new Error("Folder is closed");
    return this.#handle;
  }

  #inPlace(): RawHandle {
    const handle = this.#open();
    if (!handle.isInPlace()) throw notAFolder(this.path);
    return handle;
  }

  [Symbol.dispose](): void {
    const handle = this.#handle;
    this.#handle = undefined;
    handle?.release();
  }
}

/** Runs `act`, then closes the folder. */
function closing(folder: HeldFolder, act: () => HeldFolder): HeldFolder {
  try {
    return act();
  } finally {
    folder[Symbol.dispose]();
  }
}

/** Throws for what is not the name of one entry. */
function checked(name: string): string {
  if (name === "" || name === "." || name === ".." || name.includes("/") || name.includes(sep) || name.includes("\0"))
    throw new Error("Expected one name without slashes");
  return name;
}
