// Saves lines that another program appends to the old JSONL file just after a new one has taken its name: they are appended to the new file.
import { closeSync, constants, fstatSync, readSync } from "node:fs";
import { platform } from "../../platform.ts";
import { openMemoryFile } from "../memory-files.ts";
import { appendTo } from "./mirror-file.ts";

/** A larger addition is not a line that a program appended. */
const MAX_BYTES = 16 * 1024 * 1024;

export class LateAppends {
  readonly #path: string;
  readonly #canKeep: boolean;
  #oldFile: { readonly fd: number; readonly size: number } | undefined;

  constructor(path: string, system: NodeJS.Platform = platform) {
    this.#path = path;
    // On Windows a file that is open cannot be replaced.
    this.#canKeep = system !== "win32";
  }

  /** Keeps the present file open; must be called before another file takes its name. */
  keepOldFile(): void {
    this.recover();
    if (!this.#canKeep) return;
    const fd = openMemoryFile(this.#path, constants.O_RDONLY);
    try {
      this.#oldFile = { fd, size: fstatSync(fd).size };
    } catch (error) {
      closeSync(fd);
      throw error;
    }
  }

  /** Appends to the new file what the old one has got since, and closes the old one. */
  recover(): void {
    if (this.#oldFile === undefined) return;
    const { fd, size } = this.#oldFile;
    this.#oldFile = undefined;
    try {
      const added = fstatSync(fd).size - size;
      if (added <= 0 || added > MAX_BYTES) return;
      const bytes = Buffer.alloc(added);
      appendTo(this.#path, bytes.subarray(0, readSync(fd, bytes, 0, added, size)), { creates: false });
    } finally {
      closeSync(fd);
    }
  }
}
