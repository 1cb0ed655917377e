// What the tests ask of an official client, whichever its generation: thin names over its own methods, so that one test
// body runs on all of them, and what it saw of the server beside the answers.
import { ChildProcess } from "node:child_process";

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

/** What the client is prepared for; what is left out it does not declare. */
export interface Handlers {
  roots?: () => { uri: string; name?: string }[];
  elicit?: (question: Question, signal: AbortSignal) => Decision | Promise<Decision>;
}

interface CallOptions {
  signal?: AbortSignal;
  onProgress?: (progress: Progress) => void;
}

type CompletionRef = { type: "ref/prompt"; name: string } | { type: "ref/resource"; uri: string };

/** How the server process ended, and all that it wrote to stderr. */
export interface End {
  code: number | null;
  signal: string | null;
  stderr: string;
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
  /** What the client complained of: bad lines, answers that nobody waits for, unknown methods. */
  readonly faults: readonly string[];
  tools(cursor?: string): Promise<readonly Listed[]>;
  call(name: string, args?: Record<string, unknown>, options?: CallOptions): Promise<Called>;
  resources(cursor?: string): Promise<readonly ({ uri: string } & Listed)[]>;
  templates(cursor?: string): Promise<readonly ({ uriTemplate: string } & Listed)[]>;
  read(uri: string): Promise<readonly unknown[]>;
  subscribe(uri: string): Promise<unknown>;
  unsubscribe(uri: string): Promise<unknown>;
  prompts(cursor?: string): Promise<readonly Listed[]>;
  prompt(name: string, args: Record<string, string>): Promise<readonly { role: string; content: Block }[]>;
  complete(ref: CompletionRef, argument: { name: string; value: string }): Promise<readonly string[]>;
  setLevel(level: "debug" | "warning" | "error"): Promise<unknown>;
  ping(): Promise<unknown>;
  rootsChanged(): Promise<void>;
  /** Closes the way the client closes, and tells how the server took it. */
  close(): Promise<End>;
}

/**
 * Waits for the process behind a stdio transport; to be called before it is closed. Both generations keep the process in a
 * member of their own, and have no other word for how it ended.
 */
export function endOf(transport: object, stderr: () => string): Promise<End> {
  const child: unknown = Reflect.get(transport, "_process");
  if (!(child instanceof ChildProcess)) throw new TypeError("The transport shows no process: the official client has changed inside");
  return new Promise((resolve) => child.once("close", (code, signal) => resolve({ code, signal, stderr: stderr() })));
}

/** All text of a result. */
export const textOf = (content: readonly Block[]): string => content.map(({ text }) => text ?? "").join("\n");
