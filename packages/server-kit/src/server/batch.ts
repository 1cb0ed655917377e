// Arrays of messages, which exist in one revision only: one array of answers, when the last of them is there.
// https://modelcontextprotocol.io/specification/2025-03-26/basic#batching
import { errorText, isId, isObject, kindOf, type ErrorObject } from "../wire/json-rpc.ts";
import type { Channel } from "./channel.ts";

/** A channel for each member of a batch; notes go out at once, answers together. */
export function batchChannels(count: number, whole: Channel): Channel[] {
  const answers: string[] = [];
  let left = count;
  const member: Channel = {
    auth: whole.auth,
    notify: (text) => whole.notify(text),
    complete(text) {
      if (text !== undefined) answers.push(text);
      if (--left === 0) whole.complete(answers.length === 0 ? undefined : `[${answers.join(",")}]`);
    },
    refuse: (error) => member.complete(errorText(null, error)),
  };
  return Array.from({ length: count }, () => member);
}

/** The answer to a message, or to an array of them, of which nothing can be served; undefined where nobody waits for one. */
export function failedText(value: unknown, error: ErrorObject): string | undefined {
  if (!Array.isArray(value)) return failedOne(value, error);
  const answers = value.flatMap((one: unknown) => failedOne(one, error) ?? []);
  return answers.length === 0 ? undefined : `[${answers.join(",")}]`;
}

function failedOne(value: unknown, error: ErrorObject): string | undefined {
  const kind = kindOf(value);
  if (kind === "notification" || kind === "ignored" || kind === "response") return undefined;
  return errorText(isObject(value) && isId(value.id) ? value.id : null, error);
}
