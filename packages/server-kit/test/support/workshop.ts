// A server over real HTTP whose handlers the test controls: a call to `work` waits until the test ends it.
import { setTimeout as sleep } from "node:timers/promises";
import { MessageQueue } from "../../../testing/src/process/message-queue.ts";
import { defineServer, resource, tool, type InteractiveContext, type Server } from "../../src/index.ts";
import { serveHttp, type Authenticator, type HttpServer, type ServeHttpOptions } from "../../src/node.ts";
import { z } from "zod";

/** A call in the test's hands. */
export interface Work {
  readonly ctx: InteractiveContext;
  done(text: string): void;
}

export interface Workshop extends AsyncDisposable {
  readonly http: HttpServer;
  readonly url: string;
  readonly server: Server;
  /** What the server logged, as text. */
  readonly logged: string[];
  /** The next call of `work` with this name. */
  work(name: string): Promise<Work>;
  /** The watched resource changes. */
  touch(): void;
  /** How many watch it. */
  watchers(): number;
}

export const BOARD = "workshop://board";

export async function startWorkshop(options: ServeHttpOptions = {}): Promise<Workshop> {
  const logged: string[] = [];
  const begun = new Map<string, MessageQueue<Work>>();
  const watchers = new Set<() => void>();
  const of = (name: string): MessageQueue<Work> => {
    const known = begun.get(name) ?? new MessageQueue<Work>(() => `: no call of work ${name}`);
    begun.set(name, known);
    return known;
  };
  const work = tool({
    name: "work",
    input: z.object({ name: z.string().default("it") }),
    run: ({ name }, ctx) =>
      new Promise<string>((resolve, reject) => {
        ctx.signal.addEventListener("abort", () => reject(ctx.signal.reason as Error)); // the kit's own
        of(name).push({ ctx, done: resolve });
      }),
  });
  const echo = tool({ name: "echo", input: z.object({ message: z.string() }), run: ({ message }) => message });
  const board = resource({
    uri: BOARD,
    name: "board",
    read: () => "chalk",
    noticesOtherProcesses: true,
    watch: (changed) => {
      watchers.add(changed);
      return () => void watchers.delete(changed);
    },
  });
  const server = defineServer({ name: "workshop", version: "1.0.0", tools: [work, echo], resources: [board], prompts: [] });
  const http = await serveHttp(server, {
    port: 0,
    graceMs: 0,
    log: (level, data) => void logged.push(`${level} ${String(data)}`),
    ...options,
  });
  return {
    http,
    url: http.url,
    server,
    logged,
    work: (name) => of(name).next(10_000),
    touch: () => watchers.forEach((changed) => changed()),
    watchers: () => watchers.size,
    [Symbol.asyncDispose]: () => http.stop(),
  };
}

/** Takes these tokens, each of a principal of its own, after a turn or at once. */
export const principals = (tokens: Readonly<Record<string, string>>, ms?: number): Authenticator => {
  const judge = (token: string): Awaited<ReturnType<Authenticator["check"]>> => {
    const principal = Object.hasOwn(tokens, token) ? tokens[token] : undefined;
    return principal === undefined ? { denied: "nobody knows this token" } : { principal, scopes: ["*"], claims: {} };
  };
  return { check: ms === undefined ? judge : (token) => sleep(ms).then(() => judge(token)) };
};
