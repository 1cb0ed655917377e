// Notices that the file of a database was deleted or emptied. SQLite takes such a file for a new database, and the caller would look for
// the lost tables.
import { statSync } from "node:fs";
import { clip } from "@oarlock/domain-kit";
import { DbError } from "./errors.ts";

export interface NamedFile {
  readonly name: string;
  readonly file: string;
  /** A missing file is created. Where it is not, opening it reports the missing file. */
  readonly create: boolean;
}

export class LostContentCheck {
  readonly #named: NamedFile;
  #hadContent = false;

  constructor(named: NamedFile) {
    this.#named = named;
  }

  /** Throws a DbError while the file has lost the content that it had. */
  check(): void {
    const { name, file, create } = this.#named;
    const size = sizeOf(file);
    this.#hadContent ||= size !== undefined && size > 0;
    if (!this.#hadContent || (size === undefined ? !create : size > 0)) return;
    throw new DbError(
      "not-found",
      `${clip(name)} was deleted or emptied while the server runs. Nothing was changed. Restore its file, or restart the server to use it as it is.`,
    );
  }
}

/** Undefined for a missing file, and where a folder on its path may not be read, which opening it reports. */
function sizeOf(file: string): number | undefined {
  try {
    return statSync(file, { throwIfNoEntry: false })?.size;
  } catch {
    return undefined;
  }
}
