// resolvePointer: the schema that a reference within the same document names. https://www.rfc-editor.org/rfc/rfc6901
import { isObject, type Json } from "../../wire/json-rpc.ts";

/** Undefined for a reference to another document, or to nothing. */
export function resolvePointer(root: Json, ref: unknown): Json | undefined {
  if (ref === "#") return root;
  if (typeof ref !== "string" || !ref.startsWith("#/")) return undefined;
  const segments = ref.slice(2).split("/").map(decode);
  // Some libraries, such as zod, write the slash of a name as it is.
  const [folder = "", ...name] = segments;
  const found = at(at(root, folder), name.join("/")) ?? segments.reduce<unknown>(at, root);
  return isObject(found) ? found : undefined;
}

const at = (node: unknown, key: string): unknown => {
  if (Array.isArray(node)) return /^\d+$/.test(key) ? (node as unknown[])[Number(key)] : undefined;
  return isObject(node) && Object.hasOwn(node, key) ? node[key] : undefined;
};

function decode(segment: string): string {
  const text = segment.replaceAll("~1", "/").replaceAll("~0", "~");
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
