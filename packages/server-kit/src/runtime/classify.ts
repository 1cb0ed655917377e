// parseMessage: parses an incoming message and decides what it is, once for each. Every transport and both eras route by the result.
import { hasEnvelope } from "../protocol/meta.ts";
import { markRoundedNumbers } from "../wire/exact-numbers.ts";
import {
  INVALID_REQUEST,
  isObject,
  kindOf,
  PARSE_ERROR,
  withinBounds,
  type ErrorObject,
  type Id,
  type Json,
  type NotificationMessage,
  type RequestMessage,
  type ResponseMessage,
} from "../wire/json-rpc.ts";
import type { Limits } from "./limits.ts";

/** One message. `isStateless`: it carries the envelope of the stateless era. */
export type SingleMessage =
  | { readonly kind: "request"; readonly value: RequestMessage; readonly isStateless: boolean }
  | { readonly kind: "notification"; readonly value: NotificationMessage; readonly isStateless: boolean }
  | { readonly kind: "response"; readonly value: ResponseMessage; readonly isStateless: boolean }
  /** A request with params of another type than object. */
  | { readonly kind: "bad-params"; readonly value: Json & { id: Id }; readonly isStateless: boolean }
  /** An invalid notification or response, which gets no answer. */
  | { readonly kind: "ignored"; readonly value: Json; readonly isStateless: boolean }
  | { readonly kind: "invalid"; readonly value: unknown; readonly isStateless: boolean };

/** An array of messages, which only one revision allows. */
export interface BatchMessage {
  readonly kind: "batch";
  readonly value: readonly unknown[];
  readonly isStateless: false;
  readonly messages: readonly SingleMessage[];
}

/** What a client sends at once. */
export type IncomingMessage = SingleMessage | BatchMessage;

/** Text that is not JSON, or that exceeds the limits. */
export interface UnreadableMessage {
  readonly kind: "unreadable";
  readonly isStateless: false;
  readonly error: ErrorObject;
}

/** Parses a message within the limits, before anything recursive reads it. */
export function parseMessage(text: string, limits: Readonly<Limits>): IncomingMessage | UnreadableMessage {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return unreadable(PARSE_ERROR, "Parse error");
  }
  // Shorter text cannot nest deeper.
  if (text.length >= 2 * limits.depth && !withinBounds(value, limits.depth, limits.members))
    return unreadable(INVALID_REQUEST, "Message nests too deep or holds too many values");
  const message = classify(value);
  markRoundedNumbers(text, message.kind === "batch" ? message.messages.map(argumentsOf) : [argumentsOf(message)]);
  return message;
}

const argumentsOf = ({ value }: SingleMessage): unknown => (isObject(value) && isObject(value.params) ? value.params.arguments : undefined);

const unreadable = (code: number, message: string): UnreadableMessage => ({
  kind: "unreadable",
  isStateless: false,
  error: { code, message },
});

/** Classifies a parsed message or batch. */
export function classify(value: unknown): IncomingMessage {
  if (!Array.isArray(value)) return classifySingle(value);
  return { kind: "batch", value, isStateless: false, messages: value.map((one: unknown) => classifySingle(one)) };
}

function classifySingle(value: unknown): SingleMessage {
  if (isObject(value) && value.params === null) delete value.params; // as some clients write that there are none
  const isStateless = isObject(value) && hasEnvelope(value.params);
  return { kind: kindOf(value), value, isStateless } as SingleMessage; // kindOf has checked the members that its kind promises
}

/** Whether the sender expects an answer. In a batch an invalid message is answered too. */
export function expectsAnswer(message: IncomingMessage): boolean {
  if (message.kind !== "batch") return message.kind === "request" || message.kind === "bad-params";
  return message.messages.length === 0 || message.messages.some((one) => one.kind === "invalid" || expectsAnswer(one));
}
