// Mount points, as Linux lists them: they can be neither replaced, moved nor removed, but their content can be written.
import { readFileSync } from "node:fs";
import { clip } from "@oarlock/domain-kit";
import { DiskError } from "../errors.ts";

/** The paths of all mount points of this process; empty where the system does not list them. */
export function mountPoints(): ReadonlySet<string> {
  try {
    return new Set(parseMountPoints(readFileSync("/proc/self/mountinfo", "utf8")));
  } catch {
    return new Set(); // another system, or /proc is not mounted: a rename or a removal finds out
  }
}

/** Pure. The fifth field is the mount point, with blanks and the like as three octal digits: proc_pid_mountinfo(5). */
export function parseMountPoints(table: string): string[] {
  return table
    .split("\n")
    .flatMap((line) => line.split(" ")[4] ?? [])
    .map((path) => path.replaceAll(/\\([0-7]{3})/g, (_, digits: string) => String.fromCodePoint(Number.parseInt(digits, 8))));
}

export const mountPointError = (path: string): DiskError =>
  new DiskError(
    "io",
    `Mount point (EBUSY): it cannot be replaced, moved or removed while it is mounted: ${clip(path)}. Change its content instead, or have it unmounted.`,
  );
