// ArgumentNames: reads the arguments of a call by the names in the tool's published schema. Models misspell arguments, write `dryRun` for
// `dry_run`, and send null for those that they leave out.
import { isObject, type Json } from "../../wire/json-rpc.ts";
import { nearestName, plainName } from "../nearest-name.ts";
import { escapeInvisible, truncate } from "../schema/schema.ts";

/** A call may hold a million arguments. */
const MAX_REPORTED = 5;
const MAX_NAME_LENGTH = 64;

/** One sentence for each argument that the schema does not name, at most five. */
export interface UnknownArguments {
  /** Those that differ from a free name only in letter case or separators. Their values count. */
  readonly respelled: string[];
  /** The others. Their values do not count. */
  readonly ignored: string[];
}

export class ArgumentNames {
  readonly #properties: Json;
  readonly #required: readonly unknown[];
  /** Whether the schema names all arguments. */
  readonly #isComplete: boolean;
  /** The properties that hold an object, or a list of objects. */
  readonly #nested: readonly (readonly [string, ArgumentNames])[];

  constructor(inputSchema: Json) {
    const { properties, required, additionalProperties = false } = inputSchema;
    this.#properties = isObject(properties) ? properties : {};
    this.#required = Array.isArray(required) ? required : [];
    this.#isComplete = isObject(properties) && additionalProperties === false && !OPENING.some((key) => key in inputSchema);
    this.#nested = Object.entries(this.#properties).flatMap(([name, schema]) => {
      const inner = isObject(schema) && isObject(schema.items) ? schema.items : schema;
      return isObject(inner) && isObject(inner.properties) ? [[name, new ArgumentNames(inner)] as const] : [];
    });
  }

  /** The arguments under the names of the schema, without nulls for optional ones, and what was unknown among them. */
  read(given: Json): { args: Json; unknown: UnknownArguments } {
    const unknown: UnknownArguments = { respelled: [], ignored: [] };
    return { args: this.#resolve(given, "", unknown), unknown };
  }

  /** @param at The position of `given` in the call, such as `edits.0.` */
  #resolve(given: Json, at: string, unknown: UnknownArguments): Json {
    if (this.#nested.length === 0 && this.#isExact(given)) return given;
    const changes = new Map<string, unknown>();
    const absent = new Set<string>();
    if (this.#isComplete) this.#respell(given, at, { unknown, changes, absent });
    for (const [name, schema] of Object.entries(this.#properties))
      if (given[name] === null && !this.#required.includes(name) && !allowsNull(schema)) absent.add(name);
    for (const [name, names] of this.#nested) {
      const value = changes.has(name) ? changes.get(name) : given[name];
      const resolved = names.#resolveEach(value, `${at}${name}.`, unknown);
      if (resolved !== value) changes.set(name, resolved);
    }
    if (changes.size === 0 && absent.size === 0) return given;
    return Object.fromEntries([...Object.entries(given).filter(([name]) => !absent.has(name)), ...changes]);
  }

  /** Whether all names are known and no value is null, as in most calls. Saves at least 580 of the 3,780 bytes of an echo. */
  #isExact(given: Json): boolean {
    for (const name in given) {
      if (given[name] === null) return false;
      if (this.#isComplete && !Object.hasOwn(this.#properties, name)) return false;
    }
    return true;
  }

  #resolveEach(value: unknown, at: string, unknown: UnknownArguments): unknown {
    if (isObject(value)) return this.#resolve(value, at, unknown);
    if (!Array.isArray(value)) return value;
    const items: unknown[] = value;
    const resolved = items.map((item, index) => (isObject(item) ? this.#resolve(item, `${at}${index}.`, unknown) : item));
    return resolved.some((item, index) => item !== items[index]) ? resolved : value;
  }

  #respell(given: Json, at: string, result: { unknown: UnknownArguments; changes: Map<string, unknown>; absent: Set<string> }): void {
    const { respelled, ignored } = result.unknown;
    const known = Object.keys(this.#properties);
    let free: string[] | undefined;
    for (const name in given) {
      if (Object.hasOwn(this.#properties, name)) continue;
      if (respelled.length + ignored.length === MAX_REPORTED) return;
      free ??= known.filter((one) => !Object.hasOwn(given, one));
      const subject = `Unknown argument ${quoted(at + name)}:`;
      const meant = name.length > MAX_NAME_LENGTH ? [] : free.filter((one) => plainName(one) === plainName(name));
      if (meant[0] !== undefined && meant.length === 1 && !result.changes.has(meant[0])) {
        result.changes.set(meant[0], given[name]);
        result.absent.add(name);
        respelled.push(`${subject} read as "${meant[0]}".`);
      } else ignored.push(`${subject} ${this.#advice(name, given[name], { known, free })}`);
    }
  }

  #advice(name: string, value: unknown, { known, free }: { known: string[]; free: string[] }): string {
    const near = nearestName(name, free);
    if (near !== undefined) return `did you mean "${near}"?`;
    const option = value === true ? free.find((one) => hasOption(this.#properties[one], name)) : undefined;
    if (option !== undefined) return `did you mean "${option}": ${quoted(name)}?`;
    return known.length === 0 ? "this tool takes no arguments." : `expected ${known.join(", ")}.`;
  }
}

/** Members by which a schema may have more properties than it names. */
const OPENING = ["patternProperties", "allOf", "anyOf", "oneOf", "if", "$ref", "dependentSchemas"];

const hasOption = (schema: unknown, value: string): boolean =>
  isObject(schema) && Array.isArray(schema.enum) && (schema.enum as unknown[]).includes(value);

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
const quoted = (name: string): string => escapeInvisible(JSON.stringify(truncate(name, MAX_NAME_LENGTH)));
