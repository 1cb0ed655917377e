// Tool arguments that are repeated as HTTP headers: the schema of the tool marks them with `x-mcp-header`.
// https://modelcontextprotocol.io/specification/2026-07-28/server/tools#header-parameters
import { isObject, type Json } from "@oarlock/server-kit/protocol";
import { encodeHeaderValue } from "../transports/http/header-value.ts";

const MARK = "x-mcp-header";

interface Parameter {
  /** The part of the header's name after `Mcp-Param-`. */
  name: string;
  /** The path of the argument. */
  path: readonly string[];
}

export type HeaderParameters = readonly Parameter[];

/** Keywords whose value is a schema or a list of schemas. Below other keywords the mark is ordinary data. */
const SCHEMA_KEYWORDS = [
  ..."additionalProperties allOf anyOf contains contentSchema else if items not oneOf prefixItems propertyNames then".split(" "),
  ..."unevaluatedItems unevaluatedProperties".split(" "),
];
/** Keywords whose value is an object of schemas. */
const SCHEMA_MAP_KEYWORDS = ["$defs", "definitions", "dependentSchemas", "patternProperties", "properties"];
const MAX_DEPTH = 100;
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/** The marked parameters of a schema, or the reason why the tool is not usable over HTTP. */
export function readHeaderParameters(schema: unknown): HeaderParameters | string {
  const found: Parameter[] = [];
  try {
    collect(schema, [], found, 0);
  } catch (error) {
    if (error instanceof InvalidSchemaError) return error.message;
    throw error;
  }
  const names = found.map(({ name }) => name.toLowerCase());
  const duplicate = names.find((name, index) => names.indexOf(name) !== index);
  return duplicate === undefined ? found : `${MARK} "${duplicate}" is not unique`;
}

class InvalidSchemaError extends Error {}

/** `path` is undefined below keywords other than `properties`. */
function collect(node: unknown, path: readonly string[] | undefined, found: Parameter[], depth: number): void {
  if (!isObject(node)) return;
  if (depth > MAX_DEPTH) throw new InvalidSchemaError(`its schema has more than ${MAX_DEPTH} levels`);
  if (node[MARK] !== undefined) found.push(readParameter(node, path));
  for (const [keyword, value] of Object.entries(node)) {
    if (SCHEMA_MAP_KEYWORDS.includes(keyword) && isObject(value)) {
      for (const [key, schema] of Object.entries(value)) {
        collect(schema, keyword === "properties" && path !== undefined ? [...path, key] : undefined, found, depth + 1);
      }
    } else if (SCHEMA_KEYWORDS.includes(keyword)) {
      for (const schema of Array.isArray(value) ? value : [value]) collect(schema, undefined, found, depth + 1);
    }
  }
}

function readParameter({ [MARK]: name, type }: Json, path: readonly string[] | undefined): Parameter {
  if (path === undefined || path.length === 0)
    throw new InvalidSchemaError(`${MARK} is misplaced: expected it on an argument reachable only through "properties"`);
  const place = `${MARK} of ${path.join(".")}`;
  if (typeof name !== "string" || !TOKEN.test(name))
    throw new InvalidSchemaError(`${place}: expected a token of HTTP, received ${JSON.stringify(name)}`);
  if (type !== "string" && type !== "integer" && type !== "boolean")
    throw new InvalidSchemaError(`${place}: expected type string, integer or boolean`);
  return { name, path };
}

/** The headers of a call with these arguments. Throws a RangeError on an integer that is not exact. */
export function parameterHeaders(parameters: HeaderParameters, args: unknown): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const { name, path } of parameters) {
    const value = path.reduce<unknown>((at, key) => (isObject(at) && Object.hasOwn(at, key) ? at[key] : undefined), args);
    // Values of other types are invalid arguments, which the server rejects.
    if (typeof value !== "string" && typeof value !== "number" && typeof value !== "boolean") continue;
    if (Number.isInteger(value) && !Number.isSafeInteger(value))
      throw new RangeError(`Argument ${path.join(".")} too large: expected an integer between -(2^53 - 1) and 2^53 - 1, received ${value}`);
    headers[`mcp-param-${name}`] = encodeHeaderValue(String(value));
  }
  return headers;
}
