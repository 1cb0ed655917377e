// ArgumentNames: reads the arguments of a call by the names in the tool's published schema. Models misspell optional arguments and send null
// for those that they leave out.
import { isObject, type Json } from "../wire/json-rpc.ts";
import { nearestName } from "./nearest-name.ts";
import { truncate } from "./schema/schema.ts";

/** A call may hold a million arguments. */
const MAX_REPORTED = 5;
const MAX_NAME_LENGTH = 64;

export class ArgumentNames {
  readonly #properties: Json;
  readonly #required: readonly unknown[];
  /** Whether the schema names all arguments. */
  readonly #isComplete: boolean;

  constructor(inputSchema: Json) {
    const { properties, required, additionalProperties = false } = inputSchema;
    this.#properties = isObject(properties) ? properties : {};
    this.#required = Array.isArray(required) ? required : [];
    this.#isComplete = isObject(properties) && additionalProperties === false && !OPENING.some((key) => key in inputSchema);
  }

  /** The arguments without those that are null although they are optional and their schema has no null. */
  withoutNulls(args: Json): Json {
    const leftOut = Object.entries(this.#properties)
      .filter(([name, schema]) => args[name] === null && !this.#required.includes(name) && !allowsNull(schema))
      .map(([name]) => name);
    if (leftOut.length === 0) return args;
    return Object.fromEntries(Object.entries(args).filter(([name]) => !leftOut.includes(name)));
  }

  #unknownIn(args: Json): string[] {
    const unknown: string[] = [];
    for (const name in args) {
      if (!Object.hasOwn(this.#properties, name) && unknown.push(name) === MAX_REPORTED) break;
    }
    return unknown;
  }

  /** One sentence for each argument that the schema does not name, at most five. */
  describeUnknown(args: Json): string[] {
    const unknown = this.#isComplete ? this.#unknownIn(args) : [];
    if (unknown.length === 0) return unknown;
    const known = Object.keys(this.#properties);
    const free = known.filter((name) => !Object.hasOwn(args, name));
    const expected = known.length === 0 ? "this tool takes no arguments." : `expected ${known.join(", ")}.`;
    return unknown.map((name) => {
      const near = nearestName(name, free);
      return `Unknown argument ${quoted(name)}: ${near === undefined ? expected : `did you mean "${near}"?`}`;
    });
  }
}

/** Members by which a schema may have more properties than it names. */
const OPENING = ["patternProperties", "allOf", "anyOf", "oneOf", "if", "$ref", "dependentSchemas"];

function allowsNull(schema: unknown): boolean {
  if (!isObject(schema)) return true;
  const { type, enum: values, anyOf, oneOf } = schema;
  if ("const" in schema) return schema.const === null;
  if (Array.isArray(values)) return values.includes(null);
  const choices: unknown = anyOf ?? oneOf;
  if (Array.isArray(choices)) return choices.some(allowsNull);
  return type === undefined || type === "null" || (Array.isArray(type) && type.includes("null"));
}

/** A caller's text as JSON; invisible characters, and those that change the direction of text, as JSON escapes too. */
const quoted = (name: string): string => JSON.stringify(truncate(name, MAX_NAME_LENGTH)).replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, jsonEscape);

const jsonEscape = (character: string): string =>
  character
    .split("")
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .join("");
