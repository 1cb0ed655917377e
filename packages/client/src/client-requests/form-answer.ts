// The content of an accepted form: its defaults, and its validation against the requested schema.
// https://modelcontextprotocol.io/specification/2025-11-25/client/elicitation#requested-schema
import { isObject, type Json } from "@oarlock/server-kit/protocol";

/** The default values of a form's fields. */
export function formDefaults(schema: Json): Json {
  const fields = Object.entries(fieldsOf(schema)).filter(([, field]) => field.default !== undefined);
  return Object.fromEntries(fields.map(([name, field]) => [name, field.default]));
}

/** The first error of a form's content; undefined if the content is valid. */
export function formError(content: Json, schema: Json): string | undefined {
  const fields = fieldsOf(schema);
  const required = Array.isArray(schema.required) ? schema.required : [];
  const missing = required.find((name) => typeof name === "string" && content[name] === undefined);
  if (missing !== undefined) return `${String(missing)}: required, and missing`;
  for (const [name, value] of Object.entries(content)) {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    const error = field === undefined ? "not a field of the form" : valueError(value, field);
    if (error !== undefined) return `${name}: ${error}`;
  }
  return undefined;
}

function fieldsOf(schema: Json): Record<string, Json> {
  const properties = isObject(schema.properties) ? schema.properties : {};
  return Object.fromEntries(Object.entries(properties).filter((entry): entry is [string, Json] => isObject(entry[1])));
}

function valueError(value: unknown, field: Json): string | undefined {
  switch (field.type) {
    case "boolean":
      return typeof value === "boolean" ? undefined : "expected true or false";
    case "integer":
    case "number":
      return numberError(value, field);
    case "array":
      return listError(value, field);
    case "string":
      return textError(value, field);
    default:
      return ["string", "number", "boolean"].includes(typeof value) ? undefined : "expected a string, a number or a boolean";
  }
}

function numberError(value: unknown, { type, minimum, maximum }: Json): string | undefined {
  if (typeof value !== "number" || !Number.isFinite(value)) return "expected a number";
  if (type === "integer" && !Number.isInteger(value)) return "expected a whole number";
  if (typeof minimum === "number" && value < minimum) return `expected at least ${minimum}`;
  if (typeof maximum === "number" && value > maximum) return `expected at most ${maximum}`;
  return undefined;
}

function textError(value: unknown, field: Json): string | undefined {
  if (typeof value !== "string") return "expected text";
  const choices = choicesOf(field, "oneOf");
  if (choices !== undefined) return choices.includes(value) ? undefined : `expected one of ${choices.join(", ")}`;
  const { length } = Array.from(value); // characters, not UTF-16 units
  if (typeof field.minLength === "number" && length < field.minLength) return `expected at least ${field.minLength} characters`;
  if (typeof field.maxLength === "number" && length > field.maxLength) return `expected at most ${field.maxLength} characters`;
  return undefined;
}

function listError(value: unknown, { items, minItems, maxItems }: Json): string | undefined {
  if (!Array.isArray(value) || !value.every((item) => typeof item === "string")) return "expected a list of strings";
  const choices = isObject(items) ? choicesOf(items, "anyOf") : undefined;
  const unknownItem = choices && value.find((item) => !choices.includes(item));
  if (unknownItem !== undefined) return `expected only ${choices?.join(", ")}`;
  if (typeof minItems === "number" && value.length < minItems) return `expected at least ${minItems} choices`;
  if (typeof maxItems === "number" && value.length > maxItems) return `expected at most ${maxItems} choices`;
  return undefined;
}

/** The choices in `enum`, or with titles: `const` members of `oneOf` or, for the items of a list, `anyOf`. */
function choicesOf(field: Json, titledKeyword: "oneOf" | "anyOf"): unknown[] | undefined {
  if (Array.isArray(field.enum)) return field.enum;
  const titled = field[titledKeyword];
  return Array.isArray(titled) ? titled.filter(isObject).map((choice) => choice.const) : undefined;
}
