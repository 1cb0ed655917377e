// Versions of a file: tells whether another program has written it.
import { lstatSync, type BigIntStats } from "node:fs";
import { systemErrorCode } from "@oarlock/domain-kit";

export interface FileVersion {
  /** Differs between two versions. */
  readonly identity: string;
  /** In bytes. */
  readonly size: number;
  /** When it was last written, in milliseconds since 1970. */
  readonly at: number;
}

/** Undefined where there is no such file. A link is not followed. */
export function readFileVersion(path: string): FileVersion | undefined {
  try {
    return toFileVersion(lstatSync(path, { bigint: true }));
  } catch (error) {
    if (systemErrorCode(error) === "ENOENT") return undefined;
    throw error;
  }
}

export const toFileVersion = ({ ino, size, mtimeMs, mtimeNs, ctimeNs }: BigIntStats): FileVersion => ({
  identity: `${ino}:${size}:${mtimeNs}:${ctimeNs}`,
  size: Number(size),
  at: Number(mtimeMs),
});
