// A search as tools and prompts make it: by words, and by meaning where embeddings are configured.
import type { Dependencies } from "./dependencies.ts";
import type { Rows } from "./graph/rows/rows.ts";
import { nothingFound, type NothingFound } from "./graph/search/nothing-found.ts";
import { searchNodes, type SearchOptions, type SearchPage } from "./graph/search/search.ts";
import { nothingFoundRemark } from "./replies/nothing-found.ts";

/** Texts that are near in meaning. */
const MOST = 100;
/** Filters leave some of them out. */
const MOST_BEFORE_FILTERS = 1000;

/** Names that are listed when the filters leave nothing. */
const MAX_UNFILTERED = 3;
const MAX_UNFILTERED_BYTES = 10_000;

export interface FoundPage {
  readonly page: SearchPage & { readonly nothingFound?: NothingFound };
  /** What the reader should know about the search by meaning. */
  readonly remarks: readonly string[];
}

export async function searchMemory({ memory, preference }: Dependencies, options: SearchOptions): Promise<FoundPage> {
  const isFiltered = (options.entityTypes ?? []).length > 0 || options.since !== undefined;
  const { matches: meaning, remark } = await memory.findByMeaning(options.query, isFiltered ? MOST_BEFORE_FILTERS : MOST);
  const page = await memory.read((rows) => searchNodes(rows, { ...options, meaning, preference }));
  const remarks = remark === undefined ? [] : [remark];
  if (page.entities.length > 0 || options.cursor !== undefined) return { page, remarks };
  const { nothing, filtered } = await memory.read((rows) => ({
    nothing: nothingFound(rows, options.query),
    filtered: withoutFilters(rows, options),
  }));
  return { page: { ...page, nothingFound: nothing }, remarks: [nothingFoundRemark(nothing, filtered), ...remarks] };
}

/** Names that the search would find without its filters; none where it has none. */
function withoutFilters(rows: Rows, { query, entityTypes = [], since, before, tags = [] }: SearchOptions): string[] {
  if (entityTypes.length + tags.length === 0 && since === undefined && before === undefined) return [];
  return searchNodes(rows, { query, limit: MAX_UNFILTERED, detail: "names", maxBytes: MAX_UNFILTERED_BYTES }).entities.map(
    ({ name }) => name,
  );
}
