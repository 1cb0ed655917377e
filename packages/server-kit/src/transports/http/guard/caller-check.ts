// checkCaller: refuses a message whose caller has as much as it may.
import { expectsAnswer, type IncomingMessage } from "../../../runtime/classify.ts";
import { LISTEN } from "../../../runtime/subscription-stream.ts";
import type { ResourceWatches } from "../../../runtime/watch/resource-watches.ts";
import type { Caller } from "../caller.ts";

/** Throws an HttpError where the caller has as many requests without an answer as it may, or as many subscriptions, and asks for more. */
export function checkCaller(caller: Caller | undefined, message: IncomingMessage, watches: ResourceWatches): void {
  if (caller === undefined || !expectsAnswer(message)) return;
  caller.checkRequests();
  if (subscribes(message)) caller.checkSubscriptions(watches.countOf(caller.name));
}

function subscribes(message: IncomingMessage): boolean {
  if (message.kind === "batch") return message.messages.some(subscribes);
  return message.kind === "request" && (message.value.method === "resources/subscribe" || message.value.method === LISTEN);
}
