// The metadata of entries that were copied to another file system, as it was at that moment: a move then removes only those entries,
// and nothing that another program has added or changed since, because no copy of that exists.
import type { BigIntStats } from "node:fs";
import { clip } from "@oarlock/domain-kit";
import { DiskError } from "../errors.ts";

export class CopiedMetadata {
  readonly #marks = new Map<string, string>();

  /** Called before an entry is copied. */
  note(path: string, stat: BigIntStats): void {
    this.#marks.set(path, markOf(stat));
  }

  /** Called before an entry is removed; throws where it is not the entry that was copied. */
  mustBe(path: string, stat: BigIntStats | undefined): void {
    if (stat !== undefined && this.#marks.get(path) === markOf(stat)) return;
    throw this.changed(path);
  }

  changed(path: string): DiskError {
    return new DiskError(
      "conflict",
      `Source changed: everything was copied to the destination, but this changed in the meantime and was not removed: ${clip(path)}`,
    );
  }
}

// Without the time of change: for a file with two names it changes when the first name is removed. A directory changes when its
// entries are removed, and each entry is checked on its own.
const markOf = (stat: BigIntStats): string =>
  stat.isDirectory() ? `${stat.dev} ${stat.ino}` : `${stat.dev} ${stat.ino} ${stat.size} ${stat.mtimeNs}`;
