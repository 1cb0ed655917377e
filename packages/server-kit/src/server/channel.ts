// The contract between the endpoint and the transports to its left.
import type { Auth } from "../protocol/auth.ts";
import type { ErrorObject } from "../wire/json-rpc.ts";

/** Where the messages that belong to one request go: a pipe, one JSON body, one event stream. Texts are single JSON messages. */
export interface Channel {
  /** Who sent the request, where the transport knows. */
  readonly auth?: Auth | undefined;
  /** Whether somebody reads it now; left out: always. */
  readonly open?: boolean;
  /** The answer, which ends the request; undefined ends it without one (cancelled). `code` is the error's, where it is one. */
  complete(text: string | undefined, code?: number): void;
  /** Something on the way to the answer: progress, a log entry, a question. */
  notify(text: string): void;
  /** What came cannot be taken as a message, so no answer has an id to go by; ends the request too. */
  refuse(error: ErrorObject): void;
}
