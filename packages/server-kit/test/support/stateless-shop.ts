// A server for the era without sessions: handlers in the test's hands, things to watch, and tools that ask.
import { z } from "zod";
import { MessageQueue } from "../../../testing/src/process/message-queue.ts";
import {
  defineServer,
  prompt,
  resource,
  template,
  tool,
  user,
  type Context,
  type InteractiveContext,
  type Server,
  type ServerSpec,
} from "../../src/index.ts";

/** A call in the test's hands. Its handler heeds nothing but the test. */
export interface Held {
  readonly ctx: InteractiveContext;
  done(text: string): void;
  fail(error: unknown): void;
}

export interface Shop {
  readonly server: Server;
  /** The next call of `work` with this name. */
  work(name: string): Promise<Held>;
  /** A watched address changes. */
  touch(uri: string): void;
  /** How often an address is being watched. */
  watchers(uri?: string): number;
  /** The signals of the requests that have subscribed. */
  readonly subscribers: readonly AbortSignal[];
  /** What ran, in order. */
  readonly ran: string[];
}

export const BOARD = "shop://board";
export const DESK = "shop://desk";
export const SHELF = "shop://shelf/1";
export const PLAIN = "shop://plain";

const Name = z.object({ name: z.string() });
const Colour = z.object({ colour: z.string() });

export function stockShop(spec: Partial<ServerSpec> = {}): Shop {
  const begun = new Map<string, MessageQueue<Held>>();
  const watching = new Map<string, Set<() => void>>();
  const subscribers: AbortSignal[] = [];
  const ran: string[] = [];
  const of = (name: string): MessageQueue<Held> => {
    const known = begun.get(name) ?? new MessageQueue<Held>(() => `: no call of work ${name}`);
    begun.set(name, known);
    return known;
  };
  const subscribe = ({ signal, log, progress }: Context, uri: string): void => {
    subscribers.push(signal);
    log.error(`watching ${uri}`);
    progress(1);
  };
  const watch = (changed: () => void, uri: string) => {
    const all = watching.get(uri) ?? new Set();
    watching.set(uri, all.add(changed));
    return () => void all.delete(changed);
  };
  const work = tool({
    name: "work",
    input: z.object({ name: z.string().default("it") }),
    run: ({ name }, ctx) => new Promise<string>((done, fail) => of(name).push({ ctx, done, fail })),
  });
  const echo = tool({ name: "echo", hints: { readOnly: true }, input: z.object({ message: z.string() }), run: ({ message }) => message });
  const mark = tool({ name: "mark", run: (_input, { auth }) => `mark ${ran.push(auth?.principal ?? "nobody")}` });
  const chatty = tool({
    name: "chatty",
    run(_input, ctx) {
      ctx.progress(1, 2, "half");
      for (const level of ["debug", "info", "warning", "error"] as const) ctx.log[level](`a ${level}`);
      return "reply";
    },
  });
  const inTurn = tool({
    name: "in-turn",
    input: z.object({ what: z.string().default("cup") }),
    async run({ what }, ctx) {
      ran.push("in-turn");
      const name = await ctx.elicit({ message: "Who?", schema: Name });
      const colour = await ctx.elicit({ message: `What colour, ${replyText(name)}?`, schema: Colour });
      return `a ${replyText(colour)} ${what} for ${replyText(name)}`;
    },
  });
  const inParallel = tool({
    name: "in-parallel",
    async run(_input, ctx) {
      const [name, colour] = await Promise.all([
        ctx.elicit({ message: "Who?", schema: Name, key: "who" }),
        ctx.elicit({ message: "What colour?", schema: Colour, key: "colour" }),
      ]);
      return `a ${replyText(colour)} one for ${replyText(name)}`;
    },
  });
  const everything = tool({
    name: "everything",
    async run(_input, ctx) {
      const [name, thought, roots] = await Promise.all([
        ctx.elicit({ message: "Who?", schema: Name }),
        ctx.sample({ messages: [{ role: "user", content: { type: "text", text: "Think" } }], maxTokens: 10 }),
        ctx.roots(),
      ]);
      return `${replyText(name)} ${JSON.stringify(thought.content)} ${roots.map(({ uri }) => uri).join()}`;
    },
  });
  const page = tool({
    name: "page",
    run: async (_input, ctx) => (await ctx.elicitUrl({ message: "Log in", url: "https://login.example/" })).action,
  });
  const think = tool({
    name: "think",
    run: async (_input, ctx) =>
      JSON.stringify(await ctx.sample({ messages: [{ role: "user", content: { type: "text", text: "Think" } }], maxTokens: 10 })),
  });
  const folders = tool({ name: "folders", run: async (_input, ctx) => (await ctx.roots()).map(({ uri }) => uri).join() });
  const sayAndAsk = tool({
    name: "say-and-ask",
    async run(_input, ctx) {
      ctx.progress(1);
      return replyText(await ctx.elicit({ message: "Who?", schema: Name }));
    },
  });
  let moods = 0;
  const moody = tool({
    name: "moody",
    run: async (_input, ctx) => replyText(await ctx.elicit({ message: `Who? ${++moods}`, schema: Name })),
  });
  const read = (what: string) => (): string => (ran.push(`read ${what}`), what);
  const greet = prompt({
    name: "greet",
    get: async (_args, ctx) => [user(`Hello ${replyText(await ctx.elicit({ message: "Who?", schema: Name }))}`)],
  });
  const server = defineServer({
    name: "shop",
    version: "1.0.0",
    instructions: "Ask for the shopkeeper.",
    tools: [work, echo, mark, chatty, inTurn, inParallel, everything, page, think, folders, sayAndAsk, moody],
    resources: [
      resource({ uri: BOARD, name: "board", read: read("chalk"), subscribe, watch }),
      resource({ uri: DESK, name: "desk", read: read("wood"), subscribe, watch }),
      resource({ uri: PLAIN, name: "plain", read: async (ctx) => replyText(await ctx.elicit({ message: "Who?", schema: Name })) }),
      template({
        uri: "shop://shelf/{n}",
        name: "shelf",
        read: ({ n }) => `shelf ${n}`,
        subscribe: (_n, ctx, uri) => subscribe(ctx, uri),
        watch: (_n, changed, uri) => watch(changed, uri),
      }),
    ],
    prompts: [greet],
    ...spec,
  });
  return {
    server,
    work: (name) => of(name).next(10_000),
    touch: (uri) => watching.get(uri)?.forEach((changed) => changed()),
    watchers: (uri) => [...watching].filter(([one]) => uri === undefined || one === uri).reduce((sum, [, all]) => sum + all.size, 0),
    subscribers,
    ran,
  };
}

/** The one field of an accepted form; else how it was left. */
function replyText(answer: { action: string; content?: object }): string {
  return answer.content === undefined ? answer.action : String(Object.values(answer.content)[0]);
}

/** A client that can be asked for everything. */
export const ASKABLE = { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} };
