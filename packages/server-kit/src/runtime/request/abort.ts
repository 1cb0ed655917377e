// RequestAborted: why a request was stopped, as handlers see it in `ctx.signal.reason`.

export type AbortCause = "client" | "timeout" | "shutdown" | "closed";

/** The reason of an aborted request. By its name `AbortError` and its cause it is not reported as a fault. */
export class RequestAborted extends Error {
  override readonly cause: AbortCause;

  constructor(cause: AbortCause, message: string) {
    super(message);
    this.name = "AbortError";
    this.cause = cause;
  }
}

/** The reason for the requests of a connection that ends. */
export function connectionEnded(cause: "closed" | "shutdown"): RequestAborted {
  return new RequestAborted(cause, cause === "closed" ? "the client has disconnected" : "the server is shutting down");
}
