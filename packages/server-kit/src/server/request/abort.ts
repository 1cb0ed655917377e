// Why a request was stopped. The reason is what `ctx.signal.reason` holds.

export type AbortCause = "client" | "timeout" | "shutdown" | "closed";

export class RequestAborted extends Error {
  override readonly cause: AbortCause;

  constructor(cause: AbortCause, message: string) {
    super(message);
    this.name = "AbortError";
    this.cause = cause;
  }
}
