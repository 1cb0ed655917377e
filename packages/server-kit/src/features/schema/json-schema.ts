// Publishes schemas: converts each once, normalizes it to the form that hosts accept, and throws when hosts would
// refuse it (no dialect line, no references, no safe-integer bounds, a `type` beside every `enum`, an object at the root).
// https://modelcontextprotocol.io/specification/2026-07-28/basic#json-schema-usage
import { isObject, type Json } from "../../wire/json-rpc.ts";
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
  const converted = schema["~standard"].jsonSchema[side]({ target: "draft-2020-12" });
  const ready = options.strictHosts ? normalise(side === "output" ? open(converted) : converted, options.owner) : converted;
  published.set(schema, (published.get(schema) ?? new Map<string, Json>()).set(key, ready));
  return ready;
}

/** Results stay open: a validating client must not break when a later version adds a member. */
function open(schema: Json): Json {
  const { additionalProperties, ...rest } = schema;
  return additionalProperties === false ? rest : schema;
}

/** The state of one normalization. */
interface Scope {
  readonly definitions: Json;
  readonly owner: string;
  /** How many schemas may still follow: references and shared parts can make a small schema large. */
  left: number;
}

function normalise(schema: Json, owner: string): Json {
  const definitions = isObject(schema.$defs) ? schema.$defs : isObject(schema.definitions) ? schema.definitions : {};
  const scope: Scope = { definitions, owner, left: MAX_SCHEMAS };
  const root = clean(schema, scope, 0);
  if (root.type !== "object")
    throw new TypeError(`${scope.owner}: the schema must describe an object, as hosts drop tools with any other root`);
  for (const key of COMPOSITION)
    if (key in root) throw new TypeError(`${scope.owner}: "${key}" at the root of a schema is refused by hosts`);
  return root;
}

function clean(node: Json, scope: Scope, depth: number): Json {
  if (depth > MAX_DEPTH) throw new TypeError(`${scope.owner}: the schema nests deeper than ${MAX_DEPTH} levels or refers to itself`);
  if (--scope.left < 0) throw new TypeError(`${scope.owner}: the schema is made of more than ${MAX_SCHEMAS} schemas`);
  const { $ref, ...rest } = node;
  if ($ref !== undefined) return clean({ ...resolve($ref, scope), ...rest }, scope, depth + 1);
  const out: Json = {};
  for (const [key, value] of Object.entries(rest)) {
    if (isOlder(key, value))
      throw new TypeError(`${scope.owner}: "${key}" means something else in JSON Schema 2020-12, which is what is published`);
    if (key === "$schema" || key === "$defs" || key === "definitions") continue;
    if (key === "$dynamicRef" || key === "$recursiveRef") throw new TypeError(`${scope.owner}: "${key}" is refused by hosts`);
    if ((key === "maximum" && value === SAFE) || (key === "minimum" && value === -SAFE)) continue;
    out[key] = cleanMember(key, value, scope, depth);
  }
  if (Array.isArray(out.enum) && out.type === undefined && out.enum.length > 0) {
    const types = new Set(out.enum.map((item) => (item === null ? "null" : typeof item)));
    if (types.size === 1) out.type = [...types][0];
  }
  return out;
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

function resolve(ref: unknown, scope: Scope): Json {
  const name = typeof ref === "string" ? /^#\/(?:\$defs|definitions)\/([^/]+)$/.exec(ref)?.[1] : undefined;
  const target = name !== undefined && Object.hasOwn(scope.definitions, name) ? scope.definitions[name] : undefined;
  if (!isObject(target)) throw new TypeError(`${scope.owner}: a reference outside the schema's own $defs is refused: ${String(ref)}`);
  return target;
}
