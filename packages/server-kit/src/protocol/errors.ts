// Errors with a meaning on the wire, and the one place where an unexpected error loses its details.
// https://modelcontextprotocol.io/specification/2026-07-28/basic#error-codes
import { INTERNAL_ERROR, INVALID_PARAMS, METHOD_NOT_FOUND, type ErrorObject } from "../wire/json-rpc.ts";

/** Why a request failed, where revisions differ in how they say it. */
export type FailureKind = "resource-not-found" | "url-needed" | "arguments" | "tool" | "capability" | "other";

/** A request that failed, in the newest revision's terms; `revisions/` turns it into an error or a result. */
export interface Failure extends ErrorObject {
  kind: FailureKind;
}

/** Code of a refusal because of load; outside the range that JSON-RPC reserves. */
export const TOO_MANY_REQUESTS = 429;

/**
 * A protocol error: the client's program sees it, the model usually does not. For what a model can repair, throw
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

/**
 * Unwinds a handler whose question waits for its answer (newest era). Swallowing it changes nothing, as what counts is what
 * was asked; but a handler that goes on after a failed question must throw it on, or it acts before it was answered.
 * @example if (error instanceof Suspended) throw error;
 */
export class Suspended extends Error {
  constructor() {
    super("suspended until the question is answered");
    this.name = "Suspended";
  }
}

/** The JSON-RPC error for params that are wrong, with what was expected: code -32602. */
export const invalidParams = (message: string, data?: unknown): McpError => new McpError(INVALID_PARAMS, message, data);
export const methodNotFound = (): McpError => new McpError(METHOD_NOT_FOUND, "Method not found");

/** A resource that does not exist, or that this caller may not know of. */
export function resourceNotFound(uri: string): McpError {
  return new McpError(INVALID_PARAMS, "Resource not found", { uri }, "resource-not-found");
}

/** Where errors that nobody expected are told, with a reference that the client is given instead of the detail. */
export type Report = (reference: string, error: unknown) => void;

/** True for errors whose message is meant for the caller: `ToolError`, or any error with `expose: true`. */
export function isExposed(error: unknown): error is Error {
  return error instanceof Error && "expose" in error && error.expose === true;
}

/** What a thrown value becomes outside a tool. Details of unexpected errors go to `report` only (rule G10). */
export function toFailure(error: unknown, report: Report): Failure {
  if (error instanceof McpError) {
    const code = Number.isSafeInteger(error.code) ? error.code : INTERNAL_ERROR;
    const failure: Failure = { code, message: error.message, kind: error.kind };
    if (error.data === undefined) return failure;
    try {
      JSON.stringify(error.data);
      return { ...failure, data: error.data };
    } catch (unsayable) {
      maskError(unsayable, report); // the client has code and message, our own log why there is no data
      return failure;
    }
  }
  // An error that says what to do about it is the caller's to mend; a tool error outside a tool is not.
  if (isExposed(error))
    return { code: error instanceof ToolError ? INTERNAL_ERROR : INVALID_PARAMS, message: error.message, kind: "other" };
  return { code: INTERNAL_ERROR, message: maskError(error, report), kind: "other" };
}

/** The failure of a tool call: the model reads it, unless it is a protocol error. */
export function toToolFailure(error: unknown, report: Report): Failure {
  if (error instanceof McpError || error instanceof Suspended) return toFailure(error, report);
  return { code: INTERNAL_ERROR, message: isExposed(error) ? error.message : maskError(error, report), kind: "tool" };
}

/** What is known of a thrown value, for our own log. Anything can be thrown, also what cannot become text. */
export function describeError(error: unknown): string {
  try {
    if (isExposed(error)) return error.message; // where it came from tells nothing more
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return text === "[object Object]" ? JSON.stringify(error) : text;
  } catch {
    return "a value that cannot be shown";
  }
}

/** Reports the detail and gives the text that the client sees in its place. Work that was stopped is no fault to report. */
export function maskError(error: unknown, report: Report): string {
  if (error instanceof Error && error.name === "AbortError") return "Stopped";
  const reference = Math.floor(Math.random() * 0x10000)
    .toString(16)
    .padStart(4, "0");
  report(reference, error);
  return `Internal error (ref ${reference})`;
}
