// Many stateless requests at once: each gets its own answer, running and queued ones are limited, and principals have separate shares.
import { afterEach, describe, expect, test } from "vitest";
import type { Limits } from "../../../../src/index.ts";
import type { Authenticator, HttpLimits, ServeHttpOptions } from "../../../../src/node.ts";
import { textOf } from "../../../support/http-talk.ts";
import { eventually } from "../../../support/sample.ts";
import { overBoth, type Place } from "../../../support/stateless-faces.ts";
import { echoed, echoMany } from "../../../support/stateless-load.ts";
import type { As } from "../../../support/stateless-message.ts";
import { stockShop, type Shop } from "../../../support/stateless-shop.ts";
import { principals } from "../../../support/workshop.ts";

const NONE = { sessions: 0, streams: 0, running: 0 };

overBoth("under load", (face) => {
  let shop: Shop;
  let place: Place;
  const open = async (http: Partial<HttpLimits> = {}, limits: Partial<Limits> = {}, more: ServeHttpOptions = {}): Promise<void> => {
    shop = stockShop();
    place = await face.open(shop.server, { http, limits, ...more });
  };
  afterEach(() => place.stop());

  const echo = (message: string, as?: As): Promise<string> => echoed(place, message, as);

  test("case HTTP-32 gives each of 400 requests with one id, 200 at a time, its own response", async () => {
    await open();
    await echoMany(place, 400);
    expect(place.counts()).toMatchObject(NONE);
  });

  test("case HTTP-32 answers 200 waiting calls with one id in another order, each on its own stream", async () => {
    await open();
    const names = Array.from({ length: 200 }, (_, at) => `call ${at}`);
    const asked = names.map((name, at) => place.call("work", { name }, { progressToken: at % 2 === 0 ? "same" : undefined }));
    const works = await Promise.all(names.map((name) => shop.work(name)));
    expect(place.counts().running).toBe(200);
    for (const { ctx } of works) ctx.progress(1);
    for (const at of [...names.keys()].toSorted((a, b) => ((a * 7919) % 200) - ((b * 7919) % 200))) works[at]?.done(names[at] ?? "");
    const got = await Promise.all(
      asked.map(async (answer, at) => textOf(at % 2 === 0 ? (await (await answer).messages()).at(-1) : await (await answer).json())),
    );
    expect(got).toEqual(names);
    expect(place.counts()).toMatchObject(NONE);
  });

  describe("slots", () => {
    test("case RPC-24 run up to the limit and queue the others in order", async () => {
      await open({ concurrency: 2 });
      const names = ["a", "b", "c", "d"];
      const asked: ReturnType<Place["call"]>[] = [];
      for (const [at, name] of names.entries()) {
        asked.push(place.call("work", { name }));
        await eventually(() => place.counts().running).toBe(at + 1);
      }
      const [a, b] = [await shop.work("a"), await shop.work("b")];
      b.done("b");
      const c = await shop.work("c");
      a.done("a");
      const d = await shop.work("d");
      d.done("d");
      c.done("c");
      expect(await Promise.all(asked.map(async (answer) => textOf(await (await answer).json())))).toEqual(names);
      expect(place.counts()).toMatchObject(NONE);
    });

    test("case RPC-24 refuse calls beyond the queue with 429, and accept one when a slot is free", async () => {
      await open({ concurrency: 1 }, { queue: 2 });
      const asked: ReturnType<Place["call"]>[] = [];
      for (let at = 1; at <= 3; at++) {
        asked.push(place.call("work", { name: `${at}` }));
        await eventually(() => place.counts().running).toBe(at);
      }
      const answer = await place.call("work", { name: "4" }, { id: "fourth" });
      expect([answer.status, await answer.json()]).toMatchObject([
        429,
        { id: "fourth", error: { code: 429, message: expect.stringContaining("Retry shortly") } },
      ]);
      expect((await place.request("tools/list")).status).toBe(200); // lists need no place
      (await shop.work("1")).done("1");
      const later = place.call("work", { name: "5" });
      for (const name of ["2", "3", "5"]) (await shop.work(name)).done(name);
      expect(await Promise.all([...asked, later].map(async (one) => textOf(await (await one).json())))).toEqual(["1", "2", "3", "5"]);
    });
  });

  describe("rates", () => {
    // One call, and the next one two seconds later: nothing that a slow machine could blur.
    const RATE = 0.5;
    const burst = async (token?: string): Promise<string[]> => {
      const got: string[] = [];
      for (let time = 0; time < 4; time++) got.push(await echo("x", token === undefined ? {} : { token }));
      return got;
    };
    const LIMITED = ["x", "429", "429", "429"];

    test("case RPC-24 count tool calls by principal, whatever token they come with", async () => {
      await open({}, { callsPerSecond: RATE }, { auth: principals({ a: "alice", a2: "alice", b: "bob" }) });
      expect(await burst("a")).toEqual(LIMITED);
      expect(await echo("x", { token: "a2" })).toBe("429");
      expect(await burst("b")).toEqual(LIMITED);
      const refused = await place.call("echo", { message: "x" }, { token: "a", id: 9 });
      expect([refused.status, await refused.json()]).toMatchObject([429, { id: 9, error: { code: 429 } }]);
      // Only tool calls are counted, and time makes room again.
      expect((await place.request("tools/list", {}, { token: "a" })).status).toBe(200);
      await eventually(() => echo("x", { token: "a" })).toBe("x");
    });

    test("count all calls without tokens together when a rate is set", async () => {
      await open({}, { callsPerSecond: RATE });
      expect(await burst()).toEqual(LIMITED);
    });

    test("LOG-09 limit the log of each caller separately", async () => {
      await open({}, { logsPerSecond: 3 });
      for (let time = 0; time < 3; time++) {
        const asked = place.call("work", {}, { logLevel: "debug" });
        const { ctx, done } = await shop.work("it");
        for (let line = 0; line < 50; line++) ctx.log.info(`${time} ${line}`);
        done("reply");
        const lines = (await (await asked).messages()).flatMap(({ params }) => (params as { data: string } | undefined)?.data ?? []);
        expect([lines.slice(0, 3), lines.length < 10]).toEqual([[0, 1, 2].map((line) => `${time} ${line}`), true]);
      }
    });

    test("PROG-09 throttles fast progress and keeps it rising", async () => {
      await open();
      const asked = place.call("work", {}, { progressToken: "p" });
      const { ctx, done } = await shop.work("it");
      for (let step = 1; step <= 10_000; step++) ctx.progress(step, 10_000);
      done("done");
      const steps = (await (await asked).messages()).flatMap(({ params }) => (params as { progress: number } | undefined)?.progress ?? []);
      expect([steps.length > 0, steps.length < 100, steps]).toEqual([true, true, steps.toSorted((a, b) => a - b)]);
    });
  });

  test("keeps responses apart while tokens are checked slowly", async () => {
    const slow: Authenticator = {
      check: (token) =>
        new Promise((resolve) => setTimeout(() => resolve({ principal: token, scopes: ["*"], claims: {} }), Number(token) % 7)),
    };
    await open({}, {}, { auth: slow });
    const answers = await Promise.all(Array.from({ length: 100 }, async (_, at) => [at, await echo(`${at}`, { token: `${at}` })]));
    expect(answers.filter(([at, got]) => String(at) !== got)).toEqual([]);
    await Promise.all(Array.from({ length: 50 }, (_, at) => place.call("mark", {}, { token: `${at}` })));
    expect(shop.ran.toSorted()).toEqual(Array.from({ length: 50 }, (_, at) => `${at}`).toSorted());
  });
});
