// @oarlock/server-kit: what an author of a server needs, on any platform.
export { defineServer, type Server, type LazyFeatures, type ServerFeatures, type ServerSpec } from "./server/define.ts";
export { type RuntimeOptions } from "./server/endpoint.ts";
export { DEFAULT_LIMITS, type Limits } from "./server/limits.ts";
export type { Answer, InteractiveContext, Client, Context, Elicitation, Log } from "./features/context.ts";
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
export { ask, type Asked, type AskFor } from "./features/asked.ts";
export type { Cache } from "./features/cache.ts";
export type { Completer } from "./features/completion.ts";
export { assistant, prompt, user, type PromptDefinition, type PromptSpec } from "./features/prompts.ts";
export {
  resource,
  template,
  type Contents,
  type ResourceDefinition,
  type ResourceSpec,
  type StopWatching,
  type TemplateSpec,
} from "./features/resources.ts";
export { fromJsonSchema, type InferInput, type InferOutput, type Schema } from "./features/schema.ts";
export { tool, type ToolHints, type ToolDefinition, type ToolSpec } from "./features/tools.ts";
export { invalidParams, McpError, resourceNotFound, Suspended, ToolError } from "./protocol/errors.ts";
export type { Auth } from "./protocol/auth.ts";
export type * from "./protocol/types.ts";
export { jsonBytes } from "./server/result-text.ts";
export { linkMemory } from "./transports/memory.ts";
