// The neutral vocabulary: the shapes of the newest revision, which is what everything inside the kit speaks.
// https://modelcontextprotocol.io/specification/2026-07-28/schema (the revision folder turns them into older words).
import type { Json } from "../wire/json-rpc.ts";

export type { Json };
/** Whose words a message has. */
export type Role = "user" | "assistant";

/** Free-form extra data, by reverse-DNS keys. */
export type Meta = Record<string, unknown>;

/** A picture of something in a list. */
export interface Icon {
  /** An http(s) URL or a base64 data URI. */
  src: string;
  mimeType?: string;
  /** `"48x48"`, `"any"` … */
  sizes?: string[];
  theme?: "light" | "dark";
}

/** For whom a piece of content is, how important, and how new. */
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
/** A picture, in base64. */
export interface ImageBlock extends BlockBase {
  type: "image";
  /** Base64. */
  data: string;
  mimeType: string;
}
/** A sound, in base64. */
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

/** A resource as lists show it. */
export interface Resource {
  uri: string;
  name: string;
  title?: string;
  description?: string;
  mimeType?: string;
  /** Raw bytes, before any encoding. */
  size?: number;
  annotations?: Annotations;
  icons?: Icon[];
  _meta?: Meta;
}

/** A family of resources as lists show it. */
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

/** What reading a resource gives: text, or base64. */
export type ResourceContents = { uri: string; mimeType?: string; _meta?: Meta } & ({ text: string } | { blob: string });

/** A tool's own word on what it does; clients decide by it what to ask their user. */
export interface ToolAnnotations {
  title?: string;
  readOnlyHint?: boolean;
  destructiveHint?: boolean;
  idempotentHint?: boolean;
  openWorldHint?: boolean;
}

/** A JSON Schema (2020-12 unless it says otherwise). */
export type JsonSchema = Record<string, unknown>;

/** A tool as lists show it. */
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

/** What a call gives. */
export interface CallToolResult {
  content: Block[];
  structuredContent?: unknown;
  isError?: boolean;
  _meta?: Meta;
}

/** An argument of a prompt; its value is text. */
export interface PromptArgument {
  name: string;
  title?: string;
  description?: string;
  required?: boolean;
}

/** A prompt as lists show it. */
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

/** A prompt, filled in. */
export interface GetPromptResult {
  description?: string;
  messages: PromptMessage[];
  _meta?: Meta;
}

/** What reading an address gives. */
export interface ReadResourceResult {
  contents: ResourceContents[];
  _meta?: Meta;
}

/** How what is being typed may go on: at most 100 values. */
export interface CompleteResult {
  completion: { values: string[]; total?: number; hasMore?: boolean };
}

/** Who a server or client is. */
export interface Implementation {
  name: string;
  version: string;
  title?: string;
  description?: string;
  websiteUrl?: string;
  icons?: Icon[];
}

/** What a server declares. */
export interface ServerCapabilities {
  experimental?: Json;
  logging?: Json;
  completions?: Json;
  prompts?: { listChanged?: boolean };
  resources?: { subscribe?: boolean; listChanged?: boolean };
  tools?: { listChanged?: boolean };
  extensions?: Json;
}

/** What a client declares. */
export interface ClientCapabilities {
  experimental?: Json;
  roots?: { listChanged?: boolean };
  sampling?: { context?: Json; tools?: Json };
  elicitation?: { form?: Json; url?: Json };
  extensions?: Json;
}

/** A folder that the client offers; `uri` begins with `file://`. */
export interface Root {
  uri: string;
  name?: string;
  _meta?: Meta;
}

/** From least to most severe. */
export const LOG_LEVELS = ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"] as const;
/** Severities of RFC 5424, least severe first. */
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

/** What the client's model said. */
export interface SampleResult {
  role: Role;
  content: Json | Json[];
  model: string;
  stopReason?: string;
}

/** A person's answer, as it is on the wire. */
export interface ElicitResult {
  action: "accept" | "decline" | "cancel";
  content?: Json;
}
