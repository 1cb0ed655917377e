// Errors of a path that leads elsewhere than it did.
import { DomainError } from "../domain-error.ts";

/** Another program put something else at a path while it was used. */
export class ReplacedError extends DomainError<"conflict"> {
  override readonly name = "ReplacedError";

  constructor() {
    super("conflict", "File changed: another program replaced it while it was being opened. Try again.");
  }
}

/** The error that the system reports for a link where a directory is expected, and links are not followed. */
export const notAFolder = (path: string): Error =>
  Object.assign(new Error(`ENOTDIR: not a directory, open '${path}'`), { code: "ENOTDIR", syscall: "open", path });
