// Checks of sampling requests and results, for servers and clients.
// https://modelcontextprotocol.io/specification/2025-11-25/client/sampling#message-content-constraints
import { isObject, type Json } from "../wire/json-rpc.ts";

const blocksOf = (message: Json): Json[] => (Array.isArray(message.content) ? message.content : [message.content]).filter(isObject);

/** The error in messages with tool blocks; undefined when they are valid. */
export function wrongMessages(messages: unknown): string | undefined {
  if (!Array.isArray(messages)) return "messages: expected a list";
  let pending = new Set<unknown>();
  for (const message of messages) {
    if (!isObject(message)) return "messages: expected objects";
    const blocks = blocksOf(message);
    const results = blocks.filter(({ type }) => type === "tool_result");
    if (results.length > 0 && (results.length < blocks.length || message.role !== "user"))
      return "messages: tool results must be the only blocks of a user message";
    const answered = new Set(results.map(({ toolUseId }) => toolUseId));
    if (pending.size > 0 && (pending.size !== answered.size || [...pending].some((id) => !answered.has(id))))
      return "messages: expected the result of each tool use in the next message";
    pending = new Set(blocks.filter(({ type }) => type === "tool_use").map(({ id }) => id));
  }
  return pending.size > 0 ? "messages: a tool use has no result" : undefined;
}

const PRIORITIES = ["costPriority", "speedPriority", "intelligencePriority"] as const;

/** The error in model preferences; undefined when they are valid. */
export function wrongPreferences(preferences: Partial<Record<(typeof PRIORITIES)[number], number>> | undefined): string | undefined {
  const wrong = PRIORITIES.find((name) => {
    const value = preferences?.[name];
    return value !== undefined && !(value >= 0 && value <= 1);
  });
  return wrong && `modelPreferences.${wrong}: expected a number from 0 to 1`;
}

/** The error in a sampling result; undefined when it is valid. `single`: the revision allows only one content block. */
export function wrongResult(result: Json, single: boolean): string | undefined {
  const { role, content, model } = result;
  if (role !== "assistant" && role !== "user") return "role: expected assistant or user";
  if (typeof model !== "string") return "model: expected a string";
  if (Array.isArray(content) ? single || !content.every(isObject) : !isObject(content)) {
    return single ? "content: expected one block" : "content: expected a block or a list of blocks";
  }
  return undefined;
}
