// Temporary files: new content is written to a file with a random name in the same folder and synced; then that file is renamed to its final
// name, replacing the old file in one step. The name cannot be guessed and must be free (O_EXCL), so no other program can plant a file or link there.
import { closeSync, fsync, mkdtempSync, rmSync, unlinkSync, write } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { systemErrorCode } from "../domain-error.ts";
import { takeFreeName } from "./free-name.ts";
import { createNewFile, randomName } from "./new-file.ts";
import { renameOver, systemNameCalls, type NameCalls } from "./rename-over.ts";

const writeOnce = promisify(write);
const sync = promisify(fsync);

/** Takes the path of an entry: a held folder. */
export interface EntryPaths {
  at(name: string): string;
}

export interface TemporaryFileOptions {
  /** Permissions, before the umask. Default 0o600. */
  readonly mode?: number;
  /** What the name begins with. Default ".oarlock-". */
  readonly prefix?: string;
  /** Rename and link. Default: those of the system. */
  readonly calls?: NameCalls;
}

/**
 * A random name in a folder, for a file that gets another name when it is complete. `using` removes the file where it has not got one. The
 * file itself may be created by another process.
 */
export class TemporaryName implements Disposable {
  readonly name: string;
  readonly #folder: EntryPaths;
  readonly #calls: NameCalls;
  #isTaken = false;

  constructor(folder: EntryPaths, { prefix = ".oarlock-", calls = systemNameCalls }: Omit<TemporaryFileOptions, "mode"> = {}) {
    this.#folder = folder;
    this.#calls = calls;
    this.name = `${prefix}${randomName()}.tmp`;
  }

  /** Takes the name of a file in the same folder, and replaces what has it. `mayReplace`: as in `renameOver`. */
  async replace(name: string, mayReplace?: () => boolean): Promise<boolean> {
    this.#isTaken = await renameOver(this.#folder.at(this.name), this.#folder.at(name), this.#calls, mayReplace);
    return this.#isTaken;
  }

  /** As `replace`, for callers that cannot wait: on Windows it throws while another program has the file open (`isInUse`). */
  replaceNow(name: string): void {
    this.#calls.rename(this.#folder.at(this.name), this.#folder.at(name));
    this.#isTaken = true;
  }

  /** Takes a name that is free. Throws EEXIST where it is not. */
  async takeName(name: string): Promise<void> {
    const taken = await takeFreeName(this.#folder.at(this.name), this.#folder.at(name), this.#calls);
    this.#isTaken = taken === "renamed";
  }

  [Symbol.dispose](): void {
    if (this.#isTaken) return;
    try {
      unlinkSync(this.#folder.at(this.name));
    } catch (error) {
      // Never created, removed already, or the folder is not writable any more.
      if (systemErrorCode(error) === undefined) throw error;
    }
  }
}

/** A new, open file with a {@link TemporaryName}. `using` closes it too. */
export class TemporaryFile extends TemporaryName {
  readonly fd: number;
  #isOpen = true;

  /** Throws what the system reports. */
  constructor(folder: EntryPaths, { mode = 0o600, ...options }: TemporaryFileOptions = {}) {
    super(folder, options);
    this.fd = createNewFile(folder.at(this.name), mode);
  }

  /** Appends. */
  async write(data: string | Uint8Array): Promise<void> {
    const bytes = typeof data === "string" ? Buffer.from(data) : data;
    for (let done = 0; done < bytes.length;) done += (await writeOnce(this.fd, bytes, done)).bytesWritten;
  }

  /** Without it the file could be empty after a power failure, though it has taken its name. */
  async sync(): Promise<void> {
    await sync(this.fd);
  }

  /** Closes the file, which keeps its temporary name. */
  close(): void {
    if (this.#isOpen) closeSync(this.fd);
    this.#isOpen = false;
  }

  override [Symbol.dispose](): void {
    this.close();
    super[Symbol.dispose]();
  }
}

/** A new folder that only this user may enter, for files that must be named by a path. `using` removes it with all that is in it. */
export class TemporaryFolder implements Disposable {
  readonly path: string;

  /** Throws what the system reports. */
  constructor(parent: string) {
    this.path = mkdtempSync(join(parent, "oarlock-"));
  }

  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}
