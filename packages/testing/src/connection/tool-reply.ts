// The reply to a tool call as one text.
import { isObject, type Json } from "@oarlock/server-kit/protocol";

/** The reply of a tool call, whether it is a result or an error. */
export interface ToolReply {
  readonly text: string;
  readonly failed: boolean;
  readonly structured: Json;
}

/** The text, failure and structured content of a response to `tools/call`. */
export function toReply({ result, error }: Json): ToolReply {
  if (error !== undefined) return { text: JSON.stringify(error), failed: true, structured: {} };
  const { content, isError, structuredContent }: Json = isObject(result) ? result : {};
  const blocks = Array.isArray(content) ? content.filter(isObject) : undefined;
  return {
    text:
      blocks?.map((block) => (typeof block.text === "string" ? block.text : JSON.stringify(block))).join("\n") ?? JSON.stringify(result),
    failed: isError === true,
    structured: isObject(structuredContent) ? structuredContent : {},
  };
}
