// The lines of a JSONL file, read and written: entities, relations, records of kinds that are not known here, and what is none of
// these. What a record has beside its known fields is kept as it stands.
import type { Entity, Relation } from "../model.ts";

export type Line =
  | { readonly kind: "entity"; readonly entity: Entity; readonly extra: string | undefined }
  | { readonly kind: "relation"; readonly relation: Relation; readonly extra: string | undefined }
  /** An object of another type, or of none. */
  | { readonly kind: "record"; readonly line: string }
  | { readonly kind: "damaged"; readonly why: string };

const damaged = (why: string): Line => ({ kind: "damaged", why });

/** JSON with every number as it was written, also those that JavaScript cannot hold. */
function parse(text: string): unknown {
  return JSON.parse(text, (_key, value: unknown, context?: { source?: string }) => {
    const source = context?.source;
    return typeof value === "number" && source !== undefined && String(value) !== source ? rawJson(source) : value;
  });
}

const rawJson = (source: string): unknown => (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON(source); // in every Node served

/** One line, without its end. */
export function readLine(line: string): Line {
  let value: unknown;
  try {
    value = parse(line);
  } catch {
    return damaged("it is no JSON");
  }
  return readRecord(value, line);
}

export function readRecord(value: unknown, line: string): Line {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return damaged("it is no record");
  const { type, ...fields } = value as Record<string, unknown>; // an object: looked at above
  if (type === "entity") return readEntity(fields);
  if (type === "relation") return readRelation(fields);
  return { kind: "record", line };
}

function readEntity({ name, entityType, observations = [], ...extra }: Record<string, unknown>): Line {
  if (!isText(name) || name === "") return damaged("its name is no text");
  if (!isText(entityType)) return damaged("its entityType is no text");
  if (!Array.isArray(observations) || !observations.every(isText)) return damaged("its observations are no list of texts");
  return { kind: "entity", entity: { name, entityType, observations }, extra: extraOf(extra) };
}

function readRelation({ from, to, relationType, ...extra }: Record<string, unknown>): Line {
  if (!isText(from) || !isText(to) || from === "" || to === "") return damaged("its ends are no names");
  if (!isText(relationType)) return damaged("its relationType is no text");
  return { kind: "relation", relation: { from, to, relationType }, extra: extraOf(extra) };
}

const isText = (value: unknown): value is string => typeof value === "string" && value.isWellFormed();

const extraOf = (fields: Record<string, unknown>): string | undefined =>
  Object.keys(fields).length === 0 ? undefined : JSON.stringify(fields);

const withExtra = (json: string, extra: string | null | undefined): string =>
  extra === null || extra === undefined ? json : `${json.slice(0, -1)},${extra.slice(1)}`;

/** As the reference server writes it. */
export const entityLine = ({ name, entityType, observations }: Entity, extra?: string | null): string =>
  withExtra(JSON.stringify({ type: "entity", name, entityType, observations }), extra);

export const relationLine = ({ from, to, relationType }: Relation, extra?: string | null): string =>
  withExtra(JSON.stringify({ type: "relation", from, to, relationType }), extra);

/**
 * Records that stand on one line, as when a line was appended to a file without a newline at its end. Undefined: it is not that.
 */
export function unfuse(line: string): Line[] | undefined {
  const parts: Line[] = [];
  let from = 0;
  for (let at = line.indexOf("}{"); ; at = line.indexOf("}{", at + 1)) {
    const end = at === -1 ? line.length : at + 1;
    const read = readLine(line.slice(from, end));
    if (read.kind !== "damaged") {
      parts.push(read);
      from = end;
    }
    if (at === -1) return from === line.length && parts.length > 1 ? parts : undefined;
  }
}
