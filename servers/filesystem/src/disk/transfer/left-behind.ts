// The error of a move to another file system whose copy exists, while the source, or a part of it, could not be removed.
import { DiskError } from "../errors.ts";

export class LeftBehindError extends DiskError {
  /** Why the source could not be removed. */
  readonly why: DiskError;

  constructor(why: DiskError) {
    const text = `Everything was copied to the destination, but the source could not be removed. ${why.message}`;
    super(why.code, why.code === "conflict" ? why.message : text);
    this.why = why;
  }
}
