// The responses to requests that need the backplane while it does not answer.
import { INTERNAL_ERROR } from "@oarlock/server-kit/protocol";
import { HttpError, noSession } from "@oarlock/server-kit/transport";
import { RecordMissing } from "../backplane/backplane.ts";

/** Not 404: clients would throw the session away. */
const engineAway = (): HttpError =>
  new HttpError(503, "Sessions are unavailable for the moment: the backplane does not answer. Retry shortly.", {
    code: INTERNAL_ERROR,
    headers: ["Retry-After", "1"],
  });

/** The answer to a request of a session, for which the backplane failed with this error. */
export function toHttpError(error: unknown): HttpError {
  if (error instanceof HttpError) return error;
  return error instanceof RecordMissing ? noSession() : engineAway();
}

/** Makes a call that may be repeated, a second time where it fails: a connection that has just been lost is back by then. */
export async function twiceFromEngine<T>(call: () => Promise<T>): Promise<T> {
  return fromEngine(call().catch(call));
}

/** Awaits the backplane; rejects with an error for the client when it fails. */
export async function fromEngine<T>(call: Promise<T>, toError: (error: unknown) => unknown = toHttpError): Promise<T> {
  try {
    return await call;
  } catch (error) {
    throw toError(error);
  }
}
