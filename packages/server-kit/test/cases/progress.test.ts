// Progress of requests (requirements PROG-*).
import { describe, expect, test } from "vitest";
import { sampleServer } from "../fixtures/sample-server.ts";
import { STATEFUL } from "../support/sample.ts";
import { ABLE, talk } from "../support/talk.ts";

const PROGRESS = "notifications/progress";

describe.each(STATEFUL)("in %s", (revision) => {
  test("PROG-04 PROG-07 PROG-08 PROG-10 PROG-14 keeps the token, rises, and has a message if the revision does", async () => {
    await using client = await talk(sampleServer(), { revision });
    for (const progressToken of ["token", "", "7", 7, 0, -1]) {
      client.received.length = 0;
      await client.replyText("progress", { steps: [0.25, 0.5, 0.5, 0.4, 1], total: 1.5 }, { progressToken });
      const message = (step: number): object => (revision >= "2025-03-26" ? { message: `step ${step}` } : {});
      expect(client.heard(PROGRESS)).toEqual(
        [0.25, 0.5, 1].map((progress) => ({ progressToken, progress, total: 1.5, ...message(progress) })),
      );
      // PROG-05: everything before the answer.
      expect(client.received.at(-1)).toHaveProperty("result");
    }
  });

  test("PROG-03 is not sent without a valid token", async () => {
    await using client = await talk(sampleServer(), { revision });
    for (const meta of [
      undefined,
      {},
      { progressToken: null },
      { progressToken: 1.5 },
      { progressToken: {} },
      { progressToken: true },
      { progressToken: 2 ** 60 },
    ]) {
      await client.replyText("progress", {}, meta);
    }
    await client.result("tools/call", { name: "progress", _meta: "text" });
    expect(client.heard(PROGRESS)).toEqual([]);
  });
});

test("PROG-05 stops with the response, though the handler continues", async () => {
  await using client = await talk(sampleServer());
  await client.replyText("progress", { steps: [1], later: true }, { progressToken: 1 });
  await client.replyText("busy", { ms: 20 });
  expect(client.heard(PROGRESS)).toHaveLength(1);
});

test("PROG-05 stops with the cancellation", async () => {
  await using client = await talk(sampleServer());
  const id = client.begin("tools/call", {
    name: "progress",
    arguments: { steps: [1], later: true, wait: true },
    _meta: { progressToken: 1 },
  });
  await client.until(({ method }) => method === PROGRESS);
  client.note("notifications/cancelled", { requestId: id });
  await client.replyText("busy", { ms: 30 });
  expect(client.heard(PROGRESS)).toHaveLength(1);
});

test("PROG-09 is throttled in a flood", async () => {
  await using client = await talk(sampleServer());
  const steps = Array.from({ length: 10_000 }, (_, at) => at);
  await client.replyText("progress", { steps, total: 10_000 }, { progressToken: "flood" });
  const heard = client.heard(PROGRESS).map(({ progress }) => Number(progress));
  expect(heard.length).toBeLessThan(40);
  expect(heard.length).toBeGreaterThanOrEqual(20);
  expect(heard).toEqual(heard.toSorted((a, b) => a - b));
});

test("PROG-03 is sent under the token of its own call", async () => {
  await using client = await talk(sampleServer());
  await Promise.all(["a", "b", "c"].map((progressToken, at) => client.replyText("progress", { steps: [at, at + 1] }, { progressToken })));
  const by = Object.groupBy(client.heard(PROGRESS), ({ progressToken }) => String(progressToken));
  expect(Object.fromEntries(Object.entries(by).map(([token, notes]) => [token, notes?.map(({ progress }) => progress)]))).toEqual({
    a: [0, 1],
    b: [1, 2],
    c: [2, 3],
  });
});

test("PROG-01 PROG-02 is never requested by the server's own requests", async () => {
  await using client = await talk(sampleServer(), { capabilities: ABLE, answers: { "roots/list": () => ({ roots: [] }) } });
  for (const name of ["ask", "ask_url", "sample", "roots"]) client.begin("tools/call", { name, _meta: { progressToken: name } });
  await client.until(({ method }) => method === "sampling/createMessage");
  await client.settled();
  const asked = client.received.filter(({ method, id }) => method !== undefined && id !== undefined);
  expect(asked).toHaveLength(4);
  expect(JSON.stringify(asked)).not.toContain("progressToken");
});
