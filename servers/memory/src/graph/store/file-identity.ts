// Tells a file from another one that has taken its place.
import { lstatSync } from "node:fs";

/** Undefined for a missing file. A link is another file than its target. */
export function fileIdentity(path: string | undefined): string | undefined {
  if (path === undefined) return undefined;
  try {
    const stat = lstatSync(path, { bigint: true, throwIfNoEntry: false });
    return stat === undefined ? undefined : `${stat.dev}.${stat.ino}`;
  } catch {
    return undefined; // a folder above is missing or not accessible
  }
}
