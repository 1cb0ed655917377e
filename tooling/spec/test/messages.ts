// Validates every message of a server against the definitions of its revision.
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
  "server/discover": "DiscoverResult",
  "subscriptions/listen": "SubscriptionsListenResult",
};

/** Requests that may end in questions, in the revision that has no requests from servers. */
const MAY_ASK = ["tools/call", "prompts/get", "resources/read"];

/** Errors that have a definition of their own. */
const ERRORS: Record<string, string> = {
  "-32020": "HeaderMismatchError",
  "-32021": "MissingRequiredClientCapabilityError",
  "-32022": "UnsupportedProtocolVersionError",
};

const NOTES_AND_REQUESTS: Record<string, string> = {
  "notifications/cancelled": "CancelledNotification",
  "notifications/progress": "ProgressNotification",
  "notifications/message": "LoggingMessageNotification",
  "notifications/resources/updated": "ResourceUpdatedNotification",
  "notifications/resources/list_changed": "ResourceListChangedNotification",
  "notifications/tools/list_changed": "ToolListChangedNotification",
  "notifications/prompts/list_changed": "PromptListChangedNotification",
  "notifications/subscriptions/acknowledged": "SubscriptionsAcknowledgedNotification",
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
    if (id !== undefined && schema.members("ServerRequest") === undefined)
      return `servers of this revision send no requests; came ${method}`;
    // Older definitions leave the envelope out.
    const members = schema.members(name);
    const bare = Object.fromEntries(Object.entries(message).filter(([key]) => members?.includes(key) !== false));
    return schema.faults(id === undefined ? "JSONRPCNotification" : "JSONRPCRequest", message) ?? schema.faults(name, bare);
  }
  if (error !== undefined) {
    // A line that could not be read has no id: JSON-RPC says null, the schemas have no word for it.
    const whole = id === null ? { ...message, id: "unread" } : message;
    const own = ERRORS[String((error as Json)["code"])];
    return schema.faults(errorName(schema), whole) ?? (own === undefined ? undefined : schema.faults(own, whole));
  }
  const name = resultName(asked(id), result);
  if (name === undefined) return `an answer to nothing: ${JSON.stringify(message)}`;
  const whole = schema.members("JSONRPCResultResponse") === undefined ? "JSONRPCResponse" : "JSONRPCResultResponse";
  return schema.faults(whole, message) ?? schema.faults(name, result);
}

function resultName(method = "", result: unknown): string | undefined {
  if ((result as Json | undefined)?.["resultType"] !== "input_required") return RESULTS[method];
  return MAY_ASK.includes(method) ? "InputRequiredResult" : undefined;
}

const errorName = (schema: Published): string =>
  schema.members("JSONRPCErrorResponse") === undefined ? "JSONRPCError" : "JSONRPCErrorResponse";

/** The kind of a message, for the tally of what a conversation has shown. */
export function kindOf(message: Json, asked: (id: unknown) => string | undefined): string {
  if (typeof message["method"] === "string") return message["method"];
  return message["error"] === undefined ? `result of ${asked(message["id"])}` : "error";
}
