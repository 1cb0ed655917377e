// Errors that a caller may read. A message names no path of this machine except those that the operator configured or the caller gave.
import { basename } from "node:path";
import { clip, DomainError, systemErrorCode } from "@oarlock/domain-kit";

export type GitErrorCode =
  | "denied"
  | "not-a-repository"
  | "invalid"
  | "not-found"
  | "unsafe"
  | "conflict"
  | "locked"
  | "git-missing"
  | "too-large"
  | "failed";

export class GitError extends DomainError<GitErrorCode> {
  override readonly name = "GitError";
}

/** In words, where the operating system forbids a file; any other error as it is. */
export function explainRights(error: unknown): unknown {
  if (!["EACCES", "EPERM"].includes(systemErrorCode(error) ?? "")) return error;
  const { path } = error as NodeJS.ErrnoException; // its code is one of the operating system
  const what = path === undefined ? "a file" : clip(basename(path));
  return new GitError("denied", `The user that this server runs as may not use ${what}. Mend its rights, or name other paths.`);
}
