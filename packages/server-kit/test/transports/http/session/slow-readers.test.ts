// Clients that read slowly, or not at all: others do not wait for them, and what is kept for them is bounded.
import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import type { InteractiveContext } from "../../../../src/index.ts";
import type { ServeHttpOptions } from "../../../../src/node.ts";
import { HttpTalk, textOf } from "../../../support/http-talk.ts";
import { openLegacy } from "../../../support/legacy-talk.ts";
import { call, eventually } from "../../../support/sample.ts";
import { startWorkshop, type Workshop } from "../../../support/workshop.ts";

const MIB = 1024 * 1024;
const SIZE = 60_000;
/** More of them than all that the sockets on the way can hold. */
const MESSAGES = 250;

const start = (http: ServeHttpOptions["http"]): Promise<Workshop> =>
  startWorkshop({ http: { ...http }, legacySse: true, limits: { logsPerSecond: 1e9 } });

/** Logs this many messages of 60 KB, each in a turn of its own. */
async function flood({ log }: InteractiveContext, times: number): Promise<void> {
  for (let time = 0; time < times; time++) {
    log.info(`${time}`.padEnd(SIZE, "."));
    await turn();
  }
}

const numbers = (ids: readonly (string | undefined)[]): number[] => ids.map((id = "") => Number(id.split("-")[1]));

// Only the priming event makes a difference here, which the newest of them has.
describe.each(["2025-11-25", "2024-11-05"])("in %s", (revision) => {
  test("case HTTP-23 HTTP-38 H7 aborts a client that stops reading without delaying others, with complete events up to there", async () => {
    await using shop = await start({ eventBytes: MIB });
    using deaf = await HttpTalk.open(shop.url, { revision });
    using other = await HttpTalk.open(shop.url, { revision });
    const stream = await deaf.call("work", { name: "deaf" }, { progressToken: 1 });
    const work = await shop.work("deaf");
    const besides = [
      await deaf.call("work", { name: "besides" }, { progressToken: 2 }),
      await other.call("work", { name: "besides" }, { progressToken: 2 }),
    ];
    const works = [await shop.work("besides"), await shop.work("besides")];
    stream.pause();
    const flooding = flood(work.ctx, MESSAGES);
    for (const step of [1, 2, 3]) {
      for (const { ctx } of works) ctx.progress(step);
      for (const answer of besides) expect(await answer.message()).toMatchObject({ params: { progress: step } });
    }
    await flooding;
    for (const { done } of works) done("done");
    expect((await Promise.all(besides.map((answer) => answer.messages()))).flat().map(textOf)).toEqual(["done", "done"]);
    expect(shop.http.counts().streams).toBe(0);
    stream.readOn();
    expect(await stream.closed).toBe("cut");
    const got = numbers(stream.waiting.filter(({ data }) => data !== "").map(({ id }) => id));
    expect(got.length).toBeGreaterThan(10);
    expect(got).toEqual(got.map((_, at) => at + 1));
    expect(got.length).toBeLessThan(MESSAGES);
    // Reconnecting with a gap is refused; behind the gap the stream goes on.
    expect((await deaf.listen(stream.waiting.at(-1)?.id)).status).toBe(400);
    work.done("done");
    const rest = await deaf.listen(stream.waiting[0]!.id!.replace(/\d+$/, String(MESSAGES - 1)));
    expect(rest.status).toBe(200);
    expect((await rest.messages()).map((message) => message.method ?? textOf(message))).toEqual(["notifications/message", "done"]);
  });
});

test("case HTTP-23 sends a slow client within the bound every event, in order", async () => {
  await using shop = await start({ eventBytes: 64 * MIB });
  using talk = await HttpTalk.open(shop.url);
  const stream = await talk.call("work", {}, { progressToken: 1 });
  const { ctx, done } = await shop.work("it");
  stream.pause();
  await flood(ctx, MESSAGES);
  done("done");
  await eventually(() => shop.http.counts().running).toBe(0);
  stream.readOn();
  expect(await stream.closed).toBe("ended");
  expect(numbers(stream.waiting.map(({ id }) => id))).toEqual(Array.from({ length: MESSAGES + 2 }, (_, at) => at));
  const messages = await stream.messages();
  expect(messages.slice(0, -1).map(({ params }) => parseInt((params as { data: string }).data))).toEqual(
    Array.from({ length: MESSAGES }, (_, at) => at),
  );
  expect(textOf(messages.at(-1))).toBe("done");
});

test("case HTTP-23 lets an aborted client resume its stream while the events are kept", async () => {
  await using shop = await start({ eventBytes: 64 * MIB, stalledMs: 500 });
  using talk = await HttpTalk.open(shop.url);
  const stream = await talk.call("work", {}, { progressToken: 1 });
  const { ctx, done } = await shop.work("it");
  expect(shop.http.counts().streams).toBe(1);
  stream.pause();
  await flood(ctx, MESSAGES);
  await eventually(() => shop.http.counts().streams).toBe(0);
  stream.readOn();
  expect(await stream.closed).toBe("cut");
  done("done");
  const last = stream.waiting.at(-1)?.id;
  const again = await talk.listen(last);
  await again.closed;
  const all = numbers([...stream.waiting, ...again.waiting.filter(({ data }) => data !== "")].map(({ id }) => id));
  expect(all).toEqual(Array.from({ length: MESSAGES + 2 }, (_, at) => at));
});

test("HTTP-17 HTTP-38 sends readers that keep up every response, however large", async () => {
  await using shop = await start({});
  using talk = await HttpTalk.open(shop.url);
  const names = Array.from({ length: 4 }, (_, at) => `work ${at}`);
  const answers = await Promise.all(names.map((name) => talk.call("work", { name }, { progressToken: name })));
  const works = await Promise.all(names.map((name) => shop.work(name)));
  for (const { ctx, done } of works) {
    for (let time = 0; time < 3; time++) ctx.log.info("x".repeat(SIZE));
    done("y".repeat(500_000));
  }
  for (const answer of answers) {
    expect(await answer.closed).toBe("ended");
    expect(textOf((await answer.messages()).at(-1))).toHaveLength(500_000);
  }
});

test("case HTTP-33 case HTTP-23 cuts off a legacy reader that does not read, with its connection", async () => {
  await using shop = await start({ eventBytes: MIB });
  await using talk = await openLegacy(shop.http);
  await talk.handshake();
  await talk.post(call(1, "work"));
  const { ctx } = await shop.work("it");
  talk.stream.pause();
  await flood(ctx, MESSAGES);
  expect(ctx.signal.aborted).toBe(true);
  await eventually(() => shop.http.counts()).toMatchObject({ sessions: 0, streams: 0 });
  talk.stream.readOn();
  expect(await talk.stream.closed).toBe("cut");
});
