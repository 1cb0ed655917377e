// Arguments of tools that are repeated in HTTP headers, as the tools' schemas mark them by `x-mcp-header`.
// https://modelcontextprotocol.io/specification/2026-07-28/server/tools#header-parameters
import { isObject, type Json } from "@oarlock/server-kit/protocol";

const MARK = "x-mcp-header";

interface Parameter {
  /** What follows `Mcp-Param-`. */
  name: string;
  /** Where the argument stands. */
  path: readonly string[];
}

export type Parameters = readonly Parameter[];

/** Keywords whose value is a schema, a list of schemas or (the second row) schemas by name. Elsewhere the mark is only data. */
const SCHEMAS = [
  ..."additionalProperties allOf anyOf contains contentSchema else if items not oneOf prefixItems propertyNames then".split(" "),
  ..."unevaluatedItems unevaluatedProperties".split(" "),
];
const NAMED = ["$defs", "definitions", "dependentSchemas", "patternProperties", "properties"];
const DEEPEST = 100;

/** The marked arguments of a schema, or in words why its tool cannot be used over HTTP. */
export function readParameters(schema: unknown): Parameters | string {
  const found: Parameter[] = [];
  try {
    walk(schema, [], found, 0);
  } catch (error) {
    if (error instanceof Wrong) return error.message;
    throw error;
  }
  const names = found.map(({ name }) => name.toLowerCase());
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  return twice === undefined ? found : `two arguments are marked "${twice}"`;
}

class Wrong extends Error {}

/** `path` is undefined where something else than `properties` leads to. */
function walk(node: unknown, path: readonly string[] | undefined, found: Parameter[], depth: number): void {
  if (!isObject(node)) return;
  if (depth > DEEPEST) throw new Wrong(`its schema is more than ${DEEPEST} levels deep`);
  if (node[MARK] !== undefined) found.push(read(node, path));
  for (const [keyword, value] of Object.entries(node)) {
    if (NAMED.includes(keyword) && isObject(value)) {
      for (const [key, schema] of Object.entries(value)) {
        walk(schema, keyword === "properties" && path !== undefined ? [...path, key] : undefined, found, depth + 1);
      }
    } else if (SCHEMAS.includes(keyword)) {
      for (const schema of Array.isArray(value) ? value : [value]) walk(schema, undefined, found, depth + 1);
    }
  }
}

function read({ [MARK]: name, type }: Json, path: readonly string[] | undefined): Parameter {
  if (path === undefined || path.length === 0)
    throw new Wrong(`${MARK} stands where no argument is, or where "properties" alone do not lead`);
  const where = `${MARK} of ${path.join(".")}`;
  if (typeof name !== "string" || !/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name))
    throw new Wrong(`${where}: ${JSON.stringify(name)} is no part of a header's name`);
  if (type !== "string" && type !== "integer" && type !== "boolean")
    throw new Wrong(`${where}: only strings, integers and booleans can stand in a header`);
  return { name, path };
}

/** The headers for a call with these arguments. Throws a RangeError on a number that would not arrive as it is. */
export function parameterHeaders(parameters: Parameters, args: unknown): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const { name, path } of parameters) {
    const value = path.reduce<unknown>((at, key) => (isObject(at) && Object.hasOwn(at, key) ? at[key] : undefined), args);
    // What is neither is no value for this argument; the server says so.
    if (typeof value !== "string" && typeof value !== "number" && typeof value !== "boolean") continue;
    if (Number.isInteger(value) && !Number.isSafeInteger(value))
      throw new RangeError(`${path.join(".")}: ${value} is too large to be sent unchanged`);
    headers[`mcp-param-${name}`] = encoded(String(value));
  }
  return headers;
}

/** A value as it may stand in a header: as it is, or in base64 where it could be changed on its way or be taken for base64. */
export function encoded(value: string): string {
  const plain = /^(?! )[\x20-\x7e]*(?<! )$/.test(value) && !/^=\?base64\?.*\?=$/.test(value);
  return plain ? value : `=?base64?${Buffer.from(value, "utf8").toString("base64")}?=`;
}
