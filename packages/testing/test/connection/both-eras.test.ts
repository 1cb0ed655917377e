// Handlers that behave the same in both eras.
import { describe, expect, test } from "vitest";
import { prompt, resource, tool, ToolError, user, type Answer, type InteractiveContext } from "@oarlock/server-kit";
import { accept, runInBothEras, cancel, decline, modelSays, type ScriptedReply, type HandlerStage } from "@oarlock/testing";
import * as z from "zod";
import { staging, sure, Sure, thought, twice, who, type Run } from "../fixtures/staged.ts";

const text = (words: string): object => ({ result: { content: [{ type: "text", text: words }] } });
const nameOf = (answer: Answer<{ name: string }>): string => (answer.action === "accept" ? answer.content.name : answer.action);

/** Looks, asks, then acts. */
const remove: Run = async (ctx, done) => {
  const answer = await ctx.elicit(sure);
  if (answer.action !== "accept" || !answer.content.sure) return `kept: ${answer.action}`;
  done("removed");
  return "removed";
};

describe("equal in both eras", () => {
  test.each<[line: ScriptedReply, words: string, effects: string[]]>([
    [accept({ sure: true }), "removed", ["removed"]],
    [accept({ sure: false }), "kept: accept", []],
    [decline, "kept: decline", []],
    [cancel, "kept: cancel", []],
  ])("a handler that reads, elicits, then writes: %j", async (line, words, effects) => {
    const compared = await twice(remove, [line]);
    expect(compared).toEqual({
      answer: text(words),
      effects,
      roundTrips: 1,
      requests: [{ method: "elicitation/create", params: expect.objectContaining({ message: "Sure?" }) }],
    });
  });

  test("takes no rounds without client requests", async () => {
    expect(await twice((_ctx, done) => (done("a"), "done"))).toEqual({ answer: text("done"), effects: ["a"], requests: [], roundTrips: 0 });
  });

  test("takes two rounds for two client requests in turn", async () => {
    const run: Run = async (ctx, done) => {
      const name = nameOf(await ctx.elicit(who));
      const again = nameOf(await ctx.elicit({ ...who, message: `${name}, and who else?` }));
      done(`met ${name} and ${again}`);
      return again;
    };
    const { answer, effects, roundTrips, requests } = await twice(run, [accept({ name: "Ada" }), accept({ name: "Grace" })]);
    expect([answer, effects, roundTrips]).toEqual([text("Grace"), ["met Ada and Grace"], 2]);
    expect(requests).toMatchObject([{ params: { message: "Who?" } }, { params: { message: "Ada, and who else?" } }]);
  });

  test("takes one round for two parallel client requests", async () => {
    const run: Run = async (ctx, done) => {
      const [one, other] = await Promise.all([ctx.elicit(who), ctx.elicit({ ...who, message: "Who else?" })]);
      done("met");
      return `${nameOf(one)} ${nameOf(other)}`;
    };
    const { answer, roundTrips } = await twice(run, [accept({ name: "Ada" }), accept({ name: "Grace" })]);
    expect([answer, roundTrips]).toEqual([text("Ada Grace"), 1]);
  });

  test("forms, URLs, sampling and roots, in turn and in parallel", async () => {
    const run: Run = async (ctx) => {
      const name = nameOf(await ctx.elicit(who));
      const [page, sampled, roots] = await Promise.all([
        ctx.elicitUrl({ message: "Log in", url: "https://sample.example/login" }),
        ctx.sample(thought),
        ctx.roots(),
      ]);
      const last = await ctx.elicit(sure);
      return [name, page.action, JSON.stringify(sampled.content), roots.map(({ uri }) => uri).join(), last.action].join(" ");
    };
    const lines = [accept({ name: "Ada" }), accept(), modelSays("Hm."), decline];
    const { answer, roundTrips } = await twice(run, lines, { roots: [{ uri: "file:///a" }] });
    expect([answer, roundTrips]).toEqual([text('Ada accept {"type":"text","text":"Hm."} file:///a decline'), 3]);
  });

  test("client requests in a loop of a helper function", async () => {
    const names = async (ctx: InteractiveContext, found: string[] = []): Promise<string[]> => {
      const name = nameOf(await ctx.elicit({ ...who, message: `Who is number ${found.length + 1}?` }));
      return name === "decline" ? found : names(ctx, [...found, name]);
    };
    const lines = [...["a", "b", "c", "d"].map((name) => accept({ name })), decline];
    expect(await twice(async (ctx) => (await names(ctx)).join(), lines)).toMatchObject({ answer: text("a,b,c,d"), roundTrips: 5 });
  });

  test("ctx.once runs its function once", async () => {
    let price = 0;
    const run: Run = async (ctx, done) => {
      const { cents } = await ctx.once("price", async () => {
        done("priced");
        return { cents: ++price };
      });
      await ctx.elicit({ ...sure, message: `${cents} cents?` });
      await ctx.elicit({ ...sure, message: "Really?" });
      return JSON.stringify(await ctx.once("price", () => ({ cents: -1 }))).replace(String(cents), "n");
    };
    // Each way has a price of its own, and asks with it.
    await expect(twice(run, [accept({ sure: true }), accept({ sure: true })])).rejects.toThrow(
      /the stateless run has a request that the session did not have.*2 cents/,
    );
    const lines = [accept({ sure: true }), accept({ sure: true })];
    const steady: Run = (ctx, done) => ((price = 6), run(ctx, done));
    expect(await twice(steady, lines)).toMatchObject({ answer: text('{"cents":n}'), effects: ["priced"], roundTrips: 2 });
  });

  test("handlers that catch the unwinding and do nothing else", async () => {
    const shy: Run = async (ctx, done) => {
      const answer = await ctx.elicit(sure).catch(() => undefined);
      if (answer?.action !== "accept") return "no answer";
      done("acted");
      return "acted";
    };
    expect(await twice(shy, [accept({ sure: true })])).toMatchObject({ answer: text("acted"), effects: ["acted"], roundTrips: 1 });
    const masking: Run = async (ctx) => {
      try {
        return (await ctx.elicit(sure)).action;
      } catch {
        throw new ToolError("asking failed");
      }
    };
    expect(await twice(masking, [decline])).toMatchObject({ answer: text("decline"), roundTrips: 1 });
  });

  test("finally blocks run in each round", async () => {
    let open = 0;
    const run: Run = async (ctx) => {
      open++;
      try {
        return (await ctx.elicit(sure)).action;
      } finally {
        open--;
      }
    };
    await twice(run, [decline]);
    expect(open).toBe(0);
  });

  test.each<[what: string, error: Error, answer: object]>([
    [
      "a tool error",
      new ToolError("The door is locked."),
      { result: { content: [{ type: "text", text: "The door is locked." }], isError: true } },
    ],
    ["an internal error", new Error("secret"), { result: { content: [{ type: "text", text: "Internal error (ref …)" }], isError: true } }],
  ])("%s after a client request", async (_what, error, answer) => {
    const run: Run = async (ctx) => {
      await ctx.elicit(sure);
      throw error;
    };
    expect(await twice(run, [decline])).toMatchObject({ answer, roundTrips: 1 });
  });

  test("an answer that violates the schema of the author", async () => {
    const schema = Sure.refine(({ sure: given }) => given, "expected yes");
    const run: Run = async (ctx) => (await ctx.elicit({ ...sure, schema })).action;
    expect(await twice(run, [accept({ sure: false })])).toMatchObject({ answer: { result: { isError: true } }, roundTrips: 1 });
  });

  test("structured results", async () => {
    const counts = tool({
      name: "count",
      output: z.object({ n: z.number() }),
      run: async (_input, ctx) => ({ n: (await ctx.elicit(sure)).action.length }),
    });
    const stage = staging(remove, { tools: [counts] });
    const answer = { result: { content: [{ type: "text", text: '{"n":7}' }], structuredContent: { n: 7 } } };
    expect(await runInBothEras(stage, { call: "count" }, { replies: [decline] })).toMatchObject({ answer, roundTrips: 1 });
  });

  test("prompts and resources with client requests", async () => {
    const greet = prompt({
      name: "greet",
      args: z.object({ how: z.string() }),
      get: async ({ how }, ctx) => [user(`${how}, ${nameOf(await ctx.elicit(who))}`)],
    });
    const card = resource({ uri: "card://mine", name: "card", cache: { ttlMs: 5 }, read: async (ctx) => nameOf(await ctx.elicit(who)) });
    const gone = resource({ uri: "card://gone", name: "gone", read: async (ctx) => (await ctx.elicit(who), undefined) });
    const stage = staging(remove, { prompts: [greet], resources: [card, gone] });
    const lines = [accept({ name: "Ada" })];
    expect(await runInBothEras(stage, { prompt: "greet", args: { how: "Dear" } }, { replies: lines })).toMatchObject({
      answer: { result: { messages: [{ role: "user", content: { type: "text", text: "Dear, Ada" } }] } },
      roundTrips: 1,
    });
    expect(await runInBothEras(stage, { read: "card://mine" }, { replies: lines })).toMatchObject({
      answer: { result: { contents: [{ uri: "card://mine", text: "Ada" }] } },
      roundTrips: 1,
    });
    expect(await runInBothEras(stage, { read: "card://gone" }, { replies: lines })).toMatchObject({
      answer: { error: { code: -32602 } },
      roundTrips: 1,
    });
  });

  test("effects that are awaited, and asynchronous stages", async () => {
    const stage = async (): Promise<HandlerStage> => {
      const world = { there: true };
      const server = staging(async (ctx) => {
        world.there = (await ctx.elicit(sure)).action !== "accept";
        return "done";
      })().server;
      return { server, effects: async () => ({ ...world }) };
    };
    expect(await runInBothEras(stage, { call: "one" }, { replies: [accept({ sure: true })] })).toMatchObject({ effects: { there: false } });
  });

  test("excludes the values that the stage masks from the comparison, and no others", async () => {
    let runs = 0;
    const stage = (): HandlerStage => ({ server: staging(async () => `created ${(runs += 1)}`)().server, effects: [] });
    await expect(runInBothEras(stage, { call: "one" })).rejects.toThrow("the stateless response differs from the response in a session");
    const masked = (answer: string): string => answer.replace(/created \d+/, "created");
    expect(await runInBothEras(() => ({ ...stage(), masked }), { call: "one" })).toMatchObject({ answer: text("created") });
  });
});
