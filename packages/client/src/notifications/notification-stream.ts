// A stream of change notifications: an async iterator that buffers notifications until they are read.
import type { ChangeNotification, NotificationFilter } from "./change-notification.ts";

/** Distinct unread notifications; further ones are dropped. An unread notification is not buffered twice. */
const MAX_UNREAD = 10_000;

/** Notifications until `close`, the end of a `for await` loop, the abort of its signal, or the end of the connection. */
export class NotificationStream implements AsyncIterableIterator<ChangeNotification, undefined>, AsyncDisposable {
  /** Resolves with the notifications that the server has accepted, possibly fewer than requested. Rejects if it accepts none. */
  readonly ready: Promise<NotificationFilter>;
  readonly #acknowledged = Promise.withResolvers<NotificationFilter>();
  readonly #onClose: () => void;
  readonly #unread = new Map<string, ChangeNotification>();
  #error: Error | undefined;
  #hasEnded = false;
  #wakeUp = Promise.withResolvers<void>();

  /** Created by `client.listen`. `onClose` is called once, when the reader closes the stream. */
  constructor(onClose: () => void) {
    this.#onClose = onClose;
    this.ready = this.#acknowledged.promise;
    this.ready.catch(() => undefined); // readers get the error from `next`
  }

  acknowledge(accepted: NotificationFilter): void {
    this.#acknowledged.resolve(accepted);
  }

  push(change: ChangeNotification): void {
    if (this.#hasEnded || this.#unread.size >= MAX_UNREAD) return;
    this.#unread.set(JSON.stringify(change), change);
    this.#wakeReaders();
  }

  /** Ends the stream: readers get the unread notifications, then the error. */
  end(error?: Error): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#error = error;
    this.#acknowledged.reject(error ?? new Error("The stream was closed before the server acknowledged it"));
    this.#wakeReaders();
  }

  /** Wakes every reader that waits in `next`; those that find nothing wait for the next notification. */
  #wakeReaders(): void {
    this.#wakeUp.resolve();
    this.#wakeUp = Promise.withResolvers<void>();
  }

  async next(): Promise<IteratorResult<ChangeNotification, undefined>> {
    for (;;) {
      for (const [key, value] of this.#unread) {
        this.#unread.delete(key);
        return { value, done: false };
      }
      const error = this.#error;
      this.#error = undefined;
      if (error !== undefined) throw error;
      if (this.#hasEnded) return { value: undefined, done: true };
      await this.#wakeUp.promise;
    }
  }

  async return(): Promise<IteratorResult<ChangeNotification, undefined>> {
    this.close();
    return { value: undefined, done: true };
  }

  close(): void {
    if (this.#hasEnded) return;
    this.#unread.clear();
    this.end();
    this.#onClose();
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.close();
  }
}
