// When sessions end, by a clock that the test turns.
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { gaugeServer } from "../../../support/gauge.ts";
import { request } from "../../../support/sample.ts";
import { openWeb, webShop } from "../../../support/web-talk.ts";

const PING = request("ping", "ping");
const MINUTE = 60_000;
/** Idle sessions are looked for every five seconds. */
const SWEEP = 5500;

beforeEach(() => void vi.useFakeTimers({ toFake: ["performance", "setInterval", "clearInterval"] }));
afterEach(() => void vi.useRealTimers());

test("case HTTP-21 SESS-06 SESS-07 ends a session after half an hour without a request by default, not before", async () => {
  await using shop = webShop(gaugeServer());
  const [used, idle] = [await openWeb(shop.handle), await openWeb(shop.handle)];
  vi.advanceTimersByTime(29 * MINUTE);
  expect(shop.handle.counts().sessions).toBe(2);
  expect((await used("POST", PING)).status).toBe(200);
  vi.advanceTimersByTime(MINUTE + SWEEP);
  expect([(await used("POST", PING)).status, (await idle("POST", PING)).status]).toEqual([200, 404]);
  vi.advanceTimersByTime(30 * MINUTE + SWEEP);
  expect(shop.handle.counts().sessions).toBe(0);
});

test("case HTTP-21 SESS-06 ends a session after a minute whose client never sends initialized", async () => {
  await using shop = webShop(gaugeServer());
  const [ready, unready] = [await openWeb(shop.handle), await openWeb(shop.handle, false)];
  vi.advanceTimersByTime(MINUTE - 1000);
  expect(shop.handle.counts().sessions).toBe(2);
  vi.advanceTimersByTime(1000 + SWEEP);
  expect([(await ready("POST", PING)).status, (await unready("POST", PING)).status]).toEqual([200, 404]);
});

test("SESS-06 keeps a session with a stream, and starts the idle time when the stream breaks", async () => {
  await using shop = webShop(gaugeServer());
  const [listening, idle] = [await openWeb(shop.handle), await openWeb(shop.handle)];
  const standing = await listening("GET");
  vi.advanceTimersByTime(120 * MINUTE);
  await standing.body?.cancel();
  vi.advanceTimersByTime(29 * MINUTE);
  expect((await idle("POST", PING)).status).toBe(404);
  expect(shop.handle.counts()).toMatchObject({ sessions: 1, streams: 0 });
  vi.advanceTimersByTime(MINUTE + SWEEP);
  expect(shop.handle.counts().sessions).toBe(0);
});
