// What the tests ask of an official client, whichever its generation: thin names over its own methods, so that one test
// body runs on all of them, and what it saw of the server beside the answers.
import type { Client as ClientV2 } from "@modelcontextprotocol/client";
import type { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";

export interface Block {
  type: string;
  text?: string | undefined;
  [member: string]: unknown;
}

export interface Called {
  content: readonly Block[];
  structuredContent?: unknown;
  isError?: boolean | undefined;
}

interface Listed {
  name: string;
  title?: string | undefined;
  [member: string]: unknown;
}

export interface Progress {
  progress: number;
  total?: number | undefined;
  message?: string | undefined;
}

export interface Entry {
  level: string;
  logger?: string | undefined;
  data?: unknown;
}

export interface Question {
  message: string;
  mode?: unknown;
  requestedSchema?: unknown;
}

export interface Decision {
  action: "accept" | "decline" | "cancel";
  content?: Record<string, string | number | boolean | string[]>;
}

/** Handlers for requests of the server; the client declares the capabilities of the given ones. */
export interface Handlers {
  roots?: () => { uri: string; name?: string }[];
  elicit?: (question: Question, signal: AbortSignal) => Decision | Promise<Decision>;
  /** The model: takes the text of the prompt and returns its answer. */
  sample?: (prompt: string) => string;
}

export type Level = "debug" | "warning" | "error";

export interface CallOptions {
  signal?: AbortSignal;
  onProgress?: (progress: Progress) => void;
  /** Stateless era: the lowest level of log messages during the call. */
  logLevel?: Level;
}

type CompletionRef = { type: "ref/prompt"; name: string } | { type: "ref/resource"; uri: string };

/** The notifications that a client subscribes to, in the stateless era. */
export interface NewsFilter {
  toolsListChanged?: boolean;
  promptsListChanged?: boolean;
  resourcesListChanged?: boolean;
  resourceSubscriptions?: string[];
}

export interface News {
  /** The part of the filter that the server accepted. */
  readonly honored: NewsFilter;
  /** Resolves when it has ended: who ended it, and how. */
  readonly ended: Promise<string>;
  close(): Promise<void>;
}

export interface Official {
  readonly revision: string | undefined;
  readonly serverInfo: { name: string; version: string } | undefined;
  readonly capabilities: Record<string, unknown> | undefined;
  readonly instructions: string | undefined;
  /** Notifications, as they came. */
  readonly updated: readonly string[];
  readonly log: readonly Entry[];
  readonly listsChanged: readonly string[];
  /** Errors that the client reported: invalid lines, unexpected responses, unknown methods. */
  readonly faults: readonly string[];
  tools(cursor?: string): Promise<readonly Listed[]>;
  call(name: string, args?: Record<string, unknown>, options?: CallOptions): Promise<Called>;
  resources(cursor?: string): Promise<readonly ({ uri: string } & Listed)[]>;
  templates(cursor?: string): Promise<readonly ({ uriTemplate: string } & Listed)[]>;
  read(uri: string): Promise<readonly unknown[]>;
  prompts(cursor?: string): Promise<readonly Listed[]>;
  prompt(name: string, args: Record<string, string>): Promise<readonly { role: string; content: Block }[]>;
  complete(ref: CompletionRef, argument: { name: string; value: string }): Promise<readonly string[]>;
  /** This and the following methods: handshake era only. */
  subscribe(uri: string): Promise<unknown>;
  unsubscribe(uri: string): Promise<unknown>;
  setLevel(level: Level): Promise<unknown>;
  ping(): Promise<unknown>;
  rootsChanged(): Promise<void>;
  /** Stateless era only. */
  listen(filter: NewsFilter): Promise<News>;
  close(): Promise<void>;
}

/** What a client sees of the server beside the answers. */
export function observationsOf(client: ClientV1 | ClientV2) {
  const faults: string[] = [];
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the client has this one member, and no events
  client.onerror = (error) => faults.push(error.message);
  return { updated: [] as string[], log: [] as Entry[], listsChanged: [] as string[], faults };
}

/** The capabilities of a client with these handlers. */
export const capabilitiesOf = ({ roots, elicit, sample }: Handlers) => ({
  ...(roots && { roots: { listChanged: true } }),
  ...(elicit && { elicitation: {} }),
  ...(sample && { sampling: {} }),
});

/** The reply of the model. */
export const sampled = (sample: NonNullable<Handlers["sample"]>, messages: unknown) => ({
  role: "assistant" as const,
  model: "interop",
  content: { type: "text" as const, text: sample(JSON.stringify(messages)) },
});

const paged = (cursor: string | undefined) => (cursor === undefined ? {} : { cursor });

/** What both generations have under the same names. */
export const sharedMethods = (client: ClientV1 | ClientV2) => ({
  serverInfo: client.getServerVersion(),
  capabilities: client.getServerCapabilities(),
  instructions: client.getInstructions(),
  tools: async (cursor?: string) => (await client.listTools(paged(cursor))).tools,
  resources: async (cursor?: string) => (await client.listResources(paged(cursor))).resources,
  templates: async (cursor?: string) => (await client.listResourceTemplates(paged(cursor))).resourceTemplates,
  read: async (uri: string) => (await client.readResource({ uri })).contents,
  prompts: async (cursor?: string) => (await client.listPrompts(paged(cursor))).prompts,
  prompt: async (name: string, args: Record<string, string>) => (await client.getPrompt({ name, arguments: args })).messages,
  complete: async (ref: CompletionRef, argument: { name: string; value: string }) =>
    (await client.complete({ ref, argument })).completion.values,
  subscribe: (uri: string) => client.subscribeResource({ uri }),
  unsubscribe: (uri: string) => client.unsubscribeResource({ uri }),
  setLevel: (level: Level) => client.setLoggingLevel(level),
  ping: () => client.ping(),
  rootsChanged: () => client.sendRootsListChanged(),
  close: () => client.close(),
});

/** All text of a result. */
export const textOf = (content: readonly Block[]): string => content.map(({ text }) => text ?? "").join("\n");
