// The bound on client requests of one request.
import { expect, test } from "vitest";
import { z } from "zod";
import { defineServer, tool } from "../../../src/index.ts";
import { askedBy, CALL } from "../../support/asking.ts";
import { talk } from "../../support/talk.ts";

const Form = z.object({ name: z.string().optional() });

test("a request sends as many client requests as its limit allows, and no more", async () => {
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

test("the same limit holds for the input requests of one round", async () => {
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
