// A server whose tool is one handler that asks, and a client of the newest era that can be asked everything.
import { expect } from "vitest";
import { z } from "zod";
import { defineServer, prompt, resource, tool, user, type Answer, type InteractiveContext, type RuntimeOptions } from "../../src/index.ts";
import type { Json } from "../../src/protocol.ts";
import { ModernTalk } from "./modern-talk.ts";
import { ABLE } from "./talk.ts";

const Name = z.object({ name: z.string().min(2) });
export const who = { message: "Who?", schema: Name };
export const accept = (name: unknown): Json => ({ action: "accept", content: { name } });
export const nameOf = (answer: Answer<{ name: string }>): string => (answer.action === "accept" ? answer.content.name : answer.action);

/** A client of a server whose tool `one` is this handler. */
export function askedBy(run: (ctx: InteractiveContext) => unknown, capabilities: Json = ABLE, options: RuntimeOptions = {}): ModernTalk {
  const server = defineServer({
    name: "asks",
    version: "1",
    tools: [
      tool({ name: "one", run: (_input, ctx) => run(ctx) as Promise<string> }),
      tool({ name: "two", run: (_input, ctx) => run(ctx) as Promise<string> }),
    ],
    prompts: [prompt({ name: "one", get: async (_args, ctx) => [user(nameOf(await ctx.elicit(who)))] })],
    resources: [resource({ uri: "a:one", name: "one", cache: { ttlMs: 9 }, read: async (ctx) => nameOf(await ctx.elicit(who)) })],
  });
  return new ModernTalk(server, { capabilities, ...options });
}

export const CALL: Json = { name: "one", arguments: {} };
/** The first round of a call. */
export const first = (client: ModernTalk): Promise<Json> => client.result("tools/call", CALL);
export const words = (text: string): object => expect.objectContaining({ resultType: "complete", content: [{ type: "text", text }] });
