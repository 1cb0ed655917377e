/** A server that can be kept busy in every way: slow tools, progress, questions, resources and lists that change. */
import { setTimeout as sleep } from "node:timers/promises";
import { defineServer, prompt, resource, template, tool, ToolError, type Limits, type Server } from "@oarlock/server-kit";
import { z } from "zod";

/** Longer ones are refused; the load sends some. */
export const MESSAGE_BYTES = 512 * 1024;

const limits: Partial<Limits> = { messageBytes: MESSAGE_BYTES, timeoutMs: 3000, logsPerSecond: 1e6, callsPerSecond: 1e6 };

const watchers = new Map<string, Set<() => void>>();

function watch(uri: string, changed: () => void): () => void {
  const all = watchers.get(uri) ?? new Set();
  watchers.set(uri, all.add(changed));
  return () => void (all.delete(changed) && all.size === 0 && watchers.delete(uri));
}

const tools = [
  tool({ name: "echo", input: z.object({ message: z.string() }), run: ({ message }) => message }),
  tool({
    name: "slow",
    description: "Takes its time, unless it is cancelled.",
    input: z.object({ ms: z.number() }),
    run: ({ ms }, { signal }) => sleep(ms, "slept", { signal }),
  }),
  tool({
    name: "steps",
    description: "Tells of its progress, and logs.",
    input: z.object({ count: z.number(), ms: z.number(), size: z.number().default(10) }),
    async run({ count, ms, size }, { progress, log, signal }) {
      for (let step = 1; step <= count; step++) {
        progress(step, count);
        log.info("x".repeat(size));
        await sleep(ms, undefined, { signal });
      }
      return `${count} steps`;
    },
  }),
  tool({
    name: "ask",
    description: "Asks the person.",
    async run(_input, ctx) {
      const { action } = await ctx.elicit({ message: "Go on?", schema: z.object({ sure: z.boolean() }) });
      return action;
    },
  }),
  tool({ name: "big", input: z.object({ bytes: z.number() }), run: ({ bytes }) => "x".repeat(bytes) }),
  tool({
    name: "fail",
    run: () => {
      throw new ToolError("as it was asked to");
    },
  }),
  tool({
    name: "touch",
    description: "Changes a resource.",
    input: z.object({ uri: z.string() }),
    run({ uri }) {
      for (const changed of watchers.get(uri) ?? []) changed();
      return "touched";
    },
  }),
];

export const soakServer: Server = defineServer({
  name: "soak",
  version: "1.0.0",
  limits,
  tools,
  resources: [
    resource({ uri: "soak://clock", name: "clock", read: () => String(Date.now()), watch: (changed) => watch("soak://clock", changed) }),
    template({
      uri: "soak://item/{n}",
      name: "item",
      read: ({ n }) => `item ${n}`,
      complete: { n: () => ["1", "2", "3"] },
      watch: (_variables, changed, uri) => watch(uri, changed),
    }),
  ],
  prompts: [prompt({ name: "greet", args: z.object({ who: z.string() }), get: ({ who }) => `Hello ${who}` })],
});

const extra = tool({ name: "extra", description: "Comes and goes.", run: () => "extra" });

soakServer.tools.add(
  tool({
    name: "grow",
    description: "Changes the list of tools.",
    run() {
      if (soakServer.tools.get("extra") === undefined) soakServer.tools.add(extra);
      else soakServer.tools.remove("extra");
      return "grown";
    },
  }),
);
