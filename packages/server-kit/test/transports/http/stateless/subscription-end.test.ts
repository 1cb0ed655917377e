// subscriptions/listen over HTTP: how long it stays open, by whom it is ended, and that nothing of it is left behind.
import { afterEach, describe, expect, test, vi } from "vitest";
import { Runtime } from "../../../../src/runtime/runtime.ts";
import { resource, tool, type ServerSpec } from "../../../../src/index.ts";
import type { ServeHttpOptions } from "../../../../src/node.ts";
import type { Json } from "../../../../src/protocol.ts";
import type { Answer } from "../../../support/answer.ts";
import { eventually, note } from "../../../support/sample.ts";
import { overBoth, type Place } from "../../../support/stateless-faces.ts";
import { posting, SERVER_INFO, SUBSCRIPTION_ID } from "../../../support/stateless-message.ts";
import { BOARD, DESK, SHELF, stockShop, type Shop } from "../../../support/stateless-shop.ts";

const NONE = { sessions: 0, streams: 0, running: 0 };

overBoth("a subscription", (face) => {
  let shop: Shop;
  let place: Place;
  const open = async (options?: ServeHttpOptions, spec?: Partial<ServerSpec>): Promise<void> => {
    shop = stockShop(spec);
    place = await face.open(shop.server, options);
  };
  afterEach(() => place.stop());

  const listen = async (notifications: Json, id: unknown = 1): Promise<Answer> => {
    const answer = await place.request("subscriptions/listen", { notifications }, { id });
    expect(await answer.message()).toMatchObject({ method: "notifications/subscriptions/acknowledged" });
    return answer;
  };
  const FILTER = { toolsListChanged: true, resourceSubscriptions: [BOARD, DESK, SHELF] };

  describe("ended by the client", () => {
    test("HTTP-30 SUB-19 by closing the stream: stops watches, aborts their signals, leaves nothing behind", async () => {
      await open();
      const [kept, left] = [await listen({ resourceSubscriptions: [BOARD] }), await listen(FILTER)];
      expect([place.counts(), shop.watchers()]).toMatchObject([{ ...NONE, streams: 2 }, 3]);
      left.drop();
      await eventually(() => [place.counts().streams, shop.watchers()]).toEqual([1, 1]);
      expect(shop.subscribers.map(({ aborted }) => aborted)).toEqual([false, true, true, true]);
      for (const uri of [BOARD, DESK]) shop.touch(uri);
      shop.server.tools.add(tool({ name: "new", run: () => "" }));
      expect(await kept.message()).toMatchObject({ method: "notifications/resources/updated" });
      kept.drop();
      await eventually(() => [place.counts(), shop.watchers()]).toMatchObject([NONE, 0]);
    });

    test("HTTP-13 CANCEL-04 not by a posted cancellation, because ids are not unique among clients", async () => {
      await open();
      const answer = await listen(FILTER);
      const response = await place.send(posting(note("notifications/cancelled", { requestId: 1 }))).answer;
      expect([response.status, place.counts().streams]).toEqual([202, 1]);
      shop.touch(DESK);
      expect(await answer.message()).toMatchObject({ params: { uri: DESK } });
      answer.drop();
    });

    test("case HTTP-27 SUB-19 leaves nothing behind after 200 times", async () => {
      // Subscriptions to lists count separately.
      const { onListChange } = Runtime.prototype;
      let listeners = 0;
      using _counted = vi.spyOn(Runtime.prototype, "onListChange").mockImplementation(function (this: Runtime, listener) {
        const stop = onListChange.call(this, listener);
        listeners++;
        return () => {
          listeners--;
          stop();
        };
      });
      await open();
      for (let round = 0; round < 4; round++) {
        const answers = await Promise.all(Array.from({ length: 50 }, () => listen(FILTER)));
        expect([place.counts().streams, shop.watchers(), listeners]).toEqual([50, 3, 50]);
        for (const answer of answers) answer.drop();
        await eventually(() => [place.counts(), shop.watchers(), listeners]).toMatchObject([NONE, 0, 0]);
      }
    });

    test("SUB-19 while a watch still starts: stops the watch as soon as it has started", async () => {
      let [started, stopped] = [() => undefined as void, false];
      const begins = Promise.withResolvers<void>();
      const slow = resource({
        uri: "shop://slow",
        name: "slow",
        read: () => "",
        watch: () => new Promise((resolve) => ((started = () => resolve(() => void (stopped = true))), begins.resolve())),
      });
      await open({}, { resources: [slow] });
      const begun = place.begin("subscriptions/listen", { notifications: { resourceSubscriptions: ["shop://slow"] } });
      const answer = await begun.answer; // the headers come before the acknowledgement
      await begins.promise;
      answer.drop();
      await eventually(() => place.counts()).toMatchObject(NONE);
      expect(stopped).toBe(false);
      started();
      await eventually(() => stopped).toBe(true);
    });
  });

  describe("ended by the server", () => {
    test.each([1, "one"])("SUB-14 CANCEL-12 RT-01 META-14 with its result, tagged, and the end of the stream; id %j", async (id) => {
      await open({ graceMs: 2000 });
      const answer = await listen(FILTER, id);
      await place.stop();
      expect(await answer.messages()).toEqual([
        {
          jsonrpc: "2.0",
          id,
          result: { resultType: "complete", _meta: { [SUBSCRIPTION_ID]: id, [SERVER_INFO]: { name: "shop", version: "1.0.0" } } },
        },
      ]);
      expect([await answer.closed, place.counts(), shop.watchers()]).toMatchObject(["ended", NONE, 0]);
      expect(shop.subscribers.every(({ aborted }) => aborted)).toBe(true);
    });

    test("SUB-14 at shutdown at once, while a call in flight may finish and new ones are refused", async () => {
      await open({ graceMs: 5000 });
      const answers = await Promise.all([listen(FILTER, 1), listen({}, 2), listen({ toolsListChanged: true }, 3)]);
      const asked = place.call("work", {}, { progressToken: "p" });
      const { ctx, done } = await shop.work("it");
      ctx.progress(1);
      const call = await asked;
      const stopped = place.stop();
      for (const [at, answer] of answers.entries()) expect((await answer.messages()).map(({ id }) => id)).toEqual([at + 1]);
      ctx.progress(2);
      done("in time");
      expect(await call.messages()).toMatchObject([
        { params: { progress: 1 } },
        { params: { progress: 2 } },
        { id: 1, result: { resultType: "complete" } },
      ]);
      await stopped;
    });

    test("SUB-08 without an acknowledgement after the result while a watch still starts", async () => {
      const { promise, resolve } = Promise.withResolvers<() => void>();
      let stopped = false;
      await open({ graceMs: 2000 }, { resources: [resource({ uri: "shop://slow", name: "slow", read: () => "", watch: () => promise })] });
      const answer = await place.request("subscriptions/listen", { notifications: { resourceSubscriptions: ["shop://slow"] } });
      const over = place.stop();
      expect(await answer.messages()).toMatchObject([{ id: 1, result: { resultType: "complete" } }]);
      resolve(() => void (stopped = true));
      await over;
      await eventually(() => stopped).toBe(true);
    });
  });

  describe("an open subscription", () => {
    test("HTTP-49 is kept alive by comments, which are not notifications", async () => {
      await open({ http: { keepAliveMs: 200 } });
      const answer = await listen({});
      await eventually(() => answer.comments).toBeGreaterThan(2);
      expect(answer.waiting).toEqual([]);
      answer.drop();
    });

    test("is not ended by the time limit of requests", async () => {
      await open({ limits: { timeoutMs: 100 } });
      const asked = place.call("work");
      const answer = await listen({ toolsListChanged: true });
      // The call has run into the limit, so the subscription would have too.
      expect(await (await asked).json()).toMatchObject({ result: { isError: true } });
      shop.server.tools.add(tool({ name: "new", run: () => "" }));
      expect(await answer.message()).toMatchObject({ method: "notifications/tools/list_changed" });
      answer.drop();
    });

    test("case HTTP-27 counts towards the limit for all, and frees its slot at the end", async () => {
      await open({ http: { listens: 3, concurrency: 1 } });
      const answers = await Promise.all([1, 2, 3].map((id) => listen({}, id)));
      const refused = await place.request("subscriptions/listen", { notifications: {} }, { id: 4 });
      expect([refused.status, await refused.json()]).toMatchObject([429, { id: 4, error: { code: 429 } }]);
      expect((await place.call("echo", { message: "x" })).status).toBe(200);
      answers[0]?.drop();
      await eventually(() => place.counts().streams).toBe(2);
      (await listen({}, 5)).drop();
      for (const answer of answers) answer.drop();
    });

    test("notifies a burst of changes together, including the last one", async () => {
      await open();
      const answer = await listen({ resourceSubscriptions: [DESK] });
      for (let time = 0; time < 100; time++) shop.touch(DESK);
      expect([await answer.message(), await answer.message()]).toMatchObject([{ params: { uri: DESK } }, { params: { uri: DESK } }]);
      expect(answer.waiting).toEqual([]);
      answer.drop();
    });
  });
});
