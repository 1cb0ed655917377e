// Answers of the newest era: one JSON body, or a stream of what belongs to the request and to nothing else.
import { afterEach, describe, expect, test } from "vitest";
import { tool, type Limits } from "../../../../src/index.ts";
import type { HttpLimits } from "../../../../src/node.ts";
import type { Json } from "../../../../src/protocol.ts";
import { textOf } from "../../../support/http-talk.ts";
import { eventually } from "../../../support/sample.ts";
import { overBoth, type Place } from "../../../support/stateless-faces.ts";
import type { As } from "../../../support/stateless-message.ts";
import { ASKABLE, stockShop, type Shop } from "../../../support/stateless-shop.ts";

const JSON_BODY = [200, "application/json"];
const STREAM = [200, "text/event-stream"];

/** What came before the answer, shortly. */
const shortly = ({ method, params, ...rest }: Json): string => {
  const { level, data, progress, progressToken } = (params ?? {}) as Json;
  if (method === "notifications/message") return `${String(level)}: ${String(data)}`;
  return method === "notifications/progress" ? `${JSON.stringify(progressToken)}: ${String(progress)}` : textOf(rest);
};

overBoth("responses", (face) => {
  let shop: Shop;
  let place: Place;
  const open = async (http: Partial<HttpLimits> = {}, limits: Partial<Limits> = {}): Promise<void> => {
    shop = stockShop();
    place = await face.open(shop.server, { http, limits });
  };
  afterEach(() => place.stop());

  test("HTTP-02 HTTP-15 answers with one JSON body when no message precedes the result, and for errors", async () => {
    await open();
    const quick = await place.call("echo", { message: "now" }, { progressToken: "p", logLevel: "debug" });
    expect([quick.status, quick.type, textOf(await quick.json())]).toEqual([...JSON_BODY, "now"]);
    const asked = place.call("work", {}, { progressToken: "p", logLevel: "debug" });
    (await shop.work("it")).done("later");
    const slow = await asked;
    expect([slow.status, slow.type, textOf(await slow.json())]).toEqual([...JSON_BODY, "later"]);
    for (const answer of [quick, slow]) expect(answer.headers["mcp-session-id"]).toBeUndefined();
  });

  test("HTTP-15 HTTP-17 HTTP-48 starts a stream without event ids with the first notification; the response is its last event", async () => {
    await open();
    const asked = place.call("work", {}, { id: "w", progressToken: 5 });
    const { ctx, done } = await shop.work("it");
    ctx.progress(1, 2, "half");
    const answer = await asked;
    expect([answer.status, answer.type, answer.headers["x-accel-buffering"]]).toEqual([...STREAM, "no"]);
    expect(await answer.event()).toEqual({
      event: "message",
      data: JSON.stringify({
        jsonrpc: "2.0",
        method: "notifications/progress",
        params: { progressToken: 5, progress: 1, total: 2, message: "half" },
      }),
    });
    done("whole");
    expect(await answer.messages()).toEqual([{ jsonrpc: "2.0", id: "w", result: expect.objectContaining({ resultType: "complete" }) }]);
    expect([await answer.closed, answer.raw.match(/^(id|retry):/m), answer.headers["mcp-session-id"]]).toEqual(["ended", null, undefined]);
  });

  test.each<[what: string, as: As, expected: string[]]>([
    ["nothing", {}, ["reply"]],
    ["progress", { progressToken: "p" }, ['"p": 1', "reply"]],
    ["progress, by a number", { progressToken: 0 }, ["0: 1", "reply"]],
    ["everything in the log", { logLevel: "debug" }, ["debug: a debug", "info: a info", "warning: a warning", "error: a error", "reply"]],
    ["what is worth a notice", { logLevel: "notice" }, ["warning: a warning", "error: a error", "reply"]],
    ["emergencies", { logLevel: "emergency" }, ["reply"]],
    ["both", { logLevel: "error", progressToken: "p" }, ['"p": 1', "error: a error", "reply"]],
  ])("PROG-03 PROG-14 LOG-10 LOG-11 sends progress and log when the request asks for them: %s", async (_what, as, expected) => {
    await open();
    const answer = await place.call("chatty", {}, as);
    const messages = expected.length === 1 ? [await answer.json()] : await answer.messages();
    expect([answer.status, answer.type, messages.map(shortly)]).toEqual([...(expected.length === 1 ? JSON_BODY : STREAM), expected]);
  });

  test("LOG-10 META-11 applies a level to its request only", async () => {
    await open();
    for (const logLevel of ["debug", undefined, "error", undefined]) {
      const answer = await place.call("chatty", {}, { logLevel });
      expect(answer.type).toBe(logLevel === undefined ? "application/json" : "text/event-stream");
    }
  });

  test("HTTP-21 HTTP-38 PROG-13 LOG-12 carries on concurrent streams the messages of their own request, though all have the same id", async () => {
    await open();
    const names = ["a", "b", "c", "d", "e"];
    const asked = names.map((name) => place.call("work", { name }, { progressToken: "same", logLevel: "info" }));
    const works = await Promise.all(names.map((name) => shop.work(name)));
    for (const step of [1, 2]) {
      for (const [at, { ctx }] of works.entries()) {
        ctx.progress(step + at * 10);
        ctx.log.info(`${names[at]}${step}`);
      }
    }
    works.toReversed().forEach(({ done }, at) => done(`done ${names[names.length - 1 - at]}`));
    for (const [at, answer] of (await Promise.all(asked)).entries()) {
      const name = names[at] ?? "";
      const [first, second] = [1, 2].map((step) => [`"same": ${step + at * 10}`, `info: ${name}${step}`]);
      expect((await answer.messages()).map(shortly)).toEqual([...(first ?? []), ...(second ?? []), `done ${name}`]);
    }
    expect(place.counts()).toMatchObject({ running: 0, streams: 0 });
  });

  test("HTTP-22 sends no requests on any stream", async () => {
    await open();
    for (const name of ["in-turn", "in-parallel", "everything", "page"]) {
      const answer = await place.call(name, {}, { capabilities: ASKABLE, progressToken: "p", logLevel: "debug" });
      expect([answer.type, await answer.json()]).toMatchObject(["application/json", { id: 1, result: { resultType: "input_required" } }]);
    }
    expect(place.counts()).toMatchObject({ running: 0, streams: 0 });
  });

  test("case HTTP-26 sends each message as one event, whatever its text", async () => {
    await open();
    const evil = "a\r\n\r\nevent: evil\ndata: {}\n\nid: 7\rretry: 1\u2028\u0085\u0000";
    const asked = place.call("work", {}, { progressToken: evil, logLevel: "info" });
    const { ctx, done } = await shop.work("it");
    ctx.progress(1, 1, evil);
    ctx.log.info({ [evil]: evil });
    done(evil);
    const messages = await (await asked).messages();
    expect(messages.map(({ params, ...rest }) => params ?? textOf(rest))).toEqual([
      { progressToken: evil, progress: 1, total: 1, message: evil },
      { level: "info", logger: "shop", data: { [evil]: evil } },
      evil,
    ]);
  });

  test("PROG-05 drops notifications that follow the result", async () => {
    await open();
    const asked = place.call("work", {}, { progressToken: "p", logLevel: "debug" });
    const { ctx, done } = await shop.work("it");
    ctx.progress(1);
    done("whole");
    const answer = await asked;
    await answer.closed;
    ctx.progress(2);
    ctx.log.error("late");
    expect((await answer.messages()).map(shortly)).toEqual(['"p": 1', "whole"]);
  });

  test("HTTP-49 turns a slow response into a stream that comments keep alive", async () => {
    await open({ silentMs: 300, keepAliveMs: 300 });
    const asked = place.call("work");
    const { done } = await shop.work("it");
    const answer = await asked;
    expect([answer.status, answer.type]).toEqual(STREAM);
    await eventually(() => answer.comments).toBeGreaterThan(1);
    done("at last");
    expect((await answer.messages()).map(textOf)).toEqual(["at last"]);
  });

  test("KIT-13 answers a call that exceeds the time limit with an error, aborts its signal, and drops later messages", async () => {
    await open({}, { timeoutMs: 100 });
    const asked = place.call("work", {}, { progressToken: "p" });
    const { ctx, done } = await shop.work("it");
    const answer = await asked;
    expect([answer.status, textOf(await answer.json()), ctx.signal.aborted, place.counts().running]).toEqual([
      200,
      "Timed out after 100 ms",
      true,
      0,
    ]);
    ctx.progress(1);
    done("too late");
    expect((await place.call("echo", { message: "x" })).status).toBe(200);
  });

  describe("a slow reader", () => {
    const LINE = "x".repeat(60_000);

    test("case HTTP-23 is aborted when too much waits for it, as is the signal of its request", async () => {
      await open({}, { logsPerSecond: 1e6 });
      const asked = place.call("work", {}, { logLevel: "debug" });
      const { ctx, done } = await shop.work("it");
      ctx.log.info("first");
      const answer = await asked;
      answer.pause();
      for (let line = 0; line < 5000 && !ctx.signal.aborted; line++) {
        ctx.log.info(LINE);
        if (line % 20 === 0) await new Promise((resolve) => setImmediate(resolve));
      }
      expect(ctx.signal.aborted).toBe(true);
      await eventually(() => place.counts()).toMatchObject({ running: 0, streams: 0 });
      done("nobody hears it");
      answer.readOn();
      expect(await answer.closed).toBe("cut");
      expect((await place.call("echo", { message: "x" })).status).toBe(200);
    });

    test("case HTTP-23 is aborted when a handler overruns it synchronously", async () => {
      shop = stockShop();
      let signal: AbortSignal | undefined;
      shop.server.tools.add(
        tool({
          name: "flood",
          run(_input, ctx) {
            signal = ctx.signal;
            for (let line = 0; line < 500; line++) ctx.log.info(LINE);
            return new Promise<string>(() => undefined);
          },
        }),
      );
      place = await face.open(shop.server, { limits: { logsPerSecond: 1e6 } });
      const begun = place.begin("tools/call", { name: "flood" }, { logLevel: "debug" });
      begun.answer.then((answer) => answer.pause()).catch(() => undefined); // cut off before or behind its headers
      await eventually(() => signal?.aborted).toBe(true);
      await eventually(() => place.counts()).toMatchObject({ running: 0, streams: 0 });
    });

    test("case HTTP-23 is cut off when it reads nothing for a while", async () => {
      await open({ stalledMs: 300, keepAliveMs: 100 }, { logsPerSecond: 1e6 });
      const asked = place.call("work", {}, { logLevel: "debug" });
      const { ctx } = await shop.work("it");
      ctx.log.info("first");
      const answer = await asked;
      answer.pause();
      for (let line = 0; line < 100; line++) ctx.log.info(LINE);
      await eventually(() => [ctx.signal.aborted, place.counts().running, place.counts().streams]).toEqual([true, 0, 0]);
    });

    test("gets everything in order when it reads again in time", async () => {
      await open({}, { logsPerSecond: 1e6 });
      const asked = place.call("work", {}, { logLevel: "debug" });
      const { ctx, done } = await shop.work("it");
      ctx.log.info("first");
      const answer = await asked;
      answer.pause();
      const replyText = Array.from({ length: 100 }, (_, at) => `${at} ${LINE}`);
      for (const line of replyText) ctx.log.info(line);
      expect(ctx.signal.aborted).toBe(false);
      answer.readOn();
      done("last");
      const messages = await answer.messages();
      expect(messages.map(shortly)).toEqual(["info: first", ...replyText.map((line) => `info: ${line}`), "last"]);
    });
  });
});
