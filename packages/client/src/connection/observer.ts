// ClientObserver: what telemetry learns of the requests that a client sends.
import { isObject, McpError, type Id, type Json, type TraceContext } from "@oarlock/server-kit/protocol";
import { RequestTimeoutError } from "../errors.ts";

/** A request that is about to be sent. */
export interface SentRequest {
  readonly id: Id;
  readonly method: string;
  /** The tool or prompt that it names. */
  readonly target: string | undefined;
  /** The protocol revision in use, or the one that is tried first. */
  readonly revision: string;
  /** `pipe` on stdio and in memory, `tcp` over HTTP. */
  readonly transport: "pipe" | "tcp";
}

/** How a request ended, seen from the client. */
export interface SentRequestEnd {
  /**
   * `success`; `tool-error`: a result with `isError`; `error`: an error of the server with `code` and `message`; `cancelled`: by the caller;
   * `timeout`; `closed`: the connection or the exchange failed.
   */
  readonly outcome: "success" | "tool-error" | "error" | "cancelled" | "timeout" | "closed";
  readonly code?: number;
  readonly message?: string;
}

/** One request under observation. */
export interface SentObservation {
  /** The trace context to send with the request, unless it has one of its own. */
  readonly trace?: TraceContext | undefined;
  /** Called once. */
  ended(end: SentRequestEnd): void;
}

/** Observes the requests of a client. It must not throw. */
export interface ClientObserver {
  /** Undefined: this request is not observed. */
  requestStarted(request: SentRequest): SentObservation | undefined;
}

export const endOfResult = (result: Json): SentRequestEnd => ({ outcome: result["isError"] === true ? "tool-error" : "success" });

export function endOfError(error: Error, isCancelled: boolean): SentRequestEnd {
  if (isCancelled) return { outcome: "cancelled" };
  if (error instanceof McpError) return { outcome: "error", code: error.code, message: error.message };
  return { outcome: error instanceof RequestTimeoutError ? "timeout" : "closed", message: error.message };
}

/** The tool or prompt that a request names. */
export function targetOf(method: string, params: Json | undefined): string | undefined {
  const name = isObject(params) && ["tools/call", "prompts/get"].includes(method) ? params["name"] : undefined;
  return typeof name === "string" ? name : undefined;
}
