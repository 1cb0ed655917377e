// Judges every message of a server by the definitions of its revision.
import type { Published } from "./schemas.ts";

type Json = Record<string, unknown>;

const RESULTS: Record<string, string> = {
  initialize: "InitializeResult",
  ping: "EmptyResult",
  "tools/list": "ListToolsResult",
  "tools/call": "CallToolResult",
  "resources/list": "ListResourcesResult",
  "resources/templates/list": "ListResourceTemplatesResult",
  "resources/read": "ReadResourceResult",
  "resources/subscribe": "EmptyResult",
  "resources/unsubscribe": "EmptyResult",
  "prompts/list": "ListPromptsResult",
  "prompts/get": "GetPromptResult",
  "completion/complete": "CompleteResult",
  "logging/setLevel": "EmptyResult",
};

const NOTES_AND_REQUESTS: Record<string, string> = {
  "notifications/cancelled": "CancelledNotification",
  "notifications/progress": "ProgressNotification",
  "notifications/message": "LoggingMessageNotification",
  "notifications/resources/updated": "ResourceUpdatedNotification",
  "notifications/resources/list_changed": "ResourceListChangedNotification",
  "notifications/tools/list_changed": "ToolListChangedNotification",
  "notifications/prompts/list_changed": "PromptListChangedNotification",
  "sampling/createMessage": "CreateMessageRequest",
  "elicitation/create": "ElicitRequest",
  "roots/list": "ListRootsRequest",
  ping: "PingRequest",
};

/** What is wrong with a message; `asked` gives the method of a request by its id. */
export function judge(schema: Published, message: Json, asked: (id: unknown) => string | undefined): string | undefined {
  const { id, method, error, result } = message;
  if (typeof method === "string") {
    const name = NOTES_AND_REQUESTS[method];
    if (name === undefined) return `no server sends ${method}`;
    // Older definitions leave the envelope out.
    const members = schema.members(name);
    const bare = Object.fromEntries(Object.entries(message).filter(([key]) => members?.includes(key) !== false));
    return schema.faults(id === undefined ? "JSONRPCNotification" : "JSONRPCRequest", message) ?? schema.faults(name, bare);
  }
  if (error !== undefined) {
    // A line that could not be read has no id: JSON-RPC says null, the schemas have no word for it.
    if (id === null) return schema.faults(errorName(schema), { ...message, id: "unread" });
    return schema.faults(errorName(schema), message);
  }
  const name = RESULTS[asked(id) ?? ""];
  if (name === undefined) return `an answer to nothing: ${JSON.stringify(message)}`;
  const whole = schema.members("JSONRPCResultResponse") === undefined ? "JSONRPCResponse" : "JSONRPCResultResponse";
  return schema.faults(whole, message) ?? schema.faults(name, result);
}

const errorName = (schema: Published): string =>
  schema.members("JSONRPCErrorResponse") === undefined ? "JSONRPCError" : "JSONRPCErrorResponse";

/** The kind of a message, for the tally of what a conversation has shown. */
export function kindOf(message: Json, asked: (id: unknown) => string | undefined): string {
  if (typeof message["method"] === "string") return message["method"];
  return message["error"] === undefined ? `result of ${asked(message["id"])}` : "error";
}
