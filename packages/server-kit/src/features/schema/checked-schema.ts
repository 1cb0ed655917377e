// lazily: the schema of a definition, checked for what authors pass in its place. Each refusal says how to correct it.
import { isObject } from "../../wire/json-rpc.ts";
import type { Lazy, Schema } from "./schema.ts";

/** Whether a schema is made by a function when it is needed. The schemas of some libraries, such as arktype, are functions too. */
export const isLazy = (lazy: unknown): lazy is () => unknown => typeof lazy === "function" && !("~standard" in lazy);

/**
 * The schema, made at the first call when it is lazy, and checked. Throws a TypeError that begins with the owner.
 * @param owner Such as `tool "echo", input`.
 */
export function lazily<S extends Schema>(lazy: Lazy<S> | undefined, owner: string): () => S | undefined {
  if (lazy === undefined) return () => undefined;
  let schema: S | undefined;
  const load = (): S =>
    (schema ??= isLazy(lazy) ? checkedSchema(createdBy(lazy, owner), `${owner}, made by a function`) : checkedSchema(lazy, owner));
  if (!isLazy(lazy)) load();
  return load;
}

function createdBy<S>(make: () => S, owner: string): S {
  try {
    return make();
  } catch (error) {
    throw new TypeError(`${owner}: the function that makes the schema failed: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
}

/** Throws a TypeError, naming the owner and the remedy, for a value that is not a schema. */
export function checkedSchema<S extends Schema>(value: S, owner: string): S {
  const problem = problemOf(value);
  if (problem !== undefined) throw new TypeError(`${owner}: ${problem}`);
  return value;
}

/** Members by which the schemas of libraries without Standard Schema are recognized, such as those of zod 3. */
const isOtherSchema = (value: unknown): boolean => isObject(value) && ("_def" in value || "~standard" in value);

const JSON_SCHEMA_KEYS = ["type", "properties", "$schema", "$ref", "anyOf", "oneOf", "allOf"];

function problemOf(value: unknown): string | undefined {
  const isAnything = typeof value === "function" || isObject(value);
  if (!isAnything)
    return `expected a schema, got ${value === null ? "null" : typeof value}. Pass one such as z.object({ … }), or leave it out.`;
  const standard: unknown = "~standard" in value ? value["~standard"] : undefined;
  if (isObject(standard)) {
    const hasValidate = typeof standard.validate === "function";
    if (hasValidate && isObject(standard.jsonSchema)) return undefined;
    return `this schema of ${String(standard.vendor)} ${hasValidate ? "cannot be converted to JSON Schema" : "has no validate function"}. ${REMEDIES}`;
  }
  if ("_def" in value) return `this schema has no Standard Schema interface, as those of zod 3. ${REMEDIES}`;
  if (Object.values(value).some((one) => isOtherSchema(one) || (typeof one === "function" && "~standard" in one)))
    return "expected a schema, got an object of schemas. Wrap it: z.object({ … }).";
  if (JSON_SCHEMA_KEYS.some((key) => key in value))
    return "expected a schema, got a plain JSON Schema. Pass fromJsonSchema(jsonSchema, check), whose check validates the value.";
  return "expected a schema with the Standard Schema interface. Pass one such as z.object({ … }).";
}

const REMEDIES =
  "Use zod 4.2 or later, schema() of @oarlock/server-kit/zod around zod/mini, toStandardJsonSchema() of @valibot/to-json-schema, " +
  "or for other schemas fromJsonSchema(jsonSchema, check).";
