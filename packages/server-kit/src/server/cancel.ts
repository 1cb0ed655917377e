// Why a request was stopped. The reason is what `ctx.signal.reason` holds.

export type Cause = "client" | "timeout" | "shutdown" | "closed";

export class Stopped extends Error {
  override readonly cause: Cause;

  constructor(cause: Cause, message: string) {
    super(message);
    this.name = "AbortError";
    this.cause = cause;
  }
}
