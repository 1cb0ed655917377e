// FeatureLoader: loads lazy features at the first message of a client and defers the messages that need them.
import { maskError } from "../protocol/errors.ts";
import { INTERNAL_ERROR } from "../wire/json-rpc.ts";
import { failureText } from "./batch.ts";
import type { Channel } from "./request/channel.ts";
import type { IncomingMessage, UnreadableMessage } from "./classify.ts";
import type { Runtime } from "./runtime.ts";

/** Methods whose result does not depend on the server's features. */
const FEATURELESS: ReadonlySet<string> = new Set(["initialize", "ping", "server/discover"]);

export class FeatureLoader {
  readonly #runtime: Runtime;
  readonly #handle: (message: IncomingMessage | UnreadableMessage, channel: Channel) => void;
  /** Settles when the last deferred message has been handled. */
  idle: Promise<void> | undefined;

  constructor(runtime: Runtime, handle: (message: IncomingMessage | UnreadableMessage, channel: Channel) => void) {
    this.#runtime = runtime;
    this.#handle = handle;
  }

  /** Starts loading. True when the message is deferred until then; deferred messages keep their order. */
  defers(message: IncomingMessage | UnreadableMessage, channel: Channel, hasSession: boolean): boolean {
    const { server, report } = this.#runtime;
    const isRequest = message.kind === "request";
    const isTooEarly = isRequest && !message.isStateless && !hasSession;
    const isImmediate = isTooEarly || (isRequest && FEATURELESS.has(message.value.method));
    if (isImmediate) {
      // A later microtask: the response to initialize is sent before the features load.
      this.idle = Promise.resolve()
        .then(() => server.ready())
        .catch((error: unknown) => void maskError(error, report));
      return false;
    }
    this.idle = server.ready().then(
      () => this.#handle(message, channel),
      (error: unknown) => channel.complete(failureText(message, { code: INTERNAL_ERROR, message: maskError(error, report) })),
    );
    return true;
  }
}
