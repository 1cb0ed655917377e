// The result of a tool call, as far as it is validated.
import type { CallToolResult, Json } from "@oarlock/server-kit/protocol";
import { InvalidResponseError } from "./errors.ts";

/** Throws unless the result has content, or a structured value: some servers leave the content out beside it. `subject` names the call. */
export function toCallResult(result: Json, subject: string): CallToolResult {
  const { content, structuredContent } = result;
  if (content === undefined && structuredContent !== undefined) return { ...result, content: [] };
  if (!Array.isArray(content)) throw new InvalidResponseError(`Invalid result of ${subject}: expected content`);
  return result as unknown as CallToolResult; // its content is an array; other members are not validated
}
