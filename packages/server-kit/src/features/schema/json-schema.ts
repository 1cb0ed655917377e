// Publishes schemas: converts each once, normalizes it to the form that hosts accept, and throws when hosts would
// refuse it (no dialect line, no references, no safe-integer bounds, a `type` beside every `enum`, an object at the root).
// https://modelcontextprotocol.io/specification/2026-07-28/basic#json-schema-usage
import { isObject, type Json } from "../../wire/json-rpc.ts";
import { conjunction } from "./conjunction.ts";
import { resolvePointer } from "./json-pointer.ts";
import type { Schema } from "./schema.ts";

const MAX_DEPTH = 32;
const MAX_SCHEMAS = 10_000;
const COMPOSITION = ["anyOf", "oneOf", "allOf", "not"] as const;
const SAFE = Number.MAX_SAFE_INTEGER;
/** Keywords whose value is a schema or a list of schemas, and those whose value names schemas. */
export const SCHEMAS: ReadonlySet<string> = new Set(
  "items prefixItems additionalItems contains additionalProperties propertyNames unevaluatedItems unevaluatedProperties anyOf oneOf allOf not if then else contentSchema".split(
    " ",
  ),
);
export const NAMED_SCHEMAS: ReadonlySet<string> = new Set(["properties", "patternProperties", "dependentSchemas"]);

const published = new WeakMap<Schema, Map<string, Json>>();

export interface PublishOptions {
  /** Names the owner in errors: `tool "echo"`. */
  owner: string;
  /** False passes the schema through untouched. */
  strictHosts: boolean;
}

/** The JSON Schema of one side of a schema, normalized. Throws, naming the owner, when hosts would refuse it. */
export function publish(schema: Schema, side: "input" | "output", options: PublishOptions): Json {
  const key = `${side} ${options.strictHosts}`;
  const kept = published.get(schema)?.get(key);
  if (kept !== undefined) return kept;
  const converted = convert(schema, side, options.owner);
  const ready = options.strictHosts
    ? normalise(side === "output" ? open(converted) : converted, options.owner)
    : withObjectType(converted, side, options.owner);
  published.set(schema, (published.get(schema) ?? new Map<string, Json>()).set(key, ready));
  return ready;
}

/** The JSON Schema that the library of a schema makes. Errors of libraries do not name the tool. */
function convert(schema: Schema, side: "input" | "output", owner: string): Json {
  let converted: unknown;
  try {
    converted = schema["~standard"].jsonSchema[side]({ target: "draft-2020-12" });
  } catch (error) {
    const reason = (error instanceof Error ? error.message : String(error)).replace(/\.$/, "");
    throw new TypeError(`${owner}: ${reason}. Describe values as JSON has them: ${AS_JSON}.`, { cause: error });
  }
  if (!isObject(converted)) throw new TypeError(`${owner}: ${NOT_AN_OBJECT}`);
  return converted;
}

const AS_JSON = "a date as text, a set as a list, and in an output what a transform returns by .pipe(…)";

/** Official clients drop the whole list for an input schema whose root does not have the type "object". Arguments are an object in any case. */
function withObjectType(schema: Json, side: "input" | "output", owner: string): Json {
  const { type, anyOf, oneOf = anyOf } = schema;
  if (type === "object") return schema;
  const allowsObject = type === undefined || (Array.isArray(type) && type.includes("object"));
  if (side === "input" && !allowsObject) throw new TypeError(`${owner}: ${NOT_AN_OBJECT}`);
  const isObjectUnion = Array.isArray(oneOf) && oneOf.length > 0 && oneOf.every((one) => isObject(one) && one.type === "object");
  return side === "input" || isObjectUnion ? { ...schema, type: "object" } : schema;
}

const NOT_AN_OBJECT = "the schema must describe an object, as hosts drop tools with any other root";
/** The two ways out of what many hosts refuse. */
const ways = (instead: string): string => `Pass strictHosts: false to publish it for the other hosts, or ${instead}.`;

/** Results stay open: a validating client must not break when a later version adds a member. */
function open(schema: Json): Json {
  const { additionalProperties, ...rest } = schema;
  return additionalProperties === false ? rest : schema;
}

