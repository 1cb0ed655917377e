// Text from a client, read within bounds before anything recursive sees it.
import { INVALID_REQUEST, PARSE_ERROR, withinBounds, type ErrorObject } from "../wire/json-rpc.ts";
import type { Limits } from "./limits.ts";

export class MessageError {
  readonly error: ErrorObject;

  constructor(code: number, message: string) {
    this.error = { code, message };
  }
}

/** The value that a text holds. */
export function parseMessage(text: string, limits: Readonly<Limits>): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return new MessageError(PARSE_ERROR, "Parse error");
  }
  // Shorter text cannot nest deeper.
  if (text.length < 2 * limits.depth || withinBounds(value, limits.depth, limits.members)) return value;
  return new MessageError(INVALID_REQUEST, "Message nests too deep or holds too many values");
}
