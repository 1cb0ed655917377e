// The errors of the disk. Their messages reach the model: they name the path, the expectation and the next step, and never reveal
// whether something outside the allowed directories exists.
import { clip, DomainError, foreignOwner, isInUse, lockdownRefusal, ReplacedError, systemErrorCode } from "@oarlock/domain-kit";
import { platform } from "../platform.ts";

export type DiskErrorCode =
  | "denied"
  /** Hidden by --lockdown. */
  | "foreign"
  | "not-found"
  | "invalid"
  | "not-a-file"
  | "not-a-folder"
  | "exists"
  | "read-only"
  | "too-large"
  | "conflict"
  | "io";

export class DiskError extends DomainError<DiskErrorCode> {
  override readonly name = "DiskError";
}

/**
 * The same for every denied path: outside, hidden by --deny, or reached through a link that leads out.
 * @param hint A sentence for all refusals of the sandbox, whatever their reason.
 */
export function denied(given: string, hint?: string): DiskError {
  const next = hint === undefined ? "" : `. ${hint}`;
  return new DiskError("denied", `Access denied - path outside allowed directories: ${clip(given)}${next}`);
}

/** Throws for a file of an author that the operator does not trust. */
export function requireTrustedOwner(stat: { readonly uid: number | bigint }, path: string): void {
  const owner = foreignOwner(stat);
  if (owner !== undefined) throw new DiskError("foreign", lockdownRefusal(path, owner));
}

/**
 * The destination of a move or copy is not free.
 * @param name That of the source where the destination is a directory, which was maybe meant to take the source in.
 */
export function alreadyExists(given: string, name?: string): DiskError {
  const within = name === undefined ? "" : `. ${intoAdvice(given, name)}`;
  return new DiskError("exists", `Destination already exists: ${clip(given)}${within}`);
}

export const intoAdvice = (folder: string, name: string): string =>
  `To put the source into the directory, name ${clip(`${folder.replace(/[/\\]+$/, "")}/${name}`)}`;

/** A move or copy onto itself. */
export function alreadyThere(given: string): DiskError {
  return new DiskError("exists", `Destination is the source itself: ${clip(given)}. Name another destination.`);
}

/** Node gives such a name as a text that opens nothing. */
export function notUtf8(name: string): DiskError {
  return new DiskError("invalid", `Directory has a name that is not UTF-8: ${clip(name)}`);
}

/** Describes an error of the operating system about a path inside the allowed directories. Throws any other error unchanged. */
export function fromSystem(error: unknown, given: string, on = platform): DiskError {
  if (error instanceof DiskError) return error;
  if (error instanceof ReplacedError) return new DiskError("conflict", error.message);
  const code = systemErrorCode(error);
  // A bug or a cancelled request.
  if (code === undefined) throw error;
  const path = clip(given);
  if (isInUse(error, on))
    return new DiskError(
      "io",
      `Windows does not permit this (${code}): ${path}. Close it in other programs, or make it writable, and try again.`,
    );
  switch (code) {
    case "ENOENT":
      return new DiskError("not-found", `No such file or directory: ${path}`);
    case "ENOTDIR":
      return new DiskError("not-a-folder", `A part of the path is not a directory: ${path}`);
    case "EISDIR":
      return new DiskError("not-a-file", `Expected a file, but this is a directory: ${path}`);
    case "EEXIST":
      return new DiskError("exists", `Already exists: ${path}`);
    case "ENOTEMPTY":
      return new DiskError("exists", `The directory is not empty: ${path}`);
    case "EACCES":
    case "EPERM":
      return new DiskError("io", `The operating system does not permit this (${code}): ${path}`);
    case "EROFS":
      return new DiskError("read-only", `The file system is mounted read-only: ${path}`);
    case "EBUSY":
      return new DiskError(
        "io",
        `In use by the system (EBUSY), as a mount point is: ${path}. Change its content instead of replacing, moving or removing it.`,
      );
    case "ENOSPC":
    case "EDQUOT":
      return new DiskError("io", `No space left on the disk (${code}): ${path}`);
    case "ENAMETOOLONG":
      return new DiskError("invalid", `Path too long, or one of its names: ${path}`);
    case "ELOOP":
      return new DiskError("invalid", `Too many symbolic links, or a loop of them: ${path}`);
    case "EMFILE":
    case "ENFILE":
      return new DiskError("io", "Too many open files. Try again.");
    default:
      return new DiskError("io", `The operating system reported ${code}: ${path}`);
  }
}