/** The state of one normalization. */
interface Scope {
  readonly root: Json;
  readonly owner: string;
  /** The references that are being replaced: one that comes again is recursive. */
  readonly open: Set<Json>;
  /** How many schemas may still follow: references and shared parts can make a small schema large. */
  left: number;
}

function normalise(schema: Json, owner: string): Json {
  const root = clean(schema, { root: schema, owner, open: new Set(), left: MAX_SCHEMAS }, 0);
  const composed = COMPOSITION.find((key) => key in root);
  if (composed !== undefined)
    throw new TypeError(`${owner}: "${composed}" at the root of a schema is refused by many hosts. ${ways("put the union into a member")}`);
  if (root.type !== "object") throw new TypeError(`${owner}: ${NOT_AN_OBJECT}`);
  return root;
}

function clean(node: Json, scope: Scope, depth: number): Json {
  if (depth > MAX_DEPTH) throw new TypeError(`${scope.owner}: the schema nests deeper than ${MAX_DEPTH} levels`);
  if (--scope.left < 0) throw new TypeError(`${scope.owner}: the schema is made of more than ${MAX_SCHEMAS} schemas`);
  const { $ref, ...rest } = node;
  if ($ref !== undefined) return conjunction(replaced($ref, scope, depth), clean(rest, scope, depth + 1));
  const out: Json = {};
  for (const [key, value] of Object.entries(rest)) {
    if (isOlder(key, value))
      throw new TypeError(`${scope.owner}: "${key}" means something else in JSON Schema 2020-12, which is what is published`);
    if (key === "$schema" || key === "$defs" || key === "definitions") continue;
    if (key === "$dynamicRef" || key === "$recursiveRef") throw new TypeError(`${scope.owner}: "${key}" is refused by hosts`);
    if ((key === "maximum" && value === SAFE) || (key === "minimum" && value === -SAFE)) continue;
    // The names of JSON members are strings in any case, and some hosts refuse the keyword.
    if (key === "propertyNames" && JSON.stringify(value) === '{"type":"string"}') continue;
    out[key] = cleanMember(key, value, scope, depth);
  }
  if (Array.isArray(out.enum) && out.type === undefined && out.enum.length > 0) {
    const types = new Set(out.enum.map((item) => (item === null ? "null" : typeof item)));
    if (types.size === 1) out.type = [...types][0];
  }
  return out;
}

/** The schema that a reference names, in place of the reference. */
function replaced(ref: unknown, scope: Scope, depth: number): Json {
  const target = resolvePointer(scope.root, ref);
  if (target === undefined) throw new TypeError(`${scope.owner}: a reference outside the schema's own $defs is refused: ${String(ref)}`);
  if (target === scope.root || scope.open.has(target))
    throw new TypeError(
      `${scope.owner}: the schema refers to itself (${String(ref)}), which many hosts refuse. ${ways("describe the inner value without recursion, such as by z.unknown()")}`,
    );
  scope.open.add(target);
  const schema = clean(target, scope, depth + 1);
  scope.open.delete(target);
  return schema;
}

/** Keywords of older dialects that 2020-12 lacks or reads differently, and unknown dialects. */
function isOlder(key: string, value: unknown): boolean {
  if (key === "$schema") return !(typeof value === "string" && DIALECT.test(value));
  if (key === "items") return Array.isArray(value);
  if (key === "exclusiveMinimum" || key === "exclusiveMaximum") return typeof value === "boolean";
  return key === "additionalItems" || key === "dependencies";
}

/** Dialects whose remaining keywords mean the same as in 2020-12. */
const DIALECT = /^https?:\/\/json-schema\.org\/(?:draft\/2020-12|draft\/2019-09|draft-07|draft-06)\/schema#?$/;

/** Members that hold schemas are normalized too; all others are data of the schema and stay unchanged. */
function cleanMember(key: string, value: unknown, scope: Scope, depth: number): unknown {
  const down = (item: unknown): unknown => (isObject(item) ? clean(item, scope, depth + 1) : item);
  if (NAMED_SCHEMAS.has(key)) {
    return isObject(value) ? Object.fromEntries(Object.entries(value).map(([name, item]) => [name, down(item)])) : value;
  }
  if (!SCHEMAS.has(key)) return value;
  return Array.isArray(value) ? value.map(down) : down(value);
}
