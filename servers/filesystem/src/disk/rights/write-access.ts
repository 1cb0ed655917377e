// Whether the system lets this user write a file, or change the names in a directory, and the errors that name what is the cause.
import { accessSync, closeSync, constants, openSync, type BigIntStats } from "node:fs";
import { clip, systemErrorCode } from "@oarlock/domain-kit";
import type { Entry, FolderHandle } from "../access/sandbox.ts";
import { joinPath } from "../access/path-syntax.ts";
import { DiskError, fromSystem } from "../errors.ts";
import { isWindows } from "../../platform.ts";

type Place = Pick<Entry, "parent" | "name">;

const REFUSALS = new Set(["EACCES", "EPERM", "EROFS"]);

/**
 * The error of a file that this user may not write; undefined where it may be written, or is missing. A rename would replace it all the same,
 * because that needs only the right to write in the directory.
 */
export function writeRefusal(place: Place, old: BigIntStats): DiskError | undefined {
  // Windows refuses to replace such a file itself.
  if (isWindows) return undefined;
  try {
    closeSync(openSync(place.parent.at(place.name), constants.O_WRONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK));
    return undefined;
  } catch (error) {
    const code = systemErrorCode(error) ?? "";
    if (!REFUSALS.has(code)) return undefined;
    const path = joinPath(place.parent.path, place.name);
    if (code === "EROFS") return fromSystem(error, path);
    const next = isOwn(old) ? "Make it writable first" : "Only its owner or an administrator can change that";
    return new DiskError(
      "io",
      `File is write-protected: this user may not write it (${code}): ${clip(path)}. ${next}, or write another file.`,
    );
  }
}

/** Whether an entry is a file that this user may not write, although it could be replaced or removed. */
export const isWriteProtected = (place: Place, stat: BigIntStats | undefined): boolean =>
  stat?.isFile() === true && writeRefusal(place, stat)?.code === "io";

/** For the reply of an act that has replaced or removed such a file. */
export const PROTECTED_NOTICE = "The file that was there before was write-protected.";

/** The error of a directory in which this user may not create, rename or remove a name; undefined where it may. */
export function changeRefusal(folder: FolderHandle): DiskError | undefined {
  if (isWindows) return undefined; // where access(2) looks at an attribute that means something else for directories
  try {
    accessSync(folder.self, constants.W_OK | constants.X_OK);
    return undefined;
  } catch (error) {
    const code = systemErrorCode(error) ?? "";
    if (code === "EROFS") return fromSystem(error, folder.path);
    if (!REFUSALS.has(code)) return undefined;
    return new DiskError(
      "io",
      `Directory is write-protected: this user may not change its entries (${code}): ${clip(folder.path)}. Use another directory, or have its rights changed.`,
    );
  }
}

/** Whether names cannot be changed here, though the content of the file may be: its directory is write-protected, or it is a mount point. */
export const isNameFixed = (error: unknown): boolean => REFUSALS.has(systemErrorCode(error) ?? "") || systemErrorCode(error) === "EBUSY";

/** Whether the entry can be neither replaced nor removed, as far as its directory says. A mount point shows only when it is tried. */
export const isKeptByFolder = (folder: FolderHandle, stat: BigIntStats): boolean =>
  changeRefusal(folder) !== undefined || isKeptByStickyBit(folder, stat);

/** In a sticky directory, such as /tmp, a user renames and removes only own entries. */
function isKeptByStickyBit(folder: FolderHandle, stat: BigIntStats): boolean {
  return (folder.stat.mode & 0o1000n) !== 0n && !isOwn(stat) && !isOwn(folder.stat);
}

/** Throws unless this user may remove the entry from its directory. */
export function mustBeRemovable(folder: FolderHandle, name: string, stat: BigIntStats): void {
  const refusal = changeRefusal(folder);
  if (refusal !== undefined) throw refusal;
  if (!isKeptByStickyBit(folder, stat)) return;
  const path = clip(joinPath(folder.path, name));
  throw new DiskError("io", `Only its owner may move or remove it, because its directory is sticky (EPERM): ${path}`);
}

/** The error of a change of names: it names the directory that is the cause, if one of them is, and `given` otherwise. */
export function changeError(error: unknown, given: string, ...folders: readonly (FolderHandle | undefined)[]): DiskError {
  if (REFUSALS.has(systemErrorCode(error) ?? ""))
    for (const folder of folders) {
      const refusal = folder && changeRefusal(folder);
      if (refusal !== undefined) return refusal;
    }
  return fromSystem(error, given);
}

function isOwn({ uid }: BigIntStats): boolean {
  const user = process.geteuid?.();
  return user === undefined || user === 0 || BigInt(user) === uid;
}
