// The forms in which texts are compared: for search, and for finding names that are nearly the same.

/** For search: the same lower case as the reference server uses, so that each of its results is found here too. */
export const fold = (text: string): string => text.toLowerCase();

/**
 * For similar names: without case, accents, blanks and punctuation, so that "Jean-Luc" and "jean luc" have the same key. Never empty
 * for a name.
 */
export function similarityKey(name: string): string {
  const key = name
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "");
  return key === "" ? name : key;
}
