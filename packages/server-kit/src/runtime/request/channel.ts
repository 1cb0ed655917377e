// The contract between the server and the transports: where the messages of one request go.
import type { Auth } from "../../protocol/auth.ts";
import { toFailure, type Report } from "../../protocol/errors.ts";
import type { HttpRequestInfo } from "../../protocol/http-request.ts";
import { errorText, type ErrorObject, type Id } from "../../wire/json-rpc.ts";

/** Where the messages that belong to one request go: a pipe, one JSON body, one event stream. Texts are single JSON messages. */
export interface Channel {
  /** Who sent the request, where the transport checks tokens. */
  readonly auth?: Auth | undefined;
  /** Name of the caller whose subscriptions are counted, where limits for each caller are set. */
  readonly caller?: string | undefined;
  /** The HTTP request that brought it. */
  readonly http?: HttpRequestInfo | undefined;
  /** Whether the client reads it now. Default: always. */
  readonly isOpen?: (() => boolean) | undefined;
  /** Sends the response, which ends the request; undefined ends it without one (cancelled). `code` is that of an error. */
  complete(text: string | undefined, code?: number): void;
  /** Sends a message before the response: progress, a log entry, a client request. */
  notify(text: string): void;
  /** Refuses input that is not a message, so that no id is known; ends the request too. */
  refuse(error: ErrorObject): void;
}

/** A channel whose messages all take the same way. */
export const pipeChannel = (notify: (text: string) => void, known: Pick<Channel, "isOpen" | "caller"> = {}): Channel => ({
  ...known,
  notify,
  complete: (text) => text !== undefined && notify(text),
  refuse: (error) => notify(errorText(null, error)),
});

/** Sends nothing. */
export const SILENT: Channel = { notify: () => undefined, complete: () => undefined, refuse: () => undefined };

/** Completes a request with what was thrown; details of unexpected errors go to `report` only. */
export function completeWithError(channel: Channel, id: Id, error: unknown, report: Report): void {
  const { code, message, data } = toFailure(error, report);
  channel.complete(errorText(id, { code, message, ...(data !== undefined && { data }) }), code);
}
