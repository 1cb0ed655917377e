// The forms in which texts are compared: as the search sees them, and as near-duplicates are told.

/** For search: the same lower case as the reference server has, so that whatever it finds is found here. */
export const fold = (text: string): string => text.toLowerCase();

/** For likeness: without case, accents, blanks and punctuation, so that "Jean-Luc" and "jean luc" are one. Never empty for a name. */
export function keyOf(name: string): string {
  const key = name
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "");
  return key === "" ? name : key;
}
