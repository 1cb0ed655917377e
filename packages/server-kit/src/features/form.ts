// A question's schema as the form that clients can draw: a flat object of strings, numbers, booleans and choices.
// https://modelcontextprotocol.io/specification/2026-07-28/client/elicitation#requested-schema
import { isObject, type Json } from "../wire/json-rpc.ts";
import { publish } from "./json-schema.ts";
import type { Schema } from "./schema.ts";

const OWNER = "a question to the user";
const FORMATS = new Set<unknown>(["email", "uri", "date", "date-time"]);
const ALWAYS = ["type", "title", "description", "default"];
const ALLOWED: Record<string, readonly string[]> = {
  string: [...ALWAYS, "minLength", "maxLength", "format", "enum", "enumNames", "oneOf"],
  number: [...ALWAYS, "minimum", "maximum"],
  integer: [...ALWAYS, "minimum", "maximum"],
  boolean: ALWAYS,
  array: [...ALWAYS, "items", "minItems", "maxItems"],
};

/** The form of a schema. Throws, naming the field, what no form can hold. */
export function formOf(schema: Schema): Json {
  const { properties, required } = publish(schema, "input", { owner: OWNER, strictHosts: true });
  const fields = Object.entries(isObject(properties) ? properties : {}).map(([name, field]) => [name, fieldOf(name, field)] as const);
  return { type: "object", properties: Object.fromEntries(fields), ...(required !== undefined && { required }) };
}

function fieldOf(name: string, field: unknown): Json {
  const type = isObject(field) ? field.type : undefined;
  const allowed = typeof type === "string" ? ALLOWED[type] : undefined;
  if (!isObject(field) || allowed === undefined) {
    throw new TypeError(`${OWNER}, field "${name}": expected a string, number, boolean or choice`);
  }
  if (type === "array" && !(isObject(field.items) && ("enum" in field.items || "anyOf" in field.items))) {
    throw new TypeError(`${OWNER}, field "${name}": a list can only be a choice of several`);
  }
  const kept = Object.fromEntries(Object.entries(field).filter(([key]) => allowed.includes(key)));
  if ("format" in kept && !FORMATS.has(kept.format)) delete kept.format;
  return kept;
}
