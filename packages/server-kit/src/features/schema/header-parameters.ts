// Arguments of a tool that clients repeat in HTTP headers, as its schema marks them by `x-mcp-header`.
// https://modelcontextprotocol.io/specification/2026-07-28/server/tools#header-parameters
import { isObject, type Json } from "../../wire/json-rpc.ts";
import { NAMED_SCHEMAS, SCHEMAS } from "./json-schema.ts";

const MARK = "x-mcp-header";

export interface HeaderParameter {
  /** What follows `Mcp-Param-`. */
  readonly name: string;
  /** Path of the argument in the arguments object. */
  readonly path: readonly string[];
  readonly type: "string" | "integer" | "boolean";
}

/** The marked arguments of a schema. Throws a TypeError, naming the tool, on a mark for which clients would drop the tool. */
export function headerParameters(schema: Json, owner: string): readonly HeaderParameter[] {
  const found: HeaderParameter[] = [];
  const reached = new Set<Json>();
  const walk = (node: Json, path: readonly string[]): void => {
    if (!isObject(node.properties)) return;
    for (const [key, property] of Object.entries(node.properties)) {
      if (!isObject(property)) continue;
      if (property[MARK] !== undefined) {
        reached.add(property);
        found.push(checked(property, [...path, key], owner));
      }
      walk(property, [...path, key]);
    }
  };
  walk(schema, []);
  const names = new Set(found.map(({ name }) => name.toLowerCase()));
  if (names.size < found.length) throw new TypeError(`${owner}: two arguments have the same ${MARK}`);
  if (JSON.stringify(schema).includes(`"${MARK}":`) && marks(schema) > reached.size) {
    throw new TypeError(`${owner}: ${MARK} is allowed only on arguments that are reached through "properties"`);
  }
  return found;
}

function checked(property: Json, path: readonly string[], owner: string): HeaderParameter {
  const { [MARK]: name, type } = property;
  if (typeof name !== "string" || !/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name)) {
    throw new TypeError(`${owner}, ${path.join(".")}: ${MARK} is the rest of a header name, not ${JSON.stringify(name)}`);
  }
  if (type !== "string" && type !== "integer" && type !== "boolean") {
    throw new TypeError(`${owner}, ${path.join(".")}: ${MARK} needs a string, an integer or a boolean`);
  }
  return { name, path, type };
}

/** Number of marked schemas, at any depth; data inside a schema does not count. */
function marks(node: unknown): number {
  if (Array.isArray(node)) return node.reduce((sum: number, item: unknown) => sum + marks(item), 0);
  if (!isObject(node)) return 0;
  let sum = node[MARK] === undefined ? 0 : 1;
  for (const [key, value] of Object.entries(node)) {
    if (SCHEMAS.has(key)) sum += marks(value);
    else if (NAMED_SCHEMAS.has(key) || key === "$defs") sum += isObject(value) ? marks(Object.values(value)) : 0;
  }
  return sum;
}

export function readPath(value: Json, path: readonly string[]): unknown {
  return path.reduce<unknown>((at, key) => (isObject(at) && Object.hasOwn(at, key) ? at[key] : undefined), value);
}
