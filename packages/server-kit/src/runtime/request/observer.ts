// Observer: what telemetry learns of requests. Without one, each request costs one comparison.
import { truncate } from "../../features/schema/schema.ts";
import type { ClientRequest } from "../../peer/client-request.ts";
import type { ClientRequestObservation } from "../../peer/outgoing-requests.ts";
import { toFailure, type Failure } from "../../protocol/errors.ts";
import type { Id, Json } from "../../wire/json-rpc.ts";

/** A request that was received. */
export interface ObservedRequest {
  readonly id: Id;
  readonly method: string;
  /** The tool or prompt that the request names, if the server has it: never a name that a client made up. */
  readonly target: string | undefined;
  /** `_meta` as the client sent it: may hold a trace context, and anything else. */
  readonly meta: unknown;
  /** As the client sent them: may hold anything, secrets too. */
  readonly params?: Json | undefined;
  /** Who sent it, where tokens are checked. */
  readonly principal?: string | undefined;
  /** The name of the client, as it says. */
  readonly client?: string | undefined;
  /** The protocol revision that it is answered in. */
  readonly revision: string;
  /** `pipe` on stdio, `tcp` over HTTP. */
  readonly transport: "pipe" | "tcp";
}

/** How a request ended. A call whose handler goes on after its response ends with the handler. */
export interface RequestEnd {
  /**
   * `success`; `tool-error`: a result with `isError`; `error`: an error with `code` and `message`; `cancelled`: without a response, or
   * after it, when the client or the end of the server stopped the handler;
   * `input-required`: a round of the newest revision that requests input.
   */
  readonly outcome: "success" | "tool-error" | "error" | "cancelled" | "input-required";
  readonly code?: number;
  /** As the client got it, so without details. */
  readonly message?: string;
  /**
   * Joins the rounds of one call in the newest revision: the same in an end with `input-required` and in the ends that follow it. Undefined
   * for a call that needs one round.
   */
  readonly callId?: string;
}

/** One request under observation. */
export interface Observation {
  /** Runs the handler, for example within a context for what it starts. */
  run<T>(handler: () => T): T;
  /** Called once. */
  ended(end: RequestEnd): void;
}

/** A request that the server sends to its client. */
export interface ObservedClientRequest extends Pick<ObservedRequest, "id" | "revision" | "transport"> {
  readonly method: ClientRequest["method"];
}

/** A session that a client has opened, in the process that observes it. */
export interface ObservedSession extends Pick<ObservedRequest, "revision" | "transport"> {}

/** One session under observation. */
export interface SessionObservation {
  /** Called once. */
  ended(): void;
}

/** A request over HTTP that was refused for its token or for a limit. No other method is called for it. */
export interface ObservedRefusal {
  /** The HTTP method. */
  readonly method: string;
  /** 401: without a valid token; 403: the token lacks a scope; 429 and 503: a limit is reached. */
  readonly status: number;
  /** The limit: `rate`, `sessions`, `bodies` and what else sets one. */
  readonly limit?: string | undefined;
  /** Who has reached it, where limits for each caller are set. */
  readonly caller?: string | undefined;
}

/** Observes the requests of a server. It must not throw. */
export interface Observer {
  /** A request is about to run, or was refused. Undefined: this request is not observed. */
  requestStarted(request: ObservedRequest): Observation | undefined;
  /**
   * The server is about to request input from its client: elicitation, sampling or roots. Not in the newest revision, where results carry
   * such requests. Called in the context of the handler.
   */
  clientRequestStarted?(request: ObservedClientRequest): ClientRequestObservation | undefined;
  /** A client has opened a session. */
  sessionStarted?(session: ObservedSession): SessionObservation | undefined;
  /** A request over HTTP was refused for its token or for a limit. */
  requestRefused?(refusal: ObservedRefusal): void;
}

/** How a request ended that had no handler. */
export const endOfError = (error: unknown): RequestEnd =>
  endOfFailure(
    toFailure(error, () => undefined),
    false,
  );

/** What stands behind a failure in the shape of its revision: an error, or a result for the model. */
export const endOfFailure = ({ code, message }: Pick<Failure, "code" | "message">, isResult: boolean): RequestEnd =>
  isResult ? { outcome: "tool-error" } : { outcome: "error", code, message: truncate(message) };
