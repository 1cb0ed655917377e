// readRoots: reads the roots in a client's response to `roots/list`. https://modelcontextprotocol.io/specification/2025-11-25/client/roots
import { ToolError } from "../protocol/errors.ts";
import type { Root } from "../protocol/types.ts";
import { isObject, type Json } from "../wire/json-rpc.ts";

/** Roots beyond this number are ignored, and so are those beyond this many characters of JSON: a session keeps them. */
const MAX_ROOTS = 1000;
const MAX_ROOTS_LENGTH = 256 * 1024;

/** Whether a response to `roots/list` names a root, usable or not. */
export const namesRoots = ({ roots }: Json): boolean => Array.isArray(roots) && roots.length > 0;

export function readRoots(result: Json): Root[] {
  if (!Array.isArray(result.roots)) throw new ToolError("Invalid response from the client: expected a list of roots.");
  const isRoot = (root: unknown): root is Root => isObject(root) && typeof root.uri === "string" && /^file:\/\//i.test(root.uri);
  const roots = result.roots.slice(0, MAX_ROOTS).filter(isRoot);
  let length = 0;
  const end = roots.findIndex((root) => (length += JSON.stringify(root).length) > MAX_ROOTS_LENGTH);
  return end === -1 ? roots : roots.slice(0, end);
}
