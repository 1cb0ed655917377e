// Cancellation, both ways (requirements CANCEL-*).
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sampleServer } from "../fixtures/sample-server.ts";
import { STATEFUL } from "../support/sample.ts";
import { ABLE, talk } from "../support/talk.ts";

describe.each(STATEFUL)("in %s", (revision) => {
  test("CANCEL-03 sends no response and nothing else for a cancelled call", async () => {
    await using client = await talk(sampleServer(), { revision });
    const id = client.begin("tools/call", { name: "slow", _meta: { progressToken: 1 } });
    await client.settled();
    client.note("notifications/cancelled", { requestId: id, reason: "enough" });
    await client.settled();
    await client.replyText("echo", { message: "next" });
    expect(client.received.filter((message) => message["id"] === id || message["method"] !== undefined)).toEqual([]);
  });

  test("CANCEL-01 CANCEL-13 CANCEL-14 cancels the server's own open client requests, and only those", async () => {
    const questions = revision >= "2025-06-18" ? ["ask", "sample"] : ["sample"];
    await using client = await talk(sampleServer(), { revision, capabilities: ABLE, answers: { "roots/list": () => ({ roots: [] }) } });
    await client.replyText("roots");
    for (const name of questions) {
      const id = client.begin("tools/call", { name });
      const asked = await client.until((message) => ["elicitation/create", "sampling/createMessage"].includes(String(message["method"])));
      client.note("notifications/cancelled", { requestId: id, reason: "the person left" });
      await client.settled();
      expect(client.heard("notifications/cancelled")).toEqual([{ requestId: asked["id"], reason: "the person left" }]);
      // CANCEL-05: an answer that was under way already is ignored.
      client.send({ jsonrpc: "2.0", id: asked["id"], result: { action: "accept", content: {} } });
      client.send({ jsonrpc: "2.0", id: asked["id"], error: { code: 1, message: "too late" } });
      await client.settled();
      expect(client.received.filter((message) => message["id"] === id && message["method"] === undefined)).toEqual([]);
      client.received.length = 0;
    }
  });
});

test("cancels an unanswered client request at its time limit, and gives the tool the error", async () => {
  await using client = await talk(sampleServer({ limits: { clientRequestMs: 50 } }), { capabilities: ABLE });
  expect(await client.failure("ask")).toMatch(/did not answer elicitation\/create within 50 ms/);
  const [asked] = client.received.filter(({ method }) => method === "elicitation/create");
  expect(client.heard("notifications/cancelled")).toEqual([{ requestId: asked!["id"], reason: expect.stringContaining("50 ms") }]);
});

test("CANCEL-06 sends at most one response for a cancellation at any moment, and serves the next request", async () => {
  const step = fc.record({
    name: fc.constantFrom("echo", "busy", "slow", "ask", "throws", "progress"),
    /** Turns of the event loop between the call and its cancel. */
    maxTurns: fc.integer({ min: 0, max: 6 }),
    answered: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
      await using client = await talk(sampleServer({ limits: { concurrency: 3 } }), {
        capabilities: ABLE,
        answers: { "elicitation/create": () => ({ action: "cancel" }) },
      });
      await Promise.all(
        steps.map(async ({ name, maxTurns, answered }) => {
          const id = client.begin("tools/call", { name, arguments: { message: "x", ms: 1, what: "error" } });
          for (let turn = 0; turn < maxTurns; turn++)
            await new Promise((resolve) => (turn % 2 === 0 ? setImmediate(resolve) : queueMicrotask(() => resolve(0))));
          if (!answered || name === "slow") client.note("notifications/cancelled", { requestId: id });
        }),
      );
      expect(await client.replyText("echo", { message: "alive" })).toBe("alive");
      const ids = client.received.filter(({ method, id }) => method === undefined && id !== undefined).map(({ id }) => id);
      expect(new Set(ids).size).toBe(ids.length);
      expect(ids).not.toContain(null);
    }),
    { numRuns: process.env["OARLOCK_LONG"] === "1" ? 2000 : 30 },
  );
});

test("CANCEL-15 ignores a `task` member of a call, which a notification cancels as usual", async () => {
  await using client = await talk(sampleServer());
  const answer = await client.result("tools/call", { name: "echo", arguments: { message: "x" }, task: { ttl: 1000 } });
  expect(answer).toEqual({ content: [{ type: "text", text: "x" }] });
  expect(client.greeting["capabilities"]).not.toHaveProperty("tasks");
});
