// Client requests of one request: how many it may send, and the time limit that rests while it waits for them.
import { expect, onTestFinished, test, vi } from "vitest";
import { z } from "zod";
import { defineServer, tool } from "../../../src/index.ts";
import { askedBy, CALL } from "../../support/asking.ts";
import { talk } from "../../support/talk.ts";

const Form = z.object({ name: z.string().optional() });

test("sends as many client requests as the limit allows, and no more", async () => {
  const askTwice = tool({
    name: "ask",
    input: z.object({ times: z.int() }),
    async run({ times }, ctx) {
      for (let time = 0; time < times; time++) await ctx.elicit({ message: `Question ${time}`, schema: Form });
      return "asked";
    },
  });
  await using client = await talk(defineServer({ name: "asks", version: "1", tools: [askTwice], limits: { clientRequests: 2 } }), {
    capabilities: { elicitation: {} },
    answers: { "elicitation/create": () => ({ action: "accept", content: {} }) },
  });
  expect(await client.replyText("ask", { times: 2 })).toBe("asked");
  expect(await client.failure("ask", { times: 3 })).toBe("Too many client requests: one request may send 2.");
  expect(client.heard("elicitation/create")).toHaveLength(4);
});

test("applies the same limit to the input requests of one round", async () => {
  const limits = { clientRequests: 1 };
  const client = askedBy(
    async (ctx) => {
      const both = [1, 2].map((key) => ctx.elicit({ message: "Who?", schema: Form, key: `${key}` }));
      return JSON.stringify((await Promise.allSettled(both)).map(({ status }) => status));
    },
    undefined,
    { limits },
  );
  expect(Object.keys((await client.result("tools/call", CALL))["inputRequests"] as object)).toEqual(["1"]);
});

test("pauses the time limit while a person answers, and continues it", async () => {
  vi.useFakeTimers({ toFake: ["performance", "setInterval", "clearInterval"] });
  onTestFinished(() => void vi.useRealTimers());
  const works: ((text: string) => void)[] = [];
  const elicits = tool({
    name: "ask",
    async run(_input, ctx) {
      await ctx.elicit({ message: "Go on?", schema: Form });
      return new Promise<string>((done) => works.push(done));
    },
  });
  await using client = await talk(defineServer({ name: "asks", version: "1", tools: [elicits], limits: { timeoutMs: 1000 } }), {
    capabilities: { elicitation: {} },
  });
  const answerLate = async (): Promise<string | number> => {
    const from = client.received.length;
    const call = client.begin("tools/call", { name: "ask" });
    const { id } = await client.until(({ method }) => method === "elicitation/create", from);
    vi.advanceTimersByTime(5000);
    client.send({ jsonrpc: "2.0", id, result: { action: "accept", content: {} } });
    const count = works.length;
    await vi.waitFor(() => expect(works.length).toBe(count + 1), 30_000);
    return call;
  };
  const first = await answerLate();
  vi.advanceTimersByTime(750);
  works[0]?.("in time");
  expect(await client.until(({ id }) => id === first)).toMatchObject({ result: { content: [{ text: "in time" }] } });
  const second = await answerLate();
  vi.advanceTimersByTime(1500);
  expect(await client.until(({ id }) => id === second)).toMatchObject({ result: { isError: true } });
});

test("requires a web URL for the user, and passes on the answer", async () => {
  const open = tool({
    name: "open",
    input: z.object({ url: z.string() }),
    run: async ({ url }, ctx) => (await ctx.elicitUrl({ message: "Log in", url })).action,
  });
  const actions = ["accept", "decline", "cancel", "else"];
  await using client = await talk(defineServer({ name: "asks", version: "1", tools: [open] }), {
    capabilities: { elicitation: { form: {}, url: {} } },
    answers: { "elicitation/create": () => ({ action: actions[client.heard("elicitation/create").length - 1] }) },
  });
  for (const url of ["javascript:alert('https://a.example')", "file:///etc/passwd", "https://", "/login", "xhttps://a.example"])
    expect(await client.failure("open", { url })).not.toBe("accept");
  expect(client.heard("elicitation/create")).toEqual([]);
  const answers: string[] = [];
  for (const _ of actions) answers.push(await client.replyText("open", { url: "HTTP://a.example/login?x=1" }));
  expect(answers).toEqual(["accept", "decline", "cancel", "cancel"]);
  expect(client.heard("elicitation/create")[0]).toMatchObject({ mode: "url", url: "HTTP://a.example/login?x=1", message: "Log in" });
});
