// The JSONL file on the disk. Its folder is held open for each use and no link is followed: the links of its path were resolved at the start, and
// one that is there now was put there since.
import { closeSync, constants, fstatSync, fsyncSync, readdirSync, rmSync, writeSync } from "node:fs";
import { basename } from "node:path";
import { systemErrorCode, TemporaryFile, type HeldFolder, type NameCalls } from "@oarlock/domain-kit";
import { holdFolderOf, openMemoryFile } from "../memory-files.ts";
import { toFileVersion, type FileVersion } from "./file-version.ts";

const OWN_NAME = /\.oarlock-(\d+)-[0-9a-z]+\.tmp$/;

/**
 * Appends to the file, which is on the disk afterwards. `creates`: also where there is none yet. Throws a GraphError where a link or anything
 * else has its name.
 */
export function appendTo(path: string, bytes: Uint8Array, { creates }: { readonly creates: boolean }): void {
  const file = openMemoryFile(path, constants.O_APPEND | constants.O_WRONLY | (creates ? constants.O_CREAT : 0));
  try {
    for (let done = 0; done < bytes.length;) done += writeSync(file, bytes, done);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** A new version of a file, written to the disk beside it. `using` removes it where it has not taken the place of the file. */
export class NewVersion implements Disposable {
  readonly #folder: HeldFolder;
  readonly #file: TemporaryFile;
  readonly #name: string;

  /** The name tells the process, so that the file is removed when that has ended. */
  private constructor(path: string, calls: NameCalls | undefined) {
    this.#folder = holdFolderOf(path);
    this.#name = basename(path);
    const prefix = `${this.#name}.oarlock-${process.pid}-`;
    this.#file = new TemporaryFile(this.#folder, { prefix, ...(calls !== undefined && { calls }) });
  }

  /** @param path With the links of its folder resolved. */
  static async write(
    path: string,
    pieces: Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>,
    calls?: NameCalls,
  ): Promise<NewVersion> {
    const version = new NewVersion(path, calls);
    try {
      for await (const piece of pieces) await version.#file.write(piece);
      await version.#file.sync();
      return version;
    } catch (error) {
      version[Symbol.dispose]();
      throw error;
    }
  }

  get version(): FileVersion {
    return toFileVersion(fstatSync(this.#file.fd, { bigint: true }));
  }

  async takePlace(): Promise<void> {
    await this.#file.replace(this.#name);
  }

  /** For transactions, which cannot wait: on Windows it throws while another program has the file open (`isInUse`). */
  takePlaceNow(): void {
    this.#file.replaceNow(this.#name);
  }

  [Symbol.dispose](): void {
    this.#file[Symbol.dispose]();
    this.#folder[Symbol.dispose]();
  }
}

/** Removes temporary files of processes that have ended. Returns the names of temporary files of other programs, which stay. */
export function removeTemporaryFiles(path: string): string[] {
  using folder = holdFolderOf(path);
  const files = readdirSync(folder.self, { withFileTypes: true }).filter((entry) => entry.isFile());
  const names = files.map(({ name }) => name).filter((name) => name.startsWith(`${basename(path)}.`) && name.endsWith(".tmp"));
  return names.filter((name) => {
    const [, pid] = OWN_NAME.exec(name) ?? [];
    if (pid === undefined) return true;
    if (!isRunning(Number(pid))) rmSync(folder.at(name), { force: true });
    return false;
  });
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return systemErrorCode(error) === "EPERM";
  }
}
