// Tells a file from another one that has taken its place.
import { statSync } from "node:fs";

/** Undefined for a missing file. */
export function fileIdentity(path: string | undefined): string | undefined {
  if (path === undefined) return undefined;
  try {
    const stat = statSync(path, { throwIfNoEntry: false });
    return stat === undefined ? undefined : `${stat.dev}.${stat.ino}`;
  } catch {
    return undefined; // a folder above is missing or not accessible
  }
}
