// The result of a tool call, as far as it is validated.
import type { CallToolResult, Json } from "@oarlock/server-kit/protocol";
import { InvalidResponseError } from "./errors.ts";

/** Throws unless the result has content. `subject` names the call in the error. */
export function toCallResult(result: Json, subject: string): CallToolResult {
  if (!Array.isArray(result.content)) throw new InvalidResponseError(`Invalid result of ${subject}: expected content`);
  return result as unknown as CallToolResult; // its content is an array; other members are not validated
}
