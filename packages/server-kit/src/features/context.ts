// What a handler gets besides its input. Types only; the endpoint makes the values.
import type { Auth } from "../protocol/auth.ts";
import type { Client } from "../protocol/client.ts";
import type { Root, SampleRequest, SampleResult } from "../protocol/types.ts";
import type { Awaitable } from "./awaitable.ts";
import type { InferOutput, Schema } from "./schema/schema.ts";

export type { Client } from "../protocol/client.ts";

/** The client's log, by severity. https://modelcontextprotocol.io/specification/2025-11-25/server/utilities/logging */
export interface Log {
  debug(data: unknown): void;
  info(data: unknown): void;
  notice(data: unknown): void;
  warning(data: unknown): void;
  error(data: unknown): void;
}

/** What every handler gets beside its input. */
export interface Context {
  /** Aborted by the client's cancel, the time limit or shutdown; `reason` is an Error that says which. */
  readonly signal: AbortSignal;
  readonly client: Client;
  /** Who sent the request, where the transport checks tokens (HTTP). */
  readonly auth: Auth | undefined;
  /** Progress of this request; does nothing unless the client asked for it. `done` must rise. Bursts are thinned out. */
  progress(done: number, total?: number, message?: string): void;
  /** Messages to the client's log, if it wants that level, as JSON data. Never put secrets in them. */
  readonly log: Log;
}

/** What a person made of a question. */
export type Answer<T> = { action: "accept"; content: T } | { action: "decline" } | { action: "cancel" };

/** A question to the person behind the client. https://modelcontextprotocol.io/specification/2026-07-28/client/elicitation */
export interface Elicitation<S extends Schema> {
  /** What the person is asked, in one or two sentences. */
  message: string;
  /** A flat object of strings, numbers, booleans or choices. */
  schema: S;
  /** Names the question; needed only when the order of questions may differ between runs. */
  key?: string;
}

/** The context of handlers that may ask: `tools/call`, `prompts/get`, `resources/read`. Look, ask, then act. */
export interface InteractiveContext extends Context {
  /** Asks the person behind the client by a form. Throws a tool error when the client cannot be asked. */
  elicit<S extends Schema>(question: Elicitation<S>): Promise<Answer<InferOutput<S>>>;
  /** Asks the person to open a page; tells whether they agreed, not what happened there. */
  elicitUrl(question: { message: string; url: string; key?: string }): Promise<Answer<undefined>>;
  /** Asks the client's model. Deprecated by the newest revision, still served. */
  sample(request: SampleRequest & { key?: string }): Promise<SampleResult>;
  /** The folders that the client offers; an empty list when it offers none. Throws when it has no roots. */
  roots(): Promise<readonly Root[]>;
  /**
   * Makes a value once for all rounds of the request, where questions make the handler run again: a random number, the
   * price that the question names. The value is JSON and travels, sealed, with the client. Effects that must happen once
   * belong behind the last question.
   */
  once<T>(key: string, make: () => Awaitable<T>): Promise<T>;
}
