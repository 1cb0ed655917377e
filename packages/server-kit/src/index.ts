// @oarlock/server-kit: everything that the author of a server needs, on any platform.
export { defineServer, type Server, type LazyFeatures, type ServerFeatures, type ServerSpec } from "./runtime/define.ts";
export type {
  Extension,
  ExtensionHost,
  ExtensionMethod,
  ExtensionParts,
  OpenFilter,
  RunningExtension,
  SubscriptionFilter,
} from "./runtime/extension/extension.ts";
export type { CallHandler } from "./runtime/request/request-handler.ts";
export type {
  Observation,
  ObservedClientRequest,
  ObservedRefusal,
  ObservedRequest,
  ObservedSession,
  Observer,
  RequestEnd,
  SessionObservation,
} from "./runtime/request/observer.ts";
export type { ClientRequestEnd, ClientRequestObservation } from "./peer/outgoing-requests.ts";
export { type RuntimeOptions } from "./runtime/runtime.ts";
export { DEFAULT_LIMITS, type Limits } from "./runtime/limits.ts";
export type { ListContext, ListItem, Middleware, MiddlewareRequest } from "./runtime/middleware.ts";
export type { Answer, InteractiveContext, Client, Completer, Context, Elicitation, Log, LogOptions } from "./features/context.ts";
export {
  audio,
  embed,
  EncodedJson,
  encodedText,
  image,
  json,
  link,
  text,
  type ContentAndStructured,
  type ToolReturn,
} from "./features/content.ts";
export { ClientRoots, type ClientRootsOptions } from "./features/client-roots.ts";
export { confirm } from "./features/confirm.ts";
export type { Awaitable } from "./features/awaitable.ts";
export type { Cache } from "./features/cache.ts";
export { assistant, prompt, user, type PromptDefinition, type PromptSpec } from "./features/prompts.ts";
export { resource, template } from "./features/resources/resources.ts";
export type { Contents, ResourceDefinition, ResourceSpec, StopWatching, TemplateSpec } from "./features/resources/resource-types.ts";
export { fromJsonSchema, type InferInput, type InferOutput, type Schema } from "./features/schema/schema.ts";
export { leanTool } from "./features/tools/lean-tool.ts";
export type { ToolAddition } from "./features/tools/tool-additions.ts";
export { tool, type ToolHints, type ToolDefinition, type ToolSpec } from "./features/tools/tools.ts";
export { invalidParams, McpError, resourceNotFound, Suspended, ToolError } from "./protocol/errors.ts";
export { readTrace, traceIdOf, type TraceContext } from "./protocol/trace.ts";
export type { Auth } from "./protocol/auth.ts";
export type * from "./protocol/types.ts";
export { linkMemory } from "./transports/memory.ts";
