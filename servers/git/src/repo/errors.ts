// Errors that a caller may read. A message names no path of this machine except those that the operator configured or the caller gave.
import { DomainError } from "@oarlock/domain-kit";

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
