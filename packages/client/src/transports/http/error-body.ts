// JSON-RPC responses in the body of an HTTP error: more specific than the status.
import { isId, isObject, kindOf, type Id, type Json } from "@oarlock/server-kit/protocol";

function parseObject(body: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(body);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Whether the body of an HTTP error is the response to this request. */
export function isResponseTo(id: Id, body: string): boolean {
  const value = parseObject(body);
  return value !== undefined && kindOf(value) === "response" && value.id === id;
}

/**
 * The response to a stateless request in the body of an HTTP error, if there is one. An error without an id belongs to the only
 * request of the POST; its id is added.
 */
export function statelessErrorResponse(id: Id, body: string): string | undefined {
  const value = parseObject(body);
  if (value === undefined || !isObject(value.error) || typeof value.error.code !== "number") return undefined;
  if (isId(value.id)) return value.id === id ? body : undefined;
  return JSON.stringify({ ...value, jsonrpc: "2.0", id });
}
