/** What the load does with a client, whichever library it is from. */
import type { Question } from "../fixture/server.ts";

export type Era = "sessions" | "stateless";

/** Functions that a client calls with what the server sends on its own. */
export interface Hooks {
  onLog(data: unknown): void;
  onUpdated(uri: string): void;
  onListChanged(): void;
  /** A request of the server; returns the answer to give. */
  onQuestion(kind: Question, text: string): string;
}

export interface CallOptions {
  signal?: AbortSignal;
  onProgress?(done: number): void;
}

export interface LoadClient {
  /** Calls a tool and returns its text. Rejects on every error, tool errors included. */
  call(name: string, args: Record<string, unknown>, options?: CallOptions): Promise<string>;
  /** Resolves once the server has accepted the subscription, to the lists too. */
  subscribe(uri: string): Promise<void>;
  readonly session?: string | undefined;
  close(): Promise<void>;
}

export interface Connecting {
  readonly url: URL;
  readonly fetch: typeof globalThis.fetch;
  readonly hooks: Hooks;
  /** How long a request may take without progress. */
  readonly requestMs: number;
}

export interface ClientKind {
  readonly name: string;
  readonly era: Era;
  readonly hasTasks: boolean;
  /** It asks again for a standing stream that the server has refused. */
  readonly asksAgain: boolean;
  connect(connecting: Connecting): Promise<LoadClient>;
}

/** A text block, or whatever stands there instead. */
export function textOf(result: object): string {
  const { content, isError }: { content?: unknown; isError?: unknown } = result;
  const texts = Array.isArray(content) ? content.map((block: { text?: unknown }) => String(block.text)) : [];
  if (isError === true) throw new Error(`tool error: ${texts.join("\n")}`);
  return texts.join("\n");
}

/** Roots of every client. */
export const ROOTS = [{ uri: "file:///nodes/root" }];

/** What every client answers to questions of the server. */
export const answersOf = ({ onQuestion }: Hooks) => ({
  roots() {
    onQuestion("roots", "");
    return ROOTS;
  },
  elicit: ({ message }: { message: string }) => ({ action: "accept" as const, content: { token: onQuestion("elicit", message) } }),
  sample: ({ messages }: { messages: unknown }) => ({
    role: "assistant" as const,
    model: "nodes",
    content: { type: "text" as const, text: onQuestion("sample", JSON.stringify(messages)) },
  }),
});

/** The declaration of the official clients. */
export const CAPABILITIES = { roots: { listChanged: true }, elicitation: {}, sampling: {} };

/** How the official clients take up broken streams: sooner and more often than by default, as their defaults give up after two attempts. */
export const RECONNECTION = {
  initialReconnectionDelay: 200,
  maxReconnectionDelay: 2000,
  reconnectionDelayGrowFactor: 1.5,
  maxRetries: 20,
};

/** The options of a call by an official client. */
export const officialOptions = (timeout: number, { signal, onProgress }: CallOptions = {}) => ({
  timeout,
  ...(signal && { signal }),
  ...(onProgress && { onprogress: ({ progress }: { progress: number }) => onProgress(progress) }),
});
