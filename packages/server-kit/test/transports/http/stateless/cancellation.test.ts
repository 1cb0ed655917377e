// A client that closes its stream has cancelled its request: the work stops, and nothing more is sent for it.
import { afterEach, describe, expect, test } from "vitest";
import type { Auth, ServeHttpOptions } from "../../../../src/node.ts";
import { HttpTalk, textOf } from "../../../support/http-talk.ts";
import { RawHttp } from "../../../support/raw-http.ts";
import { cancel, eventually } from "../../../support/sample.ts";
import { NODE, overBoth, type Place } from "../../../support/stateless-faces.ts";
import { asks, posting } from "../../../support/stateless-message.ts";
import { stockShop, type Shop } from "../../../support/stateless-shop.ts";
import { startWorkshop } from "../../../support/workshop.ts";

const NONE = { sessions: 0, streams: 0, running: 0 };

overBoth("a closed stream", (face) => {
  let shop: Shop;
  let place: Place;
  const logged: string[] = [];
  const open = async (options?: ServeHttpOptions): Promise<void> => {
    shop = stockShop();
    logged.length = 0;
    place = await face.open(shop.server, { log: (level, data) => void logged.push(`${level} ${String(data)}`), ...options });
  };
  afterEach(() => place.stop());

  describe.each([
    ["before the first message", false],
    ["of an open stream", true],
  ])("%s", (_what, loud) => {
    test("case HTTP-28 HTTP-30 CANCEL-03 CANCEL-08 aborts the work by its signal, and frees its slot", async () => {
      await open();
      const begun = place.begin("tools/call", { name: "work", arguments: {} }, { progressToken: "p" });
      const { ctx, done } = await shop.work("it");
      const aborted = new Promise((resolve) => ctx.signal.addEventListener("abort", () => resolve((ctx.signal.reason as Error).name)));
      if (loud) {
        ctx.progress(1);
        (await begun.answer).drop();
      } else begun.drop();
      expect(await aborted).toBe("AbortError");
      await eventually(() => place.counts()).toMatchObject(NONE);
      expect(logged.filter((line) => line.startsWith("debug request cancelled"))).toHaveLength(1);
      done("late");
      expect((await place.call("echo", { message: "x" })).status).toBe(200);
    });

    test("HTTP-31 CANCEL-06 drops late progress, log messages, results and errors", async () => {
      await open();
      const other = place.call("work", { name: "other" }, { progressToken: "p", logLevel: "debug" });
      const kept = await shop.work("other");
      kept.ctx.progress(1);
      const answer = await other;
      for (const end of ["done", "fail"] as const) {
        const begun = place.begin("tools/call", { name: "work", arguments: {} }, { progressToken: "p", logLevel: "debug" });
        const late = await shop.work("it");
        if (loud) late.ctx.progress(1);
        if (loud) (await begun.answer).drop();
        else begun.drop();
        await eventually(() => place.counts().running).toBe(1);
        late.ctx.progress(2);
        late.ctx.log.error("late");
        if (end === "done") late.done("late");
        else late.fail(new Error("late"));
      }
      kept.done("kept");
      expect(await answer.messages()).toMatchObject([{ params: { progress: 1 } }, { id: 1, result: {} }]);
      expect(answer.raw).not.toContain("late");
    });

    test("HTTP-30 leaves other requests with the same id alone", async () => {
      await open();
      const begun = Array.from({ length: 4 }, (_, at) =>
        place.begin("tools/call", { name: "work", arguments: { name: `${at}` } }, { progressToken: at }),
      );
      const works = await Promise.all(begun.map((_, at) => shop.work(`${at}`)));
      if (loud) for (const { ctx } of works) ctx.progress(1);
      for (const at of [0, 2]) (loud ? await begun[at]!.answer : begun[at]!).drop();
      await eventually(() => place.counts().running).toBe(2);
      expect(works.map(({ ctx }) => ctx.signal.aborted)).toEqual([true, false, true, false]);
      for (const at of [1, 3]) {
        works[at]!.done(`done ${at}`);
        const answer = await begun[at]!.answer;
        expect(textOf((loud ? await answer.messages() : [await answer.json()]).at(-1))).toBe(`done ${at}`);
      }
    });
  });

  test("HTTP-30 in the queue: never runs the request", async () => {
    await open({ http: { concurrency: 1 } });
    const first = place.call("work", { name: "first" });
    const { done } = await shop.work("first");
    const waiting = place.begin("tools/call", { name: "mark" });
    await eventually(() => place.counts().running).toBe(2);
    waiting.drop();
    await eventually(() => place.counts().running).toBe(1);
    done("first");
    expect(textOf(await (await first).json())).toBe("first");
    expect(textOf(await (await place.call("echo", { message: "next" })).json())).toBe("next");
    expect(shop.ran).toEqual([]);
  });

  test("HTTP-30 during the check of its token: never runs the request", async () => {
    const judging = Promise.withResolvers<void>();
    const judged = Promise.withResolvers<Auth>();
    await open({ auth: { check: () => (judging.resolve(), judged.promise) } });
    const begun = place.begin("tools/call", { name: "work", arguments: {} }, { token: "a" });
    await judging.promise;
    begun.drop();
    if (face === NODE) await eventually(() => place.counts()).toMatchObject({ connections: 0 });
    judged.resolve({ principal: "alice", scopes: ["*"], claims: {} });
    // This one came later, so the first has had its turn.
    expect(textOf(await (await place.call("echo", { message: "x" }, { token: "a" })).json())).toBe("x");
    await eventually(() => place.counts()).toMatchObject(NONE);
  });

  test("HTTP-13 CANCEL-04 accepts a posted cancellation without effect, because an id names no client", async () => {
    await open();
    const asked = place.call("work");
    const { ctx, done } = await shop.work("it");
    const response = await place.send(posting(cancel(1))).answer;
    expect([response.status, ctx.signal.aborted]).toEqual([202, false]);
    done("went on");
    expect(textOf(await (await asked).json())).toBe("went on");
  });

  test("case HTTP-28 KIT-12 leaves nothing behind of 200 abandoned requests", async () => {
    await open();
    for (let round = 0; round < 4; round++) {
      const begun = Array.from({ length: 50 }, () => place.begin("tools/call", { name: "work", arguments: {} }));
      const works = await Promise.all(begun.map(() => shop.work("it")));
      for (const { drop } of begun) drop();
      await eventually(() => place.counts()).toMatchObject(NONE);
      expect(works.every(({ ctx }) => ctx.signal.aborted)).toBe(true);
    }
  });

  test("shutdown aborts the signal of requests that run longer than the grace time", async () => {
    await open({ graceMs: 50 });
    const asked = place.call("work", {}, { progressToken: "p" });
    const { ctx } = await shop.work("it");
    ctx.progress(1);
    const answer = await asked;
    await place.stop();
    expect([ctx.signal.aborted, (ctx.signal.reason as Error).message]).toEqual([true, expect.stringContaining("shutting down")]);
    expect(await answer.messages()).toMatchObject([{ params: { progress: 1 } }, { id: 1, result: { isError: true } }]);
    expect(place.counts()).toMatchObject(NONE);
  });
});

test("case HTTP-28 does not cancel in the era before", async () => {
  await using shop = await startWorkshop();
  using talk = await HttpTalk.open(shop.url);
  const begun = talk.begin("POST", {}, talk.calling("work"));
  const { ctx, done } = await shop.work("it");
  begun.drop();
  const again = talk.call("work", { name: "other" });
  (await shop.work("other")).done("x");
  await again;
  expect([ctx.signal.aborted, shop.http.counts().running]).toEqual([false, 1]);
  done("done");
  await eventually(() => shop.http.counts().running).toBe(0);
});

test("case HTTP-28 cancels on a connection reset like on a close", async () => {
  const shop = stockShop();
  await using place = await NODE.open(shop.server);
  const { headers = {}, body = "" } = posting(asks("tools/call", { name: "work", arguments: {} }));
  using raw = await RawHttp.open(place.port);
  const lines = Object.entries({ host: `localhost:${place.port}`, "content-length": String(body.length), ...headers });
  raw.write(`POST /mcp HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n${String(body)}`);
  const { ctx } = await shop.work("it");
  raw.socket.resetAndDestroy();
  await eventually(() => [ctx.signal.aborted, place.counts().running]).toEqual([true, 0]);
});
