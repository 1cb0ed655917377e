// Records of a JSONL file, one on each line: parses and formats entities, relations and records of unknown types. Fields that are not
// known here are kept as they are.
import type { Entity, Relation } from "../model.ts";
import { timesIn } from "../rows/fact-times.ts";
import { parseJson } from "./json-values.ts";

/** An entity with the times that some of its observations have, by text: the member `observationTimes` of its record. */
export type TimedEntity = Entity & { readonly times?: ReadonlyMap<string, string> };

/** `extra`: the unknown fields of a record, as a JSON object. */
export type ParsedLine =
  | { readonly kind: "entity"; readonly entity: TimedEntity; readonly extra: string | undefined }
  | { readonly kind: "relation"; readonly relation: Relation; readonly extra: string | undefined }
  /** An object of another type, or without one. */
  | { readonly kind: "record"; readonly line: string }
  | DamagedLine;

interface DamagedLine {
  readonly kind: "damaged";
  readonly reason: string;
  /** The rest of the line may still be to come: it is not a record at all. */
  readonly mayBeIncomplete: boolean;
}

const damaged = (reason: string, mayBeIncomplete = false): DamagedLine => ({ kind: "damaged", reason, mayBeIncomplete });

/** Parses a line without its newline. A comma at its end is left out, as people put one there who take the file for a JSON array. */
export function parseLine(given: string): ParsedLine {
  const line = given.replace(/,\s*$/, "");
  // A parse that fails costs far more than a look at the first character, and a file may have a million of such lines.
  if (!/^\s*[[{"\-\dtfn]/.test(line)) return damaged("not JSON", true);
  let value: unknown;
  try {
    value = parseJson(line);
  } catch (error) {
    return error instanceof RangeError ? damaged("nested too deeply") : damaged("not JSON", true);
  }
  return parseRecord(value, line);
}

/** `line`: the record as text. */
export function parseRecord(value: unknown, line: string): ParsedLine {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return damaged("not a record", true);
  const { type, ...fields } = value as Record<string, unknown>; // an object, as tested above
  if (type === "entity") return parseEntity(fields);
  if (type === "relation") return parseRelation(fields);
  return { kind: "record", line };
}

function parseEntity({ name, entityType, observations = [], observationTimes, ...extra }: Record<string, unknown>): ParsedLine {
  if (!isText(name) || name === "") return damaged("name is not a text");
  if (!isText(entityType)) return damaged("entityType is not a text");
  if (!Array.isArray(observations) || !observations.every(isText)) return damaged("observations are not a list of texts");
  const times = parseTimes(observationTimes, observations);
  return { kind: "entity", entity: { name, entityType, observations, ...(times.size > 0 && { times }) }, extra: formatExtra(extra) };
}

/** Without those of observations that another program has removed. */
function parseTimes(given: unknown, observations: readonly string[]): Map<string, string> {
  if (typeof given !== "object" || given === null) return new Map();
  const texts = new Set(observations);
  return new Map(
    Object.entries(given).flatMap(([text, value]) => {
      const times = texts.has(text) ? timesIn(value) : undefined;
      return times === undefined ? [] : [[text, times] as const];
    }),
  );
}

function parseRelation({ from, to, relationType, ...extra }: Record<string, unknown>): ParsedLine {
  if (!isText(from) || !isText(to) || from === "" || to === "") return damaged("from and to are not names");
  if (!isText(relationType)) return damaged("relationType is not a text");
  return { kind: "relation", relation: { from, to, relationType }, extra: formatExtra(extra) };
}

const isText = (value: unknown): value is string => typeof value === "string" && value.isWellFormed();

const formatExtra = (fields: Record<string, unknown>): string | undefined =>
  Object.keys(fields).length === 0 ? undefined : JSON.stringify(fields);

/** As the reference server formats it, without a newline. */
export function formatEntity({ name, entityType, observations, times }: TimedEntity, extra?: string | null): string {
  const json = addExtra(JSON.stringify({ type: "entity", name, entityType, observations }), extra);
  if (times === undefined) return json;
  const timed = observations.flatMap((text) => (times.has(text) ? [`${JSON.stringify(text)}:${times.get(text)}`] : []));
  return `${json.slice(0, -1)},"observationTimes":{${[...new Set(timed)].join(",")}}}`;
}

/** As the reference server formats it, without a newline. */
export const formatRelation = ({ from, to, relationType }: Relation, extra?: string | null): string =>
  addExtra(JSON.stringify({ type: "relation", from, to, relationType }), extra);

const addExtra = (json: string, extra: string | null | undefined): string =>
  extra === null || extra === undefined ? json : `${json.slice(0, -1)},${extra.slice(1)}`;

/**
 * Splits a line that holds several records, as when a record was appended to a file without a final newline. Undefined where the line is
 * anything else. Reads the line once: a long line of brackets must not cost more than its length.
 */
export function splitFusedRecords(line: string): ParsedLine[] | undefined {
  if (!/\}\s*,?\s*\{/.test(line)) return undefined;
  const records: ParsedLine[] = [];
  let start = 0;
  for (const end of objectEnds(line)) {
    const record = parseLine(line.slice(start, end).replace(/^\s*,/, ""));
    if (record.kind === "damaged") return undefined;
    records.push(record);
    start = end;
  }
  const isWhole = /^\s*,?\s*$/.test(line.slice(start));
  return isWhole && records.length > 1 ? records : undefined;
}

/** Where brackets outside of texts are closed again. */
function* objectEnds(line: string): Generator<number> {
  let [depth, isText] = [0, false];
  for (let at = 0; at < line.length; at++) {
    const character = line[at];
    if (isText && character === "\\") at++;
    else if (character === '"') isText = !isText;
    else if (isText) continue;
    else if (character === "{" || character === "[") depth++;
    else if ((character === "}" || character === "]") && --depth <= 0) yield at + 1;
  }
}
