// What was copied to another file system, as it was then: a move removes that, and nothing that another program has put there or
// changed since, of which there is no copy.
import type { BigIntStats } from "node:fs";
import { clip } from "@oarlock/domain-kit";
import { DiskError } from "../errors.ts";

export class Carried {
  readonly #marks = new Map<string, string>();

  /** Before an entry is read. */
  note(path: string, stat: BigIntStats): void {
    this.#marks.set(path, markOf(stat));
  }

  /** Before an entry is removed; throws where it is not what was noted. */
  mustBe(path: string, stat: BigIntStats | undefined): void {
    if (stat !== undefined && this.#marks.get(path) === markOf(stat)) return;
    throw new DiskError(
      "conflict",
      `Everything was copied to the destination, but this changed in the meantime and was left where it is: ${clip(path)}`,
    );
  }
}

// Not the time of change: that of a file with two names changes when the first of them goes. A directory changes by what is
// removed from it, and each entry in it is looked at.
const markOf = (stat: BigIntStats): string =>
  stat.isDirectory() ? `${stat.dev} ${stat.ino}` : `${stat.dev} ${stat.ino} ${stat.size} ${stat.mtimeNs}`;
