// Clients that read slowly, or not at all: others do not wait for them, and what is kept for them is bounded.
import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import type { InteractiveContext } from "../../../../src/index.ts";
import type { ServeHttpOptions } from "../../../../src/node.ts";
import { startHttpProcess } from "../../../support/http-process.ts";
import { HttpTalk, textOf } from "../../../support/http-talk.ts";
import { openLegacy } from "../../../support/legacy-talk.ts";
import { call, eventually, STATEFUL } from "../../../support/sample.ts";
import { startWorkshop, type Workshop } from "../../../support/workshop.ts";

const MIB = 1024 * 1024;
const SIZE = 60_000;

const start = (http: ServeHttpOptions["http"]): Promise<Workshop> =>
  startWorkshop({ http: { ...http }, legacySse: true, limits: { logsPerSecond: 1e9 } });

/** Logs this many messages of 60 KB, each in a turn of its own; gives the longest time that one took, in milliseconds. */
async function flood({ log }: InteractiveContext, times: number): Promise<number> {
  let longest = 0;
  for (let time = 0; time < times; time++) {
    const began = performance.now();
    log.info(`${time}`.padEnd(SIZE, "."));
    longest = Math.max(longest, performance.now() - began);
    await turn();
  }
  return longest;
}

const numbers = (ids: readonly (string | undefined)[]): number[] => ids.map((id = "") => Number(id.split("-")[1]));

describe.each(STATEFUL)("in %s", (revision) => {
  test("case HTTP-23 HTTP-38 H7 a client that stops reading is aborted and delays no other; its events are complete up to there", async () => {
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
    // More than all that the sockets on the way can hold.
    const flooding = flood(work.ctx, 400);
    for (const step of [1, 2, 3]) {
      for (const { ctx } of works) ctx.progress(step);
      for (const answer of besides) expect(await answer.message(20_000)).toMatchObject({ params: { progress: step } });
    }
    expect(await flooding).toBeLessThan(10_000);
    for (const { done } of works) done("done");
    expect((await Promise.all(besides.map((answer) => answer.messages()))).flat().map(textOf)).toEqual(["done", "done"]);
    expect(shop.http.counts().streams).toBe(0);
    stream.readOn();
    expect(await stream.closed).toBe("cut");
    const got = numbers(stream.waiting.filter(({ data }) => data !== "").map(({ id }) => id));
    expect(got.length).toBeGreaterThan(10);
    expect(got).toEqual(got.map((_, at) => at + 1));
    expect(got.length).toBeLessThan(400);
    // Reconnecting with a gap is refused; behind the gap the stream goes on.
    expect((await deaf.listen(stream.waiting.at(-1)?.id)).status).toBe(400);
    work.done("done");
    const rest = await deaf.listen(stream.waiting[0]!.id!.replace(/\d+$/, "399"));
    expect(rest.status).toBe(200);
    expect((await rest.messages()).map((message) => message.method ?? textOf(message))).toEqual(["notifications/message", "done"]);
  });
});

test("case HTTP-23 a slow client within the bound gets every event, in order", async () => {
  await using shop = await start({ eventBytes: 64 * MIB });
  using talk = await HttpTalk.open(shop.url);
  const stream = await talk.call("work", {}, { progressToken: 1 });
  const { ctx, done } = await shop.work("it");
  stream.pause();
  await flood(ctx, 400);
  done("done");
  await eventually(() => shop.http.counts().running).toBe(0);
  stream.readOn();
  expect(await stream.closed).toBe("ended");
  expect(numbers(stream.waiting.map(({ id }) => id))).toEqual(Array.from({ length: 402 }, (_, at) => at));
  const messages = await stream.messages();
  expect(messages.slice(0, -1).map(({ params }) => parseInt((params as { data: string }).data))).toEqual(
    Array.from({ length: 400 }, (_, at) => at),
  );
  expect(textOf(messages.at(-1))).toBe("done");
});

test("case HTTP-23 an aborted client resumes its stream while the events are kept", async () => {
  await using shop = await start({ eventBytes: 64 * MIB, stalledMs: 500 });
  using talk = await HttpTalk.open(shop.url);
  const stream = await talk.call("work", {}, { progressToken: 1 });
  const { ctx, done } = await shop.work("it");
  expect(shop.http.counts().streams).toBe(1);
  stream.pause();
  await flood(ctx, 400);
  await eventually(() => shop.http.counts().streams).toBe(0);
  stream.readOn();
  expect(await stream.closed).toBe("cut");
  done("done");
  const last = stream.waiting.at(-1)?.id;
  const again = await talk.listen(last);
  await again.closed;
  const all = numbers([...stream.waiting, ...again.waiting.filter(({ data }) => data !== "")].map(({ id }) => id));
  expect(all).toEqual(Array.from({ length: 402 }, (_, at) => at));
});

test("HTTP-17 HTTP-38 readers that keep up get every response, however large", async () => {
  await using shop = await start({});
  using talk = await HttpTalk.open(shop.url);
  const names = Array.from({ length: 8 }, (_, at) => `work ${at}`);
  const answers = await Promise.all(names.map((name) => talk.call("work", { name }, { progressToken: name })));
  const works = await Promise.all(names.map((name) => shop.work(name)));
  for (const { ctx, done } of works) {
    for (let time = 0; time < 3; time++) ctx.log.info("x".repeat(SIZE));
    done("y".repeat(2_000_000));
  }
  for (const answer of answers) {
    expect(await answer.closed).toBe("ended");
    expect(textOf((await answer.messages()).at(-1))).toHaveLength(2_000_000);
  }
});

test("case HTTP-33 case HTTP-23 a legacy reader that does not read is cut off, and its connection with it", async () => {
  await using shop = await start({ eventBytes: MIB });
  await using talk = await openLegacy(shop.http);
  await talk.handshake();
  await talk.post(call(1, "work"));
  const { ctx } = await shop.work("it");
  talk.stream.pause();
  expect(await flood(ctx, 400)).toBeLessThan(10_000);
  expect(ctx.signal.aborted).toBe(true);
  await eventually(() => shop.http.counts()).toMatchObject({ sessions: 0, streams: 0 });
  talk.stream.readOn();
  expect(await talk.stream.closed).toBe("cut");
});

test("case HTTP-23 H7 the event budget bounds the memory for clients that do not read", { timeout: 90_000 }, async () => {
  const READERS = 8;
  // 120 MB are sent to a process that may use half of it, and ends when it needs more.
  await using server = await startHttpProcess({ http: { eventBytes: MIB } }, "--max-old-space-size=64");
  const talks = await Promise.all(Array.from({ length: READERS }, () => HttpTalk.open(server.url)));
  const streams = await Promise.all(
    talks.map(async (talk) => {
      const stream = await talk.post(call(1, "flood", { times: 250, size: SIZE }, { progressToken: 1 }));
      stream.pause();
      return stream;
    }),
  );
  await expect.poll(async () => (await server.measure()).counts.running, { timeout: 60_000 }).toBe(0);
  expect((await server.measure()).heap).toBeLessThan((READERS + 32) * MIB);
  for (const stream of streams) stream.drop();
  for (const talk of talks) talk[Symbol.dispose]();
});
