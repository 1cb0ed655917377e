// An inspected search as a table and sentences.
import { counted, escapeControls } from "@oarlock/domain-kit";
import type { Inspection } from "../graph/search/search.ts";
import { entityCount } from "./remarks.ts";

const LEVELS = ["some words", "all words, with what is around", "all words"] as const;
const COLUMNS = ["rank", "entity", "fact", "found", "words", "name", "around", "meaning", "recorded", "cut by"] as const;

/** The rows of a table, the names of its columns first. */
export const inspectionTable = ({ facts }: Inspection): string[][] => [
  [...COLUMNS],
  ...facts.map(({ rank, entity, fact, hasWholeQuery, parts, recorded, cut }) => [
    String(rank),
    escapeControls(entity),
    escapeControls(fact ?? ""),
    hasWholeQuery ? "whole query" : (LEVELS[parts?.level ?? 0] ?? ""),
    ...[parts?.words, parts?.name, parts?.around, parts?.meaning].map(figure),
    recorded ?? "",
    cut ?? "",
  ]),
];

const figure = (score = 0): string => (score === 0 ? "" : score.toFixed(2));

/** What has been cut, and how to read the table. */
export function inspectionNotes(inspection: Inspection): string[] {
  const { facts, candidates, entities, areAll, cut } = inspection;
  if (candidates === 0) return ["No entity or fact has a word of the query."];
  const further = areAll ? "" : " Further hits are not counted.";
  return [
    `${counted(candidates, "candidate")} of ${entityCount(entities)}, of which ${cut.max_tokens} are cut by max_tokens and ${cut.limit} by limit.${further}`,
    ...(facts.length < candidates ? [`The first ${facts.length} are listed.`] : []),
    "In this order: those whose entity has the whole query, those with all words, then by the sum of the scores; of equal ones the newest.",
  ];
}
