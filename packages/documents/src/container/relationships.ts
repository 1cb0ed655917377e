// Relationships of Office files: which file in the archive an id stands for.
import { posix } from "node:path";
import { attribute, readXml } from "./xml.ts";
import type { ZipArchive } from "./zip-archive.ts";

export interface Relationship {
  readonly type: string;
  /** A path in the archive. */
  readonly target: string;
}

/** Of a file in the archive, by their ids; none where it has none. */
export function relationshipsOf(archive: ZipArchive, file: string, format: string): ReadonlyMap<string, Relationship> {
  const { dir, base } = posix.parse(file);
  const name = posix.join(dir, "_rels", `${base}.rels`);
  const found = new Map<string, Relationship>();
  if (!archive.has(name)) return found;
  readXml(archive.read(name), format, name, {
    open(tag, attributes) {
      if (tag !== "Relationship" || attribute(attributes, "TargetMode") === "External") return;
      const [id, target] = [attribute(attributes, "Id"), attribute(attributes, "Target")];
      if (id === undefined || target === undefined) return;
      found.set(id, { type: posix.basename(attribute(attributes, "Type") ?? ""), target: pathInArchive(dir, target) });
    },
  });
  return found;
}

/** The file that the archive itself names as its document. `usual`: where it names none. */
export function mainFile(archive: ZipArchive, format: string, usual: string): string {
  for (const { type, target } of relationshipsOf(archive, "", format).values()) if (type === "officeDocument") return target;
  return usual;
}

/** A path relative to a folder in the archive, or to its top. */
export const pathInArchive = (folder: string, target: string): string =>
  target.startsWith("/") ? posix.normalize(target).slice(1) : posix.join(folder, target);
