/** Folders on another file system than that of temporary files, where there is one. */
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

const deviceOf = (path: string): number | undefined => statSync(path, { throwIfNoEntry: false })?.dev;

/** Memory and the disk: temporary files are on the one or the other. */
const place = ["/dev/shm", "/tmp"].find((path) => ![undefined, deviceOf(tmpdir())].includes(deviceOf(path)));

export const hasOtherDevice = place !== undefined;

/** A new folder there; the caller removes it. */
export function makeFolderElsewhere(): string {
  if (place === undefined) throw new Error("There is no other file system for temporary files");
  return mkdtempSync(join(place, "oarlock-disk-"));
}

/** A new folder there, for the duration of the test. */
export function folderElsewhere(): string {
  const folder = makeFolderElsewhere();
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
