// Protocol types in the shapes of the newest revision, which the whole kit uses; `revisions/` converts them for older clients.
// https://modelcontextprotocol.io/specification/2026-07-28/schema
import type { Json } from "../wire/json-rpc.ts";

export type { Json };
/** The author of a message. */
export type Role = "user" | "assistant";

/** Free-form extra data, by reverse-DNS keys. */
export type Meta = Record<string, unknown>;

/** An icon of a list entry. */
export interface Icon {
  /** An http(s) URL or a base64 data URI. */
  src: string;
  mimeType?: string;
  /** `"48x48"`, `"any"` … */
  sizes?: string[];
  theme?: "light" | "dark";
}

/** Audience, priority and time of last change of a content block. */
export interface Annotations {
  audience?: Role[];
  /** 0 (may be left out) to 1 (required). */
  priority?: number;
  /** ISO 8601. */
  lastModified?: string;
}

interface BlockBase {
  annotations?: Annotations;
  _meta?: Meta;
}

/** Text for the model. */
export interface TextBlock extends BlockBase {
  type: "text";
  text: string;
}
/** An image. */
export interface ImageBlock extends BlockBase {
  type: "image";
  /** Base64. */
  data: string;
  mimeType: string;
}
/** Audio. */
export interface AudioBlock extends BlockBase {
  type: "audio";
  /** Base64. */
  data: string;
  mimeType: string;
}
/** The contents of a resource inside a result. */
export interface EmbeddedResource extends BlockBase {
  type: "resource";
  resource: ResourceContents;
}
/** A resource that can be read later. */
export interface ResourceLink extends Resource {
  type: "resource_link";
}

/** One block of a tool result or of a prompt message. */
export type Block = TextBlock | ImageBlock | AudioBlock | EmbeddedResource | ResourceLink;

/** An entry of a list of resources. */
export interface Resource {
  uri: string;
  name: string;
  title?: string;
  description?: string;
  mimeType?: string;
  /** Size in bytes, before any encoding. */
  size?: number;
  annotations?: Annotations;
  icons?: Icon[];
  _meta?: Meta;
}

/** An entry of a list of resource templates. */
export interface ResourceTemplate {
  uriTemplate: string;
  name: string;
  title?: string;
  description?: string;
  mimeType?: string;
  annotations?: Annotations;
  icons?: Icon[];
  _meta?: Meta;
}

/** The contents of a resource: text, or bytes in base64. */
export type ResourceContents = { uri: string; mimeType?: string; _meta?: Meta } & ({ text: string } | { blob: string });

/** Hints about the behaviour of a tool; clients use them to decide when to ask their user. */
export interface ToolAnnotations {
  title?: string;
  readOnlyHint?: boolean;
  destructiveHint?: boolean;
  idempotentHint?: boolean;
  openWorldHint?: boolean;
}

/** A JSON Schema (2020-12 unless `$schema` names another dialect). */
export type JsonSchema = Record<string, unknown>;

/** An entry of a list of tools. */
export interface Tool {
  name: string;
  title?: string;
  description?: string;
  inputSchema: JsonSchema;
  outputSchema?: JsonSchema;
  annotations?: ToolAnnotations;
  icons?: Icon[];
  _meta?: Meta;
}

/** The result of `tools/call`. */
export interface CallToolResult {
  content: Block[];
  structuredContent?: unknown;
  isError?: boolean;
  _meta?: Meta;
}

/** An argument of a prompt; its value is a string. */
export interface PromptArgument {
  name: string;
  title?: string;
  description?: string;
  required?: boolean;
}

/** An entry of a list of prompts. */
export interface Prompt {
  name: string;
  title?: string;
  description?: string;
  arguments?: PromptArgument[];
  icons?: Icon[];
  _meta?: Meta;
}

/** One message of a prompt. */
export interface PromptMessage {
  role: Role;
  content: Block;
}

/** The result of `prompts/get`. */
export interface GetPromptResult {
  description?: string;
  messages: PromptMessage[];
  _meta?: Meta;
}

/** The result of `resources/read`. */
export interface ReadResourceResult {
  contents: ResourceContents[];
  _meta?: Meta;
}

/** The result of `completion/complete`: at most 100 values. */
export interface CompleteResult {
  completion: { values: string[]; total?: number; hasMore?: boolean };
}

/** Name and version of a server or client. */
export interface Implementation {
  name: string;
  version: string;
  title?: string;
  description?: string;
  websiteUrl?: string;
  icons?: Icon[];
}

/** The capabilities that a server declares. */
export interface ServerCapabilities {
  experimental?: Json;
  logging?: Json;
  completions?: Json;
  prompts?: { listChanged?: boolean };
  resources?: { subscribe?: boolean; listChanged?: boolean };
  tools?: { listChanged?: boolean };
  extensions?: Json;
}

/** The capabilities that a client declares. */
export interface ClientCapabilities {
  experimental?: Json;
  roots?: { listChanged?: boolean };
  sampling?: { context?: Json; tools?: Json };
  elicitation?: { form?: Json; url?: Json };
  extensions?: Json;
}

/** A root directory of the client; `uri` begins with `file://`. */
export interface Root {
  uri: string;
  name?: string;
  _meta?: Meta;
}

/** The log levels of RFC 5424, least severe first. */
export const LOG_LEVELS = ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"] as const;
/** A log level of RFC 5424. */
export type LogLevel = (typeof LOG_LEVELS)[number];

/** One message for the client's model. */
export interface SamplingMessage {
  role: Role;
  content: Json | Json[];
  _meta?: Meta;
}

/** Parameters of `sampling/createMessage`. */
export interface SampleRequest {
  messages: SamplingMessage[];
  maxTokens: number;
  modelPreferences?: { hints?: { name?: string }[]; costPriority?: number; speedPriority?: number; intelligencePriority?: number };
  systemPrompt?: string;
  includeContext?: "none" | "thisServer" | "allServers";
  temperature?: number;
  stopSequences?: string[];
  metadata?: Json;
  tools?: Tool[];
  toolChoice?: { mode?: "auto" | "required" | "none" };
}

/** The result of `sampling/createMessage`. */
export interface SampleResult {
  role: Role;
  content: Json | Json[];
  model: string;
  stopReason?: string;
}

/** The result of `elicitation/create`. */
export interface ElicitResult {
  action: "accept" | "decline" | "cancel";
  content?: Json;
}
