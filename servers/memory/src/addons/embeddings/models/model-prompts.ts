// What some models expect before a text: they are trained to tell queries from texts by it, and find less without.

interface Prompts {
  readonly query: string;
  readonly text: string;
}

const NONE: Prompts = { query: "", text: "" };
const SEARCH_QUERY = "Represent this sentence for searching relevant passages: ";

/** By a part of the name of the model, as their authors document it. */
const PROMPTS: readonly (readonly [model: RegExp, prompts: Prompts])[] = [
  [/nomic-embed-text/i, { query: "search_query: ", text: "search_document: " }],
  [/(?:^|\/|-)e5-/i, { query: "query: ", text: "passage: " }],
  [/embeddinggemma/i, { query: "task: search result | query: ", text: "title: none | text: " }],
  [/mxbai-embed|bge-(?:small|base|large)-en|snowflake-arctic-embed/i, { query: SEARCH_QUERY, text: "" }],
];

export const promptsOf = (model: string): Prompts => PROMPTS.find(([pattern]) => pattern.test(model))?.[1] ?? NONE;
