// Error types, and their conversion to failures. Details of unexpected errors are removed here and nowhere else.
// https://modelcontextprotocol.io/specification/2026-07-28/basic#error-codes
import { INTERNAL_ERROR, INVALID_PARAMS, METHOD_NOT_FOUND, type ErrorObject } from "../wire/json-rpc.ts";

/** Why a request failed, as far as revisions encode it differently. */
export type FailureKind = "resource-not-found" | "url-needed" | "arguments" | "tool" | "capability" | "other";

/** A failed request in the newest revision's shape; `revisions/` turns it into an error or a result. */
export interface Failure extends ErrorObject {
  kind: FailureKind;
}

/** Error code of a rate limit or full queue; outside the range that JSON-RPC reserves. */
export const TOO_MANY_REQUESTS = 429;

/**
 * A protocol error: the client sees it, the model usually does not. For an error that the model can correct, throw
 * {@link ToolError} in a tool.
 * @example throw new McpError(-32602, "Unknown level: loud", { level: "loud" });
 */
export class McpError extends Error {
  readonly code: number;
  readonly data: unknown;
  readonly kind: FailureKind;

  constructor(code: number, message: string, data?: unknown, kind: FailureKind = "other") {
    super(message);
    this.name = "McpError";
    this.code = code;
    this.data = data;
    this.kind = kind;
  }
}

/**
 * A failure that the model should read: the result has `isError` and this text.
 * @example throw new ToolError("No such file: notes.txt. List the folder to see what is there.");
 */
export class ToolError extends Error {
  readonly expose = true;

  constructor(message: string) {
    super(message);
    this.name = "ToolError";
  }
}

/** The client has answered with an error. */
export class RefusedByClient extends ToolError {
  readonly code: unknown;

  constructor({ code, message }: ErrorObject) {
    super(`The client refused the request: ${typeof message === "string" ? message.slice(0, 300) : "no reason given"}`);
    this.code = code;
  }
}

/**
 * Unwinds a handler whose client request has no response yet (newest revision). Swallowing it changes nothing, as the pending request
 * counts; but a handler that continues after a failed client request must rethrow it, or it acts before the user has answered.
 * @example if (error instanceof Suspended) throw error;
 */
export class Suspended extends Error {
  constructor() {
    super("suspended until the client has responded");
    this.name = "Suspended";
  }
}

/** The error for invalid params (code -32602); the message states what was expected. */
export const invalidParams = (message: string, data?: unknown): McpError => new McpError(INVALID_PARAMS, message, data);
export const methodNotFound = (): McpError => new McpError(METHOD_NOT_FOUND, "Method not found");

/** The error for a resource that does not exist, or that this caller may not see. */
export function resourceNotFound(uri: string): McpError {
  return new McpError(INVALID_PARAMS, "Resource not found", { uri }, "resource-not-found");
}

/** Logs an unexpected error with a reference, which the client gets instead of the details. */
export type Report = (reference: string, error: unknown) => void;

/** Whether the message of an error is meant for the caller: a `ToolError`, or any error with `expose: true`. */
export function isExposed(error: unknown): error is Error {
  return error instanceof Error && "expose" in error && error.expose === true;
}

/** The failure of a request other than a tool call. Details of unexpected errors go to `report` only. */
export function toFailure(error: unknown, report: Report): Failure {
  if (error instanceof McpError) {
    const code = Number.isSafeInteger(error.code) ? error.code : INTERNAL_ERROR;
    const failure: Failure = { code, message: error.message, kind: error.kind };
    if (error.data === undefined) return failure;
    try {
      JSON.stringify(error.data);
      return { ...failure, data: error.data };
    } catch (unserializable) {
      maskError(unserializable, report); // the client gets code and message without data, the log gets the reason
      return failure;
    }
  }
  // An exposed error blames the caller; a ToolError outside a tool is a mistake of the server's author.
  if (isExposed(error))
    return { code: error instanceof ToolError ? INTERNAL_ERROR : INVALID_PARAMS, message: error.message, kind: "other" };
  return { code: INTERNAL_ERROR, message: maskError(error, report), kind: "other" };
}

/** The failure of a tool call: the model reads it, unless it is a protocol error. */
export function toToolFailure(error: unknown, report: Report): Failure {
  if (error instanceof McpError || error instanceof Suspended) return toFailure(error, report);
  return { code: INTERNAL_ERROR, message: isExposed(error) ? error.message : maskError(error, report), kind: "tool" };
}

/** A thrown value as text for the log. Any value can be thrown, even one that cannot become text. */
export function describeError(error: unknown): string {
  try {
    if (isExposed(error)) return error.message; // its stack adds nothing
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return text === "[object Object]" ? JSON.stringify(error) : text;
  } catch {
    return "a value that cannot be shown";
  }
}

/** Whether work ended because its request was aborted: by the reason of `ctx.signal`, or an error that has this reason as its cause. */
const isStopped = (error: unknown): boolean =>
  error instanceof Error && error.name === "AbortError" && (typeof error.cause === "string" || isStopped(error.cause));

/** Reports an error and returns the text that the client sees instead. The work of an aborted request is not reported. */
export function maskError(error: unknown, report: Report): string {
  if (isStopped(error)) return "Stopped";
  const reference = Math.floor(Math.random() * 0x10000)
    .toString(16)
    .padStart(4, "0");
  report(reference, error);
  return `Internal error (ref ${reference})`;
}
