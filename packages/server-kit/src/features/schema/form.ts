// formOf: converts a schema to the form of an elicitation, a flat object of strings, numbers, booleans and choices.
// https://modelcontextprotocol.io/specification/2026-07-28/client/elicitation#requested-schema
import { isObject, type Json } from "../../wire/json-rpc.ts";
import { checkedSchema } from "./checked-schema.ts";
import { publish } from "./json-schema.ts";
import type { Schema } from "./schema.ts";

const OWNER = "elicitation form";
const FORMATS = new Set<unknown>(["email", "uri", "date", "date-time"]);
const COMMON_KEYS = ["type", "title", "description", "default"];
const ALLOWED_KEYS: Record<string, readonly string[]> = {
  string: [...COMMON_KEYS, "minLength", "maxLength", "format", "enum", "enumNames", "oneOf"],
  number: [...COMMON_KEYS, "minimum", "maximum"],
  integer: [...COMMON_KEYS, "minimum", "maximum"],
  boolean: COMMON_KEYS,
  array: [...COMMON_KEYS, "items", "minItems", "maxItems"],
};

/** Converts a schema. Throws when a field has a type that forms do not have; the error names the field. */
export function formOf(schema: Schema): Json {
  const { properties, required } = publish(checkedSchema(schema, OWNER), "input", { owner: OWNER, strictHosts: true });
  const fields = Object.entries(isObject(properties) ? properties : {}).map(([name, field]) => [name, fieldOf(name, field)] as const);
  return { type: "object", properties: Object.fromEntries(fields), ...(required !== undefined && { required }) };
}

function fieldOf(name: string, schema: unknown): Json {
  const field = asChoice(schema);
  const type = isObject(field) ? field.type : undefined;
  const allowed = typeof type === "string" ? ALLOWED_KEYS[type] : undefined;
  if (!isObject(field) || allowed === undefined) {
    throw new TypeError(`Unsupported ${OWNER}, field "${name}": expected a string, number, boolean or choice. Use a flat schema.`);
  }
  const isNumber = type === "number" || type === "integer";
  if (isNumber && ["enum", "const", "oneOf", "anyOf"].some((key) => key in field)) throw new TypeError(notStrings(name));
  const kept = Object.fromEntries(Object.entries(field).filter(([key]) => allowed.includes(key)));
  if (type === "array") {
    const choice = isObject(field.items) ? (choiceOf(field.items, "anyOf") ?? choiceOf(field.items, "oneOf")) : undefined;
    if (choice === undefined)
      throw new TypeError(`Unsupported ${OWNER}, field "${name}": the items of a list must be a choice of strings. Use an enum.`);
    kept.items = "enum" in choice ? { type: "string", ...choice } : { anyOf: choice.titled };
  } else if ("oneOf" in kept) {
    const choice = choiceOf(field, "oneOf");
    if (choice === undefined) throw new TypeError(notStrings(name));
    delete kept.oneOf;
    Object.assign(kept, "enum" in choice ? choice : { oneOf: choice.titled });
  }
  if ("format" in kept && !FORMATS.has(kept.format)) delete kept.format;
  return kept;
}

const notStrings = (name: string): string => `Unsupported ${OWNER}, field "${name}": the choices must be strings. Use an enum of strings.`;

/** A choice as forms have it: schema libraries write one constant as `const`, and a choice of constants without a type. */
function asChoice(field: unknown): unknown {
  if (!isObject(field)) return field;
  if (typeof field.const === "string") {
    const { const: only, ...others } = field;
    return { ...others, type: "string", enum: [only] };
  }
  if (field.type !== undefined) return field;
  const { anyOf, oneOf = anyOf, ...rest } = field;
  return choiceOf({ oneOf }, "oneOf") === undefined ? field : { ...rest, type: "string", oneOf };
}

/** The choices of a node: strings, or strings with titles. Undefined for any other node. */
function choiceOf(node: Json, key: "anyOf" | "oneOf"): { enum: unknown[] } | { titled: Json[] } | undefined {
  const isText = (value: unknown): boolean => typeof value === "string";
  if (Array.isArray(node.enum)) return node.enum.every(isText) ? { enum: node.enum } : undefined;
  const choices: unknown = node[key];
  if (!Array.isArray(choices) || !choices.every((one): one is Json => isObject(one) && isText(one.const))) return undefined;
  if (!choices.some(({ title }) => isText(title))) return { enum: choices.map((one) => one.const) };
  return { titled: choices.map((one) => ({ const: one.const, title: isText(one.title) ? one.title : one.const })) };
}
