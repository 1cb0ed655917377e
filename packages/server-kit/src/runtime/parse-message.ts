// Parses a message within the limits, before anything recursive reads it.
import { INVALID_REQUEST, PARSE_ERROR, withinBounds } from "../wire/json-rpc.ts";
import { classify, type IncomingMessage, type UnreadableMessage } from "./classify.ts";
import type { Limits } from "./limits.ts";

export function parseMessage(text: string, limits: Readonly<Limits>): IncomingMessage | UnreadableMessage {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return unreadable(PARSE_ERROR, "Parse error");
  }
  // Shorter text cannot nest deeper.
  if (text.length < 2 * limits.depth || withinBounds(value, limits.depth, limits.members)) return classify(value);
  return unreadable(INVALID_REQUEST, "Message nests too deep or holds too many values");
}

const unreadable = (code: number, message: string): UnreadableMessage => ({
  kind: "unreadable",
  isStateless: false,
  error: { code, message },
});
