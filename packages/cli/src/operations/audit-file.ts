// The file of --audit: one line at a time, rotated by size. Several processes may write it.
import { closeSync, fstatSync, openSync, readdirSync, readSync, rmSync, statSync, writeSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { isInUse, systemErrorCode, systemNameCalls, type NameCalls } from "@oarlock/domain-kit";
import { StartError } from "../start/start-error.ts";

const MAX_BYTES = 10 * 1024 * 1024;
const NEWLINE = 0x0a;
/** Rotated files that are kept. */
const MAX_OLD_FILES = 5;
/** On Windows the file stays for so long without a warning, because another program may have it open for a moment. */
const MAX_IN_USE_MS = 2000;

export interface AuditFileOptions {
  readonly maxBytes?: number;
  /** Rename and link. Default: those of the system. */
  readonly calls?: NameCalls;
  warn(message: string): void;
}

export class AuditFile {
  readonly #path: string;
  readonly #maxBytes: number;
  readonly #warn: AuditFileOptions["warn"];
  readonly #calls: NameCalls;
  #rotations = 0;
  #inUseSince: number | undefined;
  #hasWarned = false;

  /** Throws a StartError when the file cannot be written. */
  constructor(path: string, { maxBytes = MAX_BYTES, calls = systemNameCalls, warn }: AuditFileOptions) {
    this.#path = path;
    this.#calls = calls;
    this.#maxBytes = maxBytes;
    this.#warn = warn;
    try {
      closeSync(openSync(path, "a", 0o600));
    } catch (error) {
      const code = systemErrorCode(error) ?? "unknown error";
      throw new StartError(
        `Audit file ${JSON.stringify(path)} cannot be written (${code}). Name a file in a writable folder with --audit.`,
        3,
      );
    }
  }

  /** Appends a line, as a rule with one write, so that lines of other processes do not mix with it. Throws what the system throws. */
  append(line: string): void {
    const size = statSync(this.#path, { throwIfNoEntry: false })?.size ?? 0;
    if (size >= this.#maxBytes) this.#tryToRotate();
    // Opened for each line: another process may have rotated the file.
    const file = openSync(this.#path, "a", 0o600);
    try {
      writeAll(file, `${endsWithinLine(this.#path) ? "\n" : ""}${line}\n`);
    } finally {
      closeSync(file);
    }
  }

  /** A line is worth more than the size of its file: it is appended also where the file stays. The next line tries again. */
  #tryToRotate(): void {
    try {
      this.#rotate();
      this.#inUseSince = undefined;
    } catch (error) {
      if (isInUse(error, this.#calls.platform) && performance.now() - (this.#inUseSince ??= performance.now()) < MAX_IN_USE_MS) return;
      const code = systemErrorCode(error) ?? "unknown error";
      if (code === "ENOENT" || this.#hasWarned) return; // another process has rotated it
      this.#hasWarned = true;
      this.#warn(
        `Audit file ${JSON.stringify(this.#path)} cannot be rotated (${code}): it grows beyond 10 MB. Give this user the right to write to its folder.`,
      );
    }
  }

  /** FILE becomes FILE.TIME; the oldest of these are removed. */
  #rotate(): void {
    const time = new Date().toISOString().replaceAll(/[:.]/g, "-");
    const count = String(this.#rotations++).padStart(4, "0");
    this.#calls.rename(this.#path, `${this.#path}.${time}-${count}-${process.pid}`);
    const prefix = `${basename(this.#path)}.`;
    const folder = dirname(this.#path);
    const old = readdirSync(folder).filter((name) => name.startsWith(prefix) && /\.\d{4}-\d\d-\d\dT[\d-]+Z-\d+-\d+$/.test(name));
    for (const name of old.sort().slice(0, -MAX_OLD_FILES)) rmSync(join(folder, name), { force: true });
  }
}

/** The system may write less than the whole text, on a full disk for example: the next write then says why. */
function writeAll(file: number, text: string): void {
  let rest = Buffer.from(text);
  while (rest.length > 0) rest = rest.subarray(writeSync(file, rest));
}

/** Whether a line before was written only in part, by this process or another one. False where the file cannot be read. */
function endsWithinLine(path: string): boolean {
  let file: number | undefined;
  try {
    file = openSync(path, "r");
    const { size } = fstatSync(file);
    const last = Buffer.alloc(1);
    return size > 0 && readSync(file, last, 0, 1, size - 1) === 1 && last[0] !== NEWLINE;
  } catch {
    return false;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
