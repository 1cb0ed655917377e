// Batches (revision 2025-03-26 only): the responses are sent together as one array.
// https://modelcontextprotocol.io/specification/2025-03-26/basic#batching
import type { Revision } from "../revisions/index.ts";
import { errorText, isId, isObject, type ErrorObject } from "../wire/json-rpc.ts";
import type { Channel } from "./request/channel.ts";
import { expectsAnswer, type BatchMessage, type IncomingMessage, type SingleMessage, type UnreadableMessage } from "./classify.ts";

/** Why a batch is refused; undefined when it is valid. */
export function batchFault({ messages }: BatchMessage, revision: Revision | undefined, maxMessages: number): string | undefined {
  if (revision?.facts.batch !== true) return "Batches are not part of this revision.";
  if (messages.length === 0) return "Invalid Request: the batch is empty.";
  if (messages.length > maxMessages) return `Invalid Request: a batch holds at most ${maxMessages} messages.`;
  if (messages.some(({ value }) => isObject(value) && value.method === "initialize"))
    return "Invalid Request: initialize cannot be batched.";
  if (messages.some(({ isStateless }) => isStateless)) return "Invalid Request: stateless requests cannot be batched.";
  return undefined;
}

/** The channel of each message of a batch: passes notifications on, gathers responses. */
export function batchChannel(count: number, whole: Channel): Channel {
  const responses: string[] = [];
  let pending = count;
  const channel: Channel = {
    auth: whole.auth,
    caller: whole.caller,
    http: whole.http,
    notify: (text) => whole.notify(text),
    complete(text) {
      if (text !== undefined) responses.push(text);
      if (--pending === 0) whole.complete(responses.length === 0 ? undefined : `[${responses.join(",")}]`);
    },
    refuse: (error) => channel.complete(errorText(null, error)),
  };
  return channel;
}

/** The response to a message, or to each of a batch, when none of it can be served; undefined when none is expected. */
export function failureText(message: IncomingMessage | UnreadableMessage, error: ErrorObject): string | undefined {
  if (message.kind === "unreadable") return errorText(null, message.error);
  if (message.kind !== "batch") return singleFailureText(message, error);
  const responses = message.messages.flatMap((one) => singleFailureText(one, error) ?? []);
  return responses.length === 0 ? undefined : `[${responses.join(",")}]`;
}

function singleFailureText(message: SingleMessage, error: ErrorObject): string | undefined {
  if (message.kind !== "invalid" && !expectsAnswer(message)) return undefined;
  const { value } = message;
  return errorText(isObject(value) && isId(value.id) ? value.id : null, error);
}
