// A search as tools, prompts and commands make it: by words, and by meaning where embeddings are configured.
import type { Dependencies } from "./dependencies.ts";
import type { Graph } from "./graph/graph.ts";
import type { NothingFound } from "./graph/search/nothing-found.ts";
import type { Inspection, SearchOptions, SearchPage } from "./graph/search/search.ts";
import { nothingFoundRemark } from "./replies/nothing-found.ts";

/** Texts that are near in meaning. */
const MOST = 100;
/** Filters leave some of them out. */
const MOST_BEFORE_FILTERS = 1000;

/** Names that are listed when the filters leave nothing. */
const MAX_UNFILTERED = 3;
const MAX_UNFILTERED_BYTES = 10_000;

export const DEFAULT_MAX_TOKENS = 1000;
export const BYTES_PER_TOKEN = 4;
/** Of the text, for what stands after the data. */
const NOTE_SHARE = 0.1;

/** For the data of a reply. `maxContentBytes`: of the whole reply, which has the data twice. */
export const pageBytes = (maxTokens: number, maxContentBytes = Number.POSITIVE_INFINITY): number =>
  Math.min(maxTokens * BYTES_PER_TOKEN, maxContentBytes / 2) * (1 - NOTE_SHARE);

export interface FoundPage {
  readonly page: SearchPage & { readonly nothingFound?: NothingFound };
  /** What the reader should know about the search by meaning. */
  readonly remarks: readonly string[];
}

/** What a search needs. */
type Searched = Pick<Dependencies, "memory" | "preference">;

/** Loaded by the first search: its words of three languages are a quarter of what a start would read. */
const loadSearch = () => import("./graph/search/search.ts");

export async function searchMemory({ memory, preference }: Searched, options: SearchOptions): Promise<FoundPage> {
  const { meaning, remarks } = await meaningOf(memory, options);
  const [{ searchNodes }, { nothingFound }] = await Promise.all([loadSearch(), import("./graph/search/nothing-found.ts")]);
  const { page, nothing, filtered } = await memory.read((rows) =>
    rows.read(() => {
      const found = searchNodes(rows, { ...options, meaning, preference });
      if (found.entities.length > 0 || options.cursor !== undefined) return { page: found };
      const others = hasFilters(options) ? namesOf(searchNodes(rows, unfiltered(options))) : [];
      return { page: found, nothing: nothingFound(rows, options.query), filtered: others };
    }),
  );
  if (nothing === undefined) return { page, remarks };
  return { page: { ...page, nothingFound: nothing }, remarks: [nothingFoundRemark(options.query, nothing, filtered), ...remarks] };
}

/** Why the search has its order. */
export async function inspectMemory(
  { memory, preference }: Searched,
  options: SearchOptions,
): Promise<{ inspection: Inspection; remarks: readonly string[] }> {
  const { meaning, remarks } = await meaningOf(memory, options);
  const { inspectSearch } = await loadSearch();
  return { inspection: await memory.read((rows) => inspectSearch(rows, { ...options, meaning, preference })), remarks };
}

async function meaningOf(memory: Graph, options: SearchOptions): Promise<{ meaning: SearchOptions["meaning"]; remarks: string[] }> {
  const isFiltered = (options.entityTypes ?? []).length > 0 || options.since !== undefined;
  const { matches: meaning, remark } = await memory.findByMeaning(options.query, isFiltered ? MOST_BEFORE_FILTERS : MOST);
  return { meaning, remarks: remark === undefined ? [] : [remark] };
}

const hasFilters = ({ entityTypes = [], since, before, tags = [] }: SearchOptions): boolean =>
  entityTypes.length + tags.length > 0 || since !== undefined || before !== undefined;

/** Finds the first names that the filters have left out. */
const unfiltered = ({ query }: SearchOptions): SearchOptions => ({
  query,
  limit: MAX_UNFILTERED,
  detail: "names",
  maxBytes: MAX_UNFILTERED_BYTES,
});

const namesOf = ({ entities }: SearchPage): string[] => entities.map(({ name }) => name);
