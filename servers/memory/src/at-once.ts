// Going on with what may be a promise, without making one where none is needed: who answers at once is sent at once.

/** `next(value)` now, or when the promise is fulfilled. */
export function after<T, R>(value: T | Promise<T>, next: (value: T) => R | Promise<R>): R | Promise<R> {
  return value instanceof Promise ? value.then(next) : next(value);
}
