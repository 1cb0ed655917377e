// Regular files under a name where another program may put anything.
import { closeSync, constants, fstatSync, lstatSync, openSync, type BigIntStats } from "node:fs";

const OWNER_ONLY = 0o600;

/**
 * Opens a regular file, neither through a link (ELOOP) nor waiting for a pipe (EINVAL), and creates it where `flags` say so, for its owner only.
 * The caller closes the descriptor.
 * @param path In a held folder.
 * @param check Called with what is there before and after it is opened; what it throws refuses the file.
 */
export function openRegularFile(path: string, flags: number, check: (stat: BigIntStats) => void = checkRegular): number {
  const before = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  if (before !== undefined) check(before);
  // Windows knows neither flag; they are undefined there and count as nothing.
  const fd = openSync(path, flags | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0), OWNER_ONLY);
  try {
    check(fstatSync(fd, { bigint: true }));
    return fd;
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

function checkRegular(stat: BigIntStats): void {
  if (!stat.isFile()) throw Object.assign(new Error("not a regular file"), { code: stat.isSymbolicLink() ? "ELOOP" : "EINVAL" });
}
