// conjunction: one schema for values that fit both of two, as a reference beside other keywords means.
// https://json-schema.org/draft/2020-12/json-schema-core#name-direct-references-with-ref
import { isObject, type Json } from "../../wire/json-rpc.ts";

const ANNOTATIONS = new Set(["title", "description", "default", "examples", "deprecated", "readOnly", "writeOnly", "$comment"]);
const LOWER = new Set(["minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"]);
const UPPER = new Set(["maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"]);
/** Keywords that look at each other: of two schemas with keywords of one group, each looks at its own. */
const GROUPS = [
  ["properties", "patternProperties", "additionalProperties"],
  ["items", "prefixItems"],
  ["contains", "minContains", "maxContains"],
  ["if", "then", "else"],
] as const;

/** The keywords of both in one schema where that means the same, else `allOf`. Annotations of the second replace those of the first. */
export function conjunction(first: Json, second: Json): Json {
  const isAnnotation = ([key]: [string, unknown]): boolean => ANNOTATIONS.has(key) || key.startsWith("x-");
  const entries = Object.entries(second);
  const annotations = Object.fromEntries(entries.filter(isAnnotation));
  const constraints = Object.fromEntries(entries.filter((entry) => !isAnnotation(entry)));
  const merged = merge(first, constraints);
  if (merged !== undefined) return { ...merged, ...annotations };
  const type = first.type ?? constraints.type;
  return { ...(type !== undefined && { type }), allOf: [first, constraints], ...annotations };
}

function merge(first: Json, second: Json): Json | undefined {
  if (Object.keys(second).length === 0) return first;
  if ([first, second].some((one) => "unevaluatedProperties" in one || "unevaluatedItems" in one)) return undefined;
  const uses = (one: Json, [...group]: readonly string[]): string[] => group.filter((key) => key in one);
  for (const group of GROUPS) {
    const both = [...uses(first, group), ...uses(second, group)];
    if (uses(first, group).length > 0 && uses(second, group).length > 0 && both.some((key) => key !== "properties")) return undefined;
  }
  const merged = { ...first };
  for (const [key, value] of Object.entries(second)) {
    const joined = key in first ? joinedMember(key, first[key], value) : value;
    if (joined === undefined) return undefined;
    merged[key] = joined;
  }
  return merged;
}

/** One value of a keyword that means both; undefined where there is none. */
function joinedMember(key: string, one: unknown, other: unknown): unknown {
  if (JSON.stringify(one) === JSON.stringify(other)) return one;
  if (typeof one === "number" && typeof other === "number") {
    if (LOWER.has(key)) return Math.max(one, other);
    if (UPPER.has(key)) return Math.min(one, other);
  }
  if (key === "required" && Array.isArray(one) && Array.isArray(other)) return [...new Set<unknown>([...one, ...other])];
  if (key !== "properties" || !isObject(one) || !isObject(other)) return undefined;
  const shared = Object.entries(other).map(([name, schema]) => {
    const before = Object.hasOwn(one, name) ? one[name] : true;
    if (before === true || schema === true) return [name, before === true ? schema : before] as const;
    return [name, isObject(before) && isObject(schema) ? conjunction(before, schema) : false] as const;
  });
  return { ...one, ...Object.fromEntries(shared) };
}
