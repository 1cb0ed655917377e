// JSON-RPC 2.0 messages as they stand on the wire: kinds, checks and one-pass text.
// https://www.jsonrpc.org/specification (MCP adds: ids are strings or integers, params are objects).

/** A JSON object whose members nobody has checked yet. */
export type Json = Record<string, unknown>;

/** A request id. `1` and `"1"` are different ids. */
export type Id = string | number;

/** A JSON-RPC error. https://www.jsonrpc.org/specification */
export interface ErrorObject {
  code: number;
  message: string;
  data?: unknown;
}

/** A message that wants an answer. */
export interface RequestMessage {
  jsonrpc: "2.0";
  id: Id;
  method: string;
  params?: Json;
}

/** A message that wants none. */
export interface NotificationMessage {
  jsonrpc: "2.0";
  method: string;
  params?: Json;
}

/** An answer. */
export interface ResponseMessage {
  jsonrpc: "2.0";
  id: Id;
  result?: Json;
  error?: ErrorObject;
}

/** What a parsed line turned out to be. `bad-params` is a request whose params are no object; `ignored` wants no answer. */
export type Kind = "request" | "notification" | "response" | "bad-params" | "ignored" | "invalid";

/** What came is no JSON. */
export const PARSE_ERROR = -32700;
/** What came is no message, or not now. */
export const INVALID_REQUEST = -32600;
/** There is no such method, here or in this revision. */
export const METHOD_NOT_FOUND = -32601;
/** The params are not of the shape that the method has. */
export const INVALID_PARAMS = -32602;
/** The fault is ours. */
export const INTERNAL_ERROR = -32603;

/** Whether a value is a JSON object: not null, no array. */
export function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether a value may stand as the id of a request. */
export function isId(value: unknown): value is Id {
  return typeof value === "string" || Number.isSafeInteger(value);
}

/** Decides what a parsed value is, by which members it has; reads nothing below params. */
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
  // An error with a null id tells us of a line that the peer could not read: there is nobody to hand it to.
  return isId(id) ? "response" : failed ? "ignored" : "invalid";
}

/**
 * True when a parsed value nests at most `depth` levels and holds at most `members` values. Text shorter than
 * `2 * depth` cannot nest deeper, so callers skip this walk for it. The walk itself never goes deeper than `depth`.
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

/** The answer to a request, around a result that is JSON text already. */
export function resultText(id: Id, result: string): string {
  // Not `${id}`: V8 remembers the texts of many numbers, so each would outlive collections, and the heap would grow for them.
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`;
}

/** An error answer; the id is null when the request could not be read. */
export function errorText(id: Id | null, error: ErrorObject): string {
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"error":${JSON.stringify(error)}}`;
}

/** A notification as text. */
export function notificationText(method: string, params?: Json): string {
  return `{"jsonrpc":"2.0","method":"${method}"${params === undefined ? "" : `,"params":${JSON.stringify(params)}`}}`;
}

/** A request as text. */
export function requestText(id: Id, method: string, params?: Json): string {
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"method":"${method}"${params === undefined ? "" : `,"params":${JSON.stringify(params)}`}}`;
}

/**
 * JSON may hold U+2028 and U+2029 raw, but some who read lines or events break there (Node's readline, Python's splitlines).
 * Most texts are stored one byte a character, where looking for these costs nothing.
 */
export function withoutSeparators(text: string): string {
  if (!text.includes("\u2028") && !text.includes("\u2029")) return text;
  return text.replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029");
}
