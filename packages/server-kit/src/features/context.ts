// The context that a handler receives beside its input. Types only; the server makes the values.
import type { Auth } from "../protocol/auth.ts";
import type { Client } from "../protocol/client.ts";
import type { HttpRequestInfo } from "../protocol/http-request.ts";
import type { TraceContext } from "../protocol/trace.ts";
import type { Root, SampleRequest, SampleResult } from "../protocol/types.ts";
import type { Awaitable } from "./awaitable.ts";
import type { InferOutput, Schema } from "./schema/schema.ts";

export type { Client } from "../protocol/client.ts";

/** Where an entry of the log goes. */
export interface LogOptions {
  /** The operator's log has it already. Default: false. */
  readonly isReported?: boolean;
}

/** The client's log, by severity. https://modelcontextprotocol.io/specification/2025-11-25/server/utilities/logging */
export interface Log {
  debug(data: unknown, options?: LogOptions): void;
  info(data: unknown, options?: LogOptions): void;
  notice(data: unknown, options?: LogOptions): void;
  warning(data: unknown, options?: LogOptions): void;
  error(data: unknown, options?: LogOptions): void;
}

/** The context of every handler. */
export interface Context {
  /** Aborts on the client's cancellation, the time limit or shutdown; `reason` is an Error that names the cause. */
  readonly signal: AbortSignal;
  readonly client: Client;
  /** The caller, when the transport verifies tokens or has the login of an app (HTTP). */
  readonly auth: Auth | undefined;
  /** The HTTP request that brought the message, without credentials. */
  readonly http: HttpRequestInfo | undefined;
  /** The distributed trace that the request belongs to, where the client named one. */
  readonly trace: TraceContext | undefined;
  /** Reports progress, when the client asked for it. `done` must increase. At most ten a second are sent after a burst. */
  progress(done: number, total?: number, message?: string): void;
  /**
   * Writes JSON data to the client's log, when the client wants that level, and to the operator's. The client gets at most
   * `logsPerSecond` entries, and 65,536 characters of each; on stderr `@oarlock/cli` writes at most 16,384 of a text. Never log secrets.
   */
  readonly log: Log;
}

/** The user's answer to an elicitation. */
export type Answer<T> = { action: "accept"; content: T } | { action: "decline" } | { action: "cancel" };

/** An elicitation: a question to the user by a form. https://modelcontextprotocol.io/specification/2026-07-28/client/elicitation */
export interface Elicitation<S extends Schema> {
  /** The question, in one or two sentences. */
  message: string;
  /** A flat object of strings, numbers, booleans or choices. */
  schema: S;
  /** Names the request; needed only when the order of client requests may differ between runs of the handler. */
  key?: string;
  /** Accepted for one run of the call to its end: a client that sends the answer again gets an error. Default false. */
  singleUse?: boolean;
}

/**
 * The context of handlers that may send requests to the client: `tools/call`, `prompts/get`, `resources/read`. Check, ask, then act. Pass it on
 * as it is: a copy (`{ ...ctx }`) lacks most members.
 */
export interface InteractiveContext extends Context {
  /** Whether the host has asked its user before this call, as an extension of the server knows. `confirm` reads it. Default false. */
  readonly isHostConfirmed?: boolean;
  /** Asks the user by a form. Throws an error for the model when the client does not support elicitation. */
  elicit<S extends Schema>(question: Elicitation<S>): Promise<Answer<InferOutput<S>>>;
  /** Asks the user to open a web page. Returns whether the user agreed, not what happened there. */
  elicitUrl(question: { message: string; url: string; key?: string }): Promise<Answer<undefined>>;
  /** Asks the client's model. Deprecated by the newest revision, still served. */
  sample(request: SampleRequest & { key?: string }): Promise<SampleResult>;
  /** The client's roots; may be empty. Throws when the client does not support roots. */
  roots(): Promise<readonly Root[]>;
  /**
   * Makes a value once for all rounds of the request, as a client request may make the handler run again: a random number, the price that
   * the question names. The value is JSON and travels, sealed, with the client. An effect that must happen once belongs after the last
   * client request.
   */
  once<T>(key: string, make: () => Awaitable<T>): Promise<T>;
}

/**
 * Returns the values that complete the typed text, best first; the kit sends at most 100. `known` holds the arguments that the user has
 * settled already. https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/completion
 */
export type Completer = (typed: string, ctx: Context, known: Readonly<Record<string, string>>) => Awaitable<readonly string[]>;
