// The file of --audit: one line at a time, rotated by size. Several processes may write it.
import { closeSync, fstatSync, openSync, readdirSync, renameSync, rmSync, statSync, writeSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { StartError } from "../start/start-error.ts";

const MAX_BYTES = 10 * 1024 * 1024;
/** Rotated files that are kept. */
const MAX_OLD_FILES = 5;

export class AuditFile {
  readonly #path: string;
  readonly #maxBytes: number;
  #rotations = 0;

  /** Throws a StartError when the file cannot be written. */
  constructor(path: string, maxBytes = MAX_BYTES) {
    this.#path = path;
    this.#maxBytes = maxBytes;
    try {
      closeSync(openSync(path, "a", 0o600));
    } catch (error) {
      const code = error instanceof Error && "code" in error ? String(error.code) : "unknown error";
      throw new StartError(
        `Audit file ${JSON.stringify(path)} cannot be written (${code}). Name a file in a writable folder with --audit.`,
        3,
      );
    }
  }

  /** Appends a line with one write, so that lines of other processes do not mix with it. Throws what the system throws. */
  append(line: string): void {
    if (this.#isFull()) this.#rotate();
    // Opened for each line: another process may have rotated the file.
    const file = openSync(this.#path, "a", 0o600);
    try {
      writeSync(file, `${line}\n`);
    } finally {
      closeSync(file);
    }
  }

  #isFull(): boolean {
    return (statSync(this.#path, { throwIfNoEntry: false })?.size ?? 0) >= this.#maxBytes;
  }

  /** FILE becomes FILE.TIME; the oldest of these are removed. */
  #rotate(): void {
    const time = new Date().toISOString().replaceAll(/[:.]/g, "-");
    const count = String(this.#rotations++).padStart(4, "0");
    renameSync(this.#path, `${this.#path}.${time}-${count}-${process.pid}`);
    const prefix = `${basename(this.#path)}.`;
    const folder = dirname(this.#path);
    const old = readdirSync(folder).filter((name) => name.startsWith(prefix) && /\.\d{4}-\d\d-\d\dT[\d-]+Z-\d+-\d+$/.test(name));
    for (const name of old.sort().slice(0, -MAX_OLD_FILES)) rmSync(join(folder, name), { force: true });
  }
}

/** Whether only the owner can read the file: an older one keeps its mode. */
export function isPrivate(path: string): boolean {
  if (process.platform === "win32") return true;
  const file = openSync(path, "r");
  try {
    return (fstatSync(file).mode & 0o077) === 0;
  } finally {
    closeSync(file);
  }
}
