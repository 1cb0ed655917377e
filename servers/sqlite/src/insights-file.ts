// The file of insights. The folder is held open for each use, no link in it is followed and no pipe waited for: the links of the operator's path
// were resolved at the start, and one that is there now was put there since.
import { closeSync, constants, fstatSync, lstatSync, readFileSync, readSync, realpathSync, writeSync, type Stats } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, join } from "node:path";
import { HeldFolder, makeFolders, openRegularFile, reportChange, userFolder } from "@oarlock/domain-kit";
import { platform } from "./platform.ts";

export const MAX_FILE_BYTES = 8_000_000;

/** The default file for the insights into these databases. */
export function insightsFile(databaseFiles: readonly string[]): string {
  // Loaded on first use: an import of node:crypto takes 4 ms of the server's start.
  const { createHash } = process.getBuiltinModule("node:crypto");
  const name = createHash("sha256").update(JSON.stringify(databaseFiles.toSorted())).digest("hex").slice(0, 32);
  return join(userFolder("state", { platform, env: process.env, home: homedir }), "oarlock", "sqlite", `${name}.insights.jsonl`);
}

export class InsightsFile {
  readonly #path: string;
  readonly #name: string;
  /** The real path of the folder, once there is one. */
  #folder: string | undefined;

  constructor(path: string) {
    this.#path = path;
    this.#name = basename(path);
  }

  /** Another one after each change. Empty where the file is missing or cannot be used. */
  get stamp(): string {
    const stat = this.#stat();
    return stat === undefined ? "" : `${stat.mtimeMs} ${stat.size}`;
  }

  /** 0 where the file is missing or cannot be used. */
  get bytes(): number {
    return this.#stat()?.size ?? 0;
  }

  /** Returns whether the line is in the file. */
  append(line: Buffer): boolean {
    try {
      makeFolders(dirname(this.#path), 0o700);
      reportChange([this.#path]);
      using folder = this.#hold();
      const descriptor = openRegularFile(folder.at(this.#name), constants.O_RDWR | constants.O_APPEND | constants.O_CREAT);
      try {
        // An editor or a full disk may have left the last line without its end; this line must not become a part of it.
        const bytes = lacksLineEnd(descriptor) ? Buffer.concat([Buffer.from("\n"), line]) : line;
        return writeSync(descriptor, bytes) === bytes.length;
      } finally {
        closeSync(descriptor);
      }
    } catch {
      return false;
    }
  }

  /** Lines of text. None where the file is missing, too large, or cannot be used. */
  lines(): string[] {
    try {
      using folder = this.#hold();
      const descriptor = folder.openFile(this.#name);
      try {
        return fstatSync(descriptor).size > MAX_FILE_BYTES ? [] : readFileSync(descriptor, "utf8").split("\n");
      } finally {
        closeSync(descriptor);
      }
    } catch {
      return [];
    }
  }

  #stat(): Stats | undefined {
    try {
      using folder = this.#hold();
      const stat = lstatSync(folder.at(this.#name), { throwIfNoEntry: false });
      return stat?.isFile() === true ? stat : undefined;
    } catch {
      return undefined; // its folder is missing, or may not be read now
    }
  }

  #hold(): HeldFolder {
    this.#folder ??= realpathSync(dirname(this.#path));
    return HeldFolder.open(this.#folder);
  }
}

function lacksLineEnd(descriptor: number): boolean {
  const { size } = fstatSync(descriptor);
  const last = Buffer.alloc(1);
  return size > 0 && readSync(descriptor, last, 0, 1, size - 1) === 1 && last.toString() !== "\n";
}
