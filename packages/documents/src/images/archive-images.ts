// Images in an archive: Office files name theirs by relationships, pages of books by addresses.
import { relationshipsOf } from "../container/relationships.ts";
import type { ZipArchive } from "../container/zip-archive.ts";
import { PartImages } from "./part-images.ts";

/** Those of `files` that the archive has, each once and in their order. */
export function readImages(archive: ZipArchive, files: Iterable<string>, maxBytes: number): PartImages {
  const found = new PartImages(maxBytes);
  for (const file of new Set(files)) {
    const size = archive.sizeOf(file);
    if (size === undefined) continue;
    // A large one is not unpacked.
    if (size > maxBytes || found.isFull) found.leaveOut();
    else found.add(archive.read(file));
  }
  return found;
}

/** The files that `file` names as its images, or as its drawings. */
export const related = (archive: ZipArchive, file: string, type: "image" | "drawing", format: string): string[] =>
  [...relationshipsOf(archive, file, format).values()].flatMap((relationship) => (relationship.type === type ? relationship.target : []));
