// The files of a memory and those beside it. Another program may put anything under their names, as in a synced folder: only regular files
// are used, no link is followed and no pipe is waited for. The links of a configured path are resolved once, at the start.
import { closeSync, constants, fchmodSync, lstatSync, readSync, type BigIntStats } from "node:fs";
import { basename, dirname } from "node:path";
import { createNewFile, HeldFolder, openRegularFile, systemErrorCode } from "@oarlock/domain-kit";
import { GraphError } from "./errors.ts";

const OWNER_ONLY = 0o600;

/** Undefined where the file is missing. Throws a GraphError where a link or anything else but a regular file has its name. */
export function statMemoryFile(path: string): BigIntStats | undefined {
  const stat = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  if (stat !== undefined) checkRegular(path, stat);
  return stat;
}

/** Whatever has the name; undefined also where a folder above is missing or not accessible. */
export function statOrUndefined(path: string): BigIntStats | undefined {
  try {
    return lstatSync(path, { bigint: true, throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** Opens a file, and creates it where `flags` say so. Throws a GraphError as `statMemoryFile` does. The caller closes the descriptor. */
export function openMemoryFile(path: string, flags: number): number {
  using folder = holdFolderOf(path);
  return openRegularFile(folder.at(basename(path)), flags, (stat) => checkRegular(path, stat));
}

/** The first bytes of a file, or all of a shorter one. Throws a GraphError as `statMemoryFile` does. */
export function readHead(path: string, bytes: number): Buffer {
  const file = openMemoryFile(path, constants.O_RDONLY);
  try {
    const head = Buffer.alloc(bytes);
    return head.subarray(0, readSync(file, head));
  } finally {
    closeSync(file);
  }
}

/** Creates an empty file that only its owner may read. Does nothing where it exists. Throws a GraphError as `statMemoryFile` does. */
export function createMemoryFile(path: string): void {
  if (statMemoryFile(path) !== undefined) return;
  using folder = holdFolderOf(path);
  try {
    const fd = createNewFile(folder.at(basename(path)), OWNER_ONLY);
    try {
      // The umask may have taken the owner's rights.
      fchmodSync(fd, OWNER_ONLY);
    } finally {
      closeSync(fd);
    }
  } catch (error) {
    if (systemErrorCode(error) !== "EEXIST") throw error;
    statMemoryFile(path);
  }
}

/** Throws a GraphError where a folder on the way has become a link since the start. */
export function holdFolderOf(path: string): HeldFolder {
  try {
    return HeldFolder.open(dirname(path));
  } catch (error) {
    if (systemErrorCode(error) !== "ENOTDIR") throw error;
    throw new GraphError(
      "io",
      `Folder of ${basename(path)} replaced: a link or a file has its name, or that of a folder above. Put the folder back, or restart the server.`,
    );
  }
}

function checkRegular(path: string, stat: BigIntStats): void {
  if (stat.isFile()) return;
  const [kind, remedy] = stat.isSymbolicLink()
    ? ["symbolic link", "Remove the link"]
    : [stat.isDirectory() ? "directory" : stat.isFIFO() ? "pipe" : "device or socket", "Remove it"];
  throw new GraphError("io", `File ${basename(path)} is a ${kind}: expected a regular file. ${remedy}.`);
}
