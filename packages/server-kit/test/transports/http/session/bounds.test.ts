// Sessions are counted and end when idle; those in use stay, and what all keep together is bounded.
import { expect, onTestFinished, test, vi } from "vitest";
import { HttpPeer, HttpTalk, initialize, textOf } from "../../../support/http-talk.ts";
import { onSockets } from "../../../support/mass.ts";
import { eventually, request } from "../../../support/sample.ts";
import { startWorkshop } from "../../../support/workshop.ts";

const PING = request("ping", "ping");

test(
  "case HTTP-21 SESS-06 SESS-07 limits a flood of initialize by 503, ends idle sessions and keeps those in use",
  { timeout: 20_000 },
  async () => {
    // Idle ones are looked for every five seconds, by the clock of the process: a new one gets there during the test.
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    onTestFinished(() => void vi.useRealTimers());
    await using shop = await startWorkshop({ http: { sessions: 40, idleMs: 200, unreadyMs: 100 } });
    const working = await HttpTalk.open(shop.url);
    const answer = await working.call("work", {}, { progressToken: 1 });
    const { ctx, done } = await shop.work("it");
    const listening = await HttpTalk.open(shop.url);
    const standing = await listening.listen();
    const idle = await HttpTalk.open(shop.url);
    const statuses = new Map<number, number>();
    await onSockets(shop.http.port, 16, 500, async (socket) => {
      const { status, headers } = await socket.post(initialize());
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (status === 503) expect(headers).toMatch(/^retry-after: \d+/im);
    });
    expect(Object.fromEntries(statuses)).toEqual({ 200: 37, 503: 463 });
    expect(shop.http.counts()).toMatchObject({ sessions: 40 });
    // Open sessions are served while new ones are refused.
    expect((await working.post(PING)).status).toBe(200);
    await eventually(() => (vi.advanceTimersByTime(5000), shop.http.counts().sessions)).toBe(2);
    expect((await idle.post(PING)).status).toBe(404);
    expect(ctx.signal.aborted).toBe(false);
    ctx.progress(1);
    done("done");
    expect((await answer.messages()).map((message) => message.method ?? textOf(message))).toEqual(["notifications/progress", "done"]);
    expect((await listening.post(PING)).status).toBe(200);
    using again = await HttpTalk.open(shop.url);
    expect((await again.post(PING)).status).toBe(200);
    expect(standing.waiting.filter(({ data }) => data !== "")).toEqual([]);
    for (const talk of [working, listening, idle]) talk[Symbol.dispose]();
  },
);

test("case HTTP-21 counts no refused initialize, and frees the slot of a deleted session", async () => {
  await using shop = await startWorkshop({ http: { sessions: 1 } });
  using first = await HttpTalk.open(shop.url);
  using peer = new HttpPeer(shop.url);
  expect((await peer.send("POST", {}, initialize())).status).toBe(503);
  expect((await first.end()).status).toBe(204);
  expect((await peer.send("POST", {}, initialize())).status).toBe(200);
  expect((await peer.send("POST", {}, initialize())).status).toBe(503);
});

test("case HTTP-27 G3 bounds the events of all sessions together, and drops those of the longest silent ones first", async () => {
  const [EACH, ALL] = [100_000, 350_000];
  await using shop = await startWorkshop({ http: { eventBytes: EACH, allEventBytes: ALL } });
  const lost: { talk: HttpTalk; id: string }[] = [];
  for (let at = 0; at < 8; at++) {
    const talk = await HttpTalk.open(shop.url);
    const answer = await talk.call("work", {}, { progressToken: 1 });
    const { ctx, done } = await shop.work("it");
    const { id = "none" } = await answer.event();
    for (let time = 0; time < 8; time++) ctx.log.info("x".repeat(10_000));
    done("done");
    await answer.closed;
    lost.push({ talk, id });
  }
  const sizes = [];
  for (const { talk, id } of lost) {
    const again = await talk.listen(id);
    sizes.push(again.status === 200 ? (await again.text()).length : 0);
    talk[Symbol.dispose]();
  }
  const kept = sizes.reduce((sum, size) => sum + size, 0);
  expect(kept).toBeLessThanOrEqual(ALL);
  expect(kept).toBeGreaterThan(ALL - EACH);
  expect(sizes.map((size) => size > 0)).toEqual([false, false, false, false, true, true, true, true]);
});
