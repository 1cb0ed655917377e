/** Another file system than that of temporary files, where there is one. */
import { mkdtempSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const deviceOf = (path: string): number | undefined => statSync(path, { throwIfNoEntry: false })?.dev;

/** Memory and the disk: temporary files are on the one or the other. */
const place = ["/dev/shm", "/tmp"].find((path) => ![undefined, deviceOf(tmpdir())].includes(deviceOf(path)));

export const hasOtherDevice = place !== undefined;

/** Makes a folder there, which the caller removes. */
export function makeFolderElsewhere(): string {
  if (place === undefined) throw new Error("No other file system for temporary files was found");
  return mkdtempSync(join(place, "oarlock-disk-"));
}
