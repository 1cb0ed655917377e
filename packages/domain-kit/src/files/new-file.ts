// New files with unpredictable names: another program can plant neither a file nor a link there.
import { constants, openSync } from "node:fs";

/** 128 random bits in hex: a name that cannot be guessed. */
export function randomName(): string {
  // Loaded on first use, because it takes 4 ms.
  return process.getBuiltinModule("node:crypto").randomBytes(16).toString("hex");
}

/** Creates a file and opens it for writing. Throws EEXIST where the name is taken, by a link too. The caller closes the descriptor. */
export function createNewFile(path: string, mode: number): number {
  return openSync(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0), mode);
}
