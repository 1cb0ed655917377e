// search_nodes. Both servers find texts with the whole query; the order is the same where the ranks are equal.
import { entity, jsonl } from "../../support/graphs.ts";
import { differs, same, type Row } from "../row.ts";
import { HOUSE, search } from "./graphs.ts";

const ANA = entity("Ana Martins", "person", "likes green tea", "Born in Porto", "works at the Harbour Office");
const CLUB = entity("Tea_Club", "club");
const MEETING = { from: "Tea_Club", to: "Harbour Office", relationType: "meets_in" };
const TEA = entity("日本茶", "飲み物", "京都の緑茶", "温度は70度");
const ROWING = entity("rowing", "hobby", "needs a boat; costs 50% of a salary");
const relationsOfAna = [
  { from: "Ana Martins", to: "Harbour Office", relationType: "works_at" },
  { from: "Bo", to: "Ana Martins", relationType: "brother_of" },
  { from: "Ana Martins", to: "rowing", relationType: "does" },
];

/** Each of these finds one entity, or none. */
const QUERIES = [
  "Martins",
  "MARTINS",
  "porto",
  "Tea_Club",
  "tea_c",
  "_cl",
  "rowing",
  "50%",
  "%",
  "boat; costs",
  "ploys 12",
  "organisation",
  "HOBBY",
  "club",
  "日本",
  "茶",
  "京都",
  "度",
  "飲み",
  "straße",
  "zoë",
  "ångström",
  "école",
  "'",
  '"',
  "\\",
  "*",
  "coffee*",
  "-coffee",
  "NEAR",
  "(",
  "entityType",
  "observations",
  "\n",
  "Z",
];

export const searching: readonly Row[] = [
  ...QUERIES.map((query) => same(`for ${JSON.stringify(query)}`, HOUSE, search(query))),
  same("in an empty graph", "", search("a")),
  same("for a name that every object has", HOUSE, search("__proto__"), search("constructor")),
  ...["STRASSE", "Zoe"].map((query) =>
    differs(`for ${query}, which is written otherwise`, HOUSE, search(query), {
      by: "search",
      ours: { entities: [entity("Zoë Ångström", "Person", "Straße 12", "ÉCOLE")], relations: [] },
      refusing: "none",
    }),
  ),
  differs("for words in other places", HOUSE, search("porto green"), {
    by: "search",
    ours: { entities: [ANA], relations: relationsOfAna },
    refusing: "none",
  }),
  differs("for words in another order: all of them before some", HOUSE, search("tea green"), {
    by: "search",
    ours: { entities: [ANA, CLUB], relations: [...relationsOfAna, MEETING] },
    refusing: "none",
  }),
  differs("for a text that is there: before those that have some of its words", HOUSE, search("green tea"), {
    by: "search",
    ours: { entities: [ANA, CLUB], relations: [...relationsOfAna, MEETING] },
    refusing: "none",
  }),
  differs("for one letter: equal ranks by what is newer", HOUSE, search("0"), {
    by: "search",
    ours: { entities: [TEA, ROWING], relations: relationsOfAna.slice(2) },
    refusing: "none",
  }),
  differs("best first", jsonl([entity("one", "t", "about amber"), entity("amber", "t")]), search("amber"), {
    by: "search",
    ours: { entities: [entity("amber", "t"), entity("one", "t", "about amber")], relations: [] },
    refusing: "none",
  }),
  differs("for another form of a word", jsonl([entity("Bo", "t", "lives in Porto")]), search("living"), {
    by: "search",
    ours: { entities: [entity("Bo", "t", "lives in Porto")], relations: [] },
    refusing: "none",
  }),
  differs("for a misspelled word", jsonl([entity("Bo", "t", "lives in Porto")]), search("Porrto"), {
    by: "search",
    ours: { entities: [entity("Bo", "t", "lives in Porto")], relations: [] },
    refusing: "none",
  }),
  differs("no query", HOUSE, ["search_nodes", {}], { by: "errors", ours: /query/, refusing: "both" }),
];
