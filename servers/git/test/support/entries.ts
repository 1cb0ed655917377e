// Every entry below a folder with what tells a write.
import { createHash } from "node:crypto";
import { lstatSync, readdirSync, readFileSync } from "node:fs";

const SLASH = Buffer.from("/");
/** git sets the times of these files anew when it reads a split or a sparse index, so that they are not taken for garbage. */
const KEPT_FRESH = /[\\/](?:sharedindex\.[0-9a-f]+$|objects[\\/])/;

/** By path; a name that is not UTF-8 has its bytes in Latin-1. */
export function entriesBelow(folder: string | Buffer, found: Record<string, string> = {}): Record<string, string> {
  for (const entry of readdirSync(folder, { withFileTypes: true, encoding: "buffer" })) {
    const path = Buffer.concat([Buffer.from(folder), SLASH, entry.name]);
    const { ino, mode, mtimeNs } = lstatSync(path, { bigint: true });
    const content = entry.isFile() ? createHash("sha256").update(readFileSync(path)).digest("hex") : "";
    const name = path.toString("latin1");
    const time = entry.isFile() && KEPT_FRESH.test(name) ? "" : mtimeNs;
    found[name] = `${ino} ${mode} ${time} ${content}`;
    if (entry.isDirectory()) entriesBelow(path, found);
  }
  return found;
}
