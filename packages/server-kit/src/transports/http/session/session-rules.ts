// Session rules: what sessions of the handshake era keep, whether one process serves them or several.
// https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#streamable-http
import type { Auth } from "../../../protocol/auth.ts";
import type { IncomingMessage } from "../../../runtime/classify.ts";
import type { Connection } from "../../../runtime/connection.ts";
import type { HostedSession } from "../endpoints.ts";
import type { HttpLimits } from "../http-limits.ts";
import { HttpError } from "../responses.ts";

/** Passes `initialize` to a new connection, which has a session then unless it fails. Returns the response; rejects with an HttpError. */
export function initialize(connection: Connection, message: IncomingMessage, auth: Auth | undefined): Promise<string | undefined> {
  return new Promise((complete, reject) => {
    connection.handle(message, {
      auth,
      notify: () => undefined,
      complete,
      refuse: ({ code, message: text }) => reject(new HttpError(400, text, { code })),
    });
  });
}

/** Throws an HttpError when the client reads so many event streams that it can have no further one. */
export function checkStreamCount({ streamCount }: HostedSession, { streams }: Readonly<HttpLimits>): void {
  if (streamCount >= streams) throw new HttpError(429, `Too many streams: expected at most ${streams} in a session. Close one.`);
}

/** The session does not exist, or not for this caller. */
export const noSession = (): HttpError => new HttpError(404, "Session not found. Initialize again.");

/** All clients take 405 as the end of a stream; after an empty stream they would reconnect for ever. */
export const streamComplete = (): HttpError =>
  new HttpError(405, "Stream already complete: no event follows this Last-Event-ID.", { headers: ["Allow", "POST, DELETE"] });

/** No stream can be resumed from the named event. */
export const unknownEvent = (): HttpError =>
  new HttpError(400, "Unknown Last-Event-ID: no stream of this session can be resumed from there.");
