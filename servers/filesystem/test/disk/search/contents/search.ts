// Searches by the engine of this process in a folder of the test.
import { searchContents, type ContentsResult } from "../../../../src/disk/search/contents/content-search.ts";
import type { ContentsOptions } from "../../../../src/disk/search/contents/options.ts";
import type { Scratch } from "../../support/scratch.ts";

export type SearchRequest = Partial<ContentsOptions> & { readonly below?: string };

export async function search(place: Scratch, { below = ".", pattern = "needle", ...options }: SearchRequest = {}): Promise<ContentsResult> {
  return searchContents(await place.sandbox(), place.at(below), { pattern, ...options });
}

/** Names and line numbers of the matches. */
export async function found(place: Scratch, asked: SearchRequest = {}): Promise<string[]> {
  return (await search(place, asked)).matches.map(({ path, line }) => `${path.slice(place.root.length + 1)}:${line}`);
}

export const HAY = "hay\nneedle\nhay\n";
