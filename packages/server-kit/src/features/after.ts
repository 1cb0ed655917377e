// Going on with a value that may be a promise, without making one where none is needed: a handler that returns at once
// is answered in the same turn.

export type Awaitable<T> = T | PromiseLike<T>;

export function isPromise(value: unknown): value is PromiseLike<unknown> {
  return typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";
}

/** `next(value)` now, or when the promise is fulfilled. */
export function after<T, R>(value: Awaitable<T>, next: (value: T) => Awaitable<R>): Awaitable<R> {
  if (!isPromise(value)) return next(value);
  // A foreign thenable may do as it likes in `then`; a promise does not.
  return (value instanceof Promise ? value : Promise.resolve(value)).then(next);
}

/** Calls what nobody waits for: neither what it throws nor a promise of it that is rejected ends the process. */
export function fireAndForget(act: () => unknown): void {
  void (async () => await act())().catch(() => undefined);
}
