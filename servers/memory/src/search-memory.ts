// A search as tools and prompts make it: by words, and by meaning where embeddings are configured.
import type { Dependencies } from "./dependencies.ts";
import { searchNodes, type SearchOptions, type SearchPage } from "./graph/search/search.ts";
import { rankByMeaning } from "./graph/search/semantic-ranking.ts";

/** Entities that are near in meaning. */
const MOST = 30;
/** Filters leave some of them out. */
const MOST_BEFORE_FILTERS = 300;

export interface FoundPage {
  readonly page: SearchPage;
  /** What the reader should know about the search by meaning. */
  readonly remarks: readonly string[];
}

export async function searchMemory({ memory, preference }: Dependencies, options: SearchOptions): Promise<FoundPage> {
  const isFiltered = (options.entityTypes ?? []).length > 0 || options.since !== undefined;
  const { matches, remark } = await memory.findByMeaning(options.query, isFiltered ? MOST_BEFORE_FILTERS : MOST);
  const rankings = matches.length === 0 ? [] : [rankByMeaning(matches)];
  const page = await memory.read((rows) => searchNodes(rows, { ...options, rankings, preference }));
  return { page, remarks: remark === undefined ? [] : [remark] };
}
