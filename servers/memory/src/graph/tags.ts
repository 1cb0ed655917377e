// Tags of an entity: the member `tags` of its record in the JSONL file. They are kept with the fields of the record that the server does not
// know, so every store and every older server keeps them.
import { parseJson } from "./jsonl/json-values.ts";

/** Longest tag, in characters. */
export const MAX_TAG_LENGTH = 100;
/** Most tags of an entity. */
export const MAX_TAGS = 100;

/** `extra`: the unknown fields of the record, as a JSON object. */
export function tagsOf(extra: string | null | undefined): string[] {
  if (extra === null || extra === undefined || !extra.includes('"tags"')) return [];
  const { tags } = fieldsOf(extra);
  return normalizeTags(Array.isArray(tags) ? tags : []);
}

/** The fields with other tags. */
export function withTags(extra: string | null | undefined, tags: readonly string[]): string {
  const { tags: _past, ...others } = fieldsOf(extra ?? "{}");
  return JSON.stringify({ ...others, ...(tags.length > 0 && { tags }) });
}

/** Without `#`, without blanks around them, and each once. Other values are left out. */
export function normalizeTags(given: readonly unknown[]): string[] {
  const tags = given.flatMap((tag) => (typeof tag === "string" ? [tag.trim().replace(/^#+/, "").trim()] : []));
  return [...new Set(tags.filter((tag) => tag !== "" && tag.length <= MAX_TAG_LENGTH && tag.isWellFormed()))].slice(0, MAX_TAGS);
}

export const sameTags = (a: readonly string[], b: readonly string[]): boolean => a.length === b.length && a.every((tag) => b.includes(tag));

const fieldsOf = (extra: string): Record<string, unknown> => parseJson(extra) as Record<string, unknown>; // records.ts writes an object
