// The notes of a folder by path, file name, title and permalink: wiki links may use each of them.
import { fileKey } from "./file-names.ts";
import type { LinkTargets } from "./wiki-links.ts";

export interface IndexedNote {
  /** Below the folder, with slashes. */
  readonly path: string;
  readonly name: string;
  readonly permalink?: string | undefined;
}

/** Without the ending. */
export const stemOf = (path: string): string => path.replace(/\.md$/i, "");

export class NoteIndex implements LinkTargets {
  readonly #links = new Map<string, string>();
  readonly #names = new Map<string, string>();

  /** Paths count more than file names, and these more than titles and permalinks. */
  constructor(notes: readonly IndexedNote[]) {
    const bases = notes.map(({ path }) => stemOf(path).replace(/^.*\//, ""));
    const counts = new Map<string, number>();
    for (const base of bases) counts.set(fileKey(base), (counts.get(fileKey(base)) ?? 0) + 1);
    for (const { path, name } of notes) this.#add(stemOf(path), name);
    for (const [at, { path, name }] of notes.entries()) {
      const base = bases[at] ?? "";
      const isUnique = counts.get(fileKey(base)) === 1 && this.nameOf(base) === undefined;
      this.#add(base, name);
      this.#links.set(name, isUnique || stemOf(path) === base ? base : stemOf(path));
    }
    for (const { name } of notes) this.#add(name, name);
    for (const { name, permalink } of notes) if (permalink !== undefined) this.#add(permalink, name);
  }

  linkTo(name: string): string | undefined {
    return this.#links.get(name);
  }

  nameOf(target: string): string | undefined {
    return this.#names.get(fileKey(stemOf(target)));
  }

  #add(key: string, name: string): void {
    if (!this.#names.has(fileKey(key))) this.#names.set(fileKey(key), name);
  }
}
