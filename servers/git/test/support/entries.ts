// Every entry below a folder with what tells a write.
import { createHash } from "node:crypto";
import { lstatSync, readdirSync, readFileSync } from "node:fs";

const SLASH = Buffer.from("/");

/** By path; a name that is not UTF-8 has its bytes in Latin-1. */
export function entriesBelow(folder: string | Buffer, found: Record<string, string> = {}): Record<string, string> {
  for (const entry of readdirSync(folder, { withFileTypes: true, encoding: "buffer" })) {
    const path = Buffer.concat([Buffer.from(folder), SLASH, entry.name]);
    const { ino, mode, mtimeNs } = lstatSync(path, { bigint: true });
    const content = entry.isFile() ? createHash("sha256").update(readFileSync(path)).digest("hex") : "";
    found[path.toString("latin1")] = `${ino} ${mode} ${mtimeNs} ${content}`;
    if (entry.isDirectory()) entriesBelow(path, found);
  }
  return found;
}
