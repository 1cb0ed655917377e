// The standing stream of a session: messages that belong to no request, each once, for this session only.
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { prompt, tool } from "../../../../src/index.ts";
import type { Answer } from "../../../support/answer.ts";
import { HttpTalk, textOf } from "../../../support/http-talk.ts";
import { eventually, STATEFUL } from "../../../support/sample.ts";
import { BOARD, startWorkshop, type Workshop } from "../../../support/workshop.ts";

let shop: Workshop;
let tools = 0;
let marks = 0;

beforeAll(async () => {
  shop = await startWorkshop({ http: { keepAliveMs: 300 } });
});

afterAll(() => shop[Symbol.asyncDispose]());

const CHANGED = { jsonrpc: "2.0", method: "notifications/tools/list_changed" };
const UPDATED = { jsonrpc: "2.0", method: "notifications/resources/updated", params: { uri: BOARD } };

const grow = (): void => shop.server.tools.add(tool({ name: `more_${++tools}`, run: () => "" }));

/** What came since, up to a change of another list that is made now. */
async function heard(stream: Answer): Promise<unknown[]> {
  shop.server.prompts.add(prompt({ name: `mark ${++marks}`, get: () => "" }));
  const messages = [];
  for (;;) {
    const message = await stream.message();
    if (message.method === "notifications/prompts/list_changed") return messages;
    messages.push(message);
  }
}

describe.each(STATEFUL)("in %s", (revision) => {
  test("HTTP-20 HTTP-35 HTTP-36 HTTP-37 carries changes once and never responses; streams of calls carry no changes", async () => {
    using talk = await HttpTalk.open(shop.url, { revision });
    const stream = await talk.listen();
    expect(await talk.result("resources/subscribe", { uri: BOARD })).toEqual({});
    const call = await talk.call("work", {}, { progressToken: 1 });
    const { ctx, done } = await shop.work("it");
    grow();
    shop.touch();
    ctx.progress(1);
    done("done");
    expect((await call.messages()).map(({ method, id }) => method ?? typeof id)).toEqual(["notifications/progress", "number"]);
    expect(textOf(await (await talk.call("echo", { message: "x" })).json())).toBe("x");
    expect(await heard(stream)).toEqual([CHANGED, UPDATED]);
    stream.drop();
  });

  test("case HTTP-18 HTTP-37 refuses a second one with 409 and keeps the first", async () => {
    using talk = await HttpTalk.open(shop.url, { revision });
    const first = await talk.listen();
    const second = await talk.listen();
    expect([second.status, await second.json()]).toMatchObject([409, { error: {} }]);
    grow();
    expect(await heard(first)).toEqual([CHANGED]);
    first.drop();
    await eventually(async () => {
      const third = await talk.listen();
      third.drop();
      return third.status;
    }).toBe(200);
  });

  test("HTTP-37 gives way to the owner who comes back after a comment that changed nothing", async () => {
    using talk = await HttpTalk.open(shop.url, { revision });
    const lost = await talk.listen(); // its client is gone without a sign
    expect((await talk.listen()).status).toBe(409);
    const retry = async (): Promise<number> => {
      const again = await talk.listen();
      if (again.status === 200) newer = again;
      return again.status;
    };
    let newer: Answer | undefined;
    await eventually(retry).toBe(200);
    await lost.closed;
    grow();
    expect(await heard(newer as Answer)).toEqual([CHANGED]);
    newer?.drop();
  });

  test("HTTP-37 sends messages without an open stream on the next one, once and in order", async () => {
    using talk = await HttpTalk.open(shop.url, { revision });
    expect(await talk.result("resources/subscribe", { uri: BOARD })).toEqual({});
    grow();
    shop.touch();
    const first = await talk.listen();
    expect(await heard(first)).toEqual([CHANGED, UPDATED]);
    first.drop();
    await eventually(() => shop.http.counts().streams).toBe(0);
    grow();
    const second = await talk.listen();
    expect(await heard(second)).toEqual([CHANGED]);
    second.drop();
  });

  test("case HTTP-17 HTTP-37 G5 notifies each session of its own subscriptions only, once for each change", async () => {
    using watcher = await HttpTalk.open(shop.url, { revision });
    using bystander = await HttpTalk.open(shop.url, { revision });
    const [ours, theirs] = [await watcher.listen(), await bystander.listen()];
    expect(await watcher.result("resources/subscribe", { uri: BOARD })).toEqual({});
    shop.touch();
    grow();
    expect(await heard(ours)).toEqual([UPDATED, CHANGED]);
    expect(await heard(theirs)).toEqual([CHANGED]);
    ours.drop();
    theirs.drop();
  });

  test("G5 KIT-11 keeps the log level of one session from another", async () => {
    using quiet = await HttpTalk.open(shop.url, { revision });
    using chatty = await HttpTalk.open(shop.url, { revision });
    expect(await quiet.result("logging/setLevel", { level: "error" })).toEqual({});
    expect(await chatty.result("logging/setLevel", { level: "debug" })).toEqual({});
    const replyText = [];
    for (const talk of [quiet, chatty]) {
      const call = talk.call("work", {}, { progressToken: 1 });
      const { ctx, done } = await shop.work("it");
      ctx.log.debug("d");
      ctx.log.error("e");
      done("");
      replyText.push((await (await call).messages()).flatMap(({ params }) => (params as { level?: string } | undefined)?.level ?? []));
    }
    expect(replyText).toEqual([["error"], ["debug", "error"]]);
  });
});

test("HTTP-37 gives way at once where the clock has written comments before", async () => {
  using talk = await HttpTalk.open(shop.url);
  const lost = await talk.listen();
  await vi.waitFor(() => expect(lost.comments).toBeGreaterThan(3), { timeout: 20_000 });
  const newer = await talk.listen();
  expect(newer.status).toBe(200);
  await lost.closed;
  newer.drop();
});

test("HTTP-37 serves the next one at once where the client has closed the first", async () => {
  using talk = await HttpTalk.open(shop.url);
  for (let time = 0; time < 20; time++) {
    const stream = await talk.listen();
    expect(stream.status).toBe(200);
    stream.drop();
  }
});

test.concurrent.each(STATEFUL)("HTTP-34 %s: sends the client no notification before it is ready", async (revision) => {
  using talk = await HttpTalk.open(shop.url, { revision, ready: false });
  const stream = await talk.listen();
  expect([stream.status, stream.type]).toEqual([200, "text/event-stream"]);
  grow();
  await vi.waitFor(() => expect(stream.comments).toBeGreaterThan(1), { timeout: 20_000 });
  expect(stream.waiting.filter(({ data }) => data !== "")).toEqual([]);
  stream.drop();
});

test("case HTTP-27 limits the streams of one session by 429, and frees the slot of each that closes", async () => {
  await using shop = await startWorkshop({ http: { streams: 3 } });
  using talk = await HttpTalk.open(shop.url);
  using other = await HttpTalk.open(shop.url);
  const open = [await talk.listen(), await talk.call("work", {}, { progressToken: 1 }), await talk.call("work", {}, { progressToken: 2 })];
  expect(open.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect((await talk.call("work", {}, { progressToken: 3 })).status).toBe(429);
  const others = await other.listen();
  expect(others.status).toBe(200);
  expect(shop.http.counts()).toMatchObject({ streams: 4, running: 2 });
  for (const answer of [...open, others]) answer.drop();
  await eventually(() => shop.http.counts().streams).toBe(0);
  const again = await talk.listen();
  expect(again.status).toBe(200);
  again.drop();
});

test("case HTTP-27 keeps the limit of streams when they are resumed or silent", async () => {
  await using shop = await startWorkshop({ http: { streams: 2, silentMs: 300 } });
  using talk = await HttpTalk.open(shop.url);
  const lost = [await talk.call("work", {}, { progressToken: 1 }), await talk.call("work", {}, { progressToken: 2 })];
  const ids = await Promise.all(lost.map(async (answer) => (await answer.event()).id));
  for (const answer of lost) answer.drop();
  await eventually(() => shop.http.counts().streams).toBe(0);
  const open = [await talk.call("work", {}, { progressToken: 3 }), await talk.call("work", {}, { progressToken: 4 })];
  expect((await talk.listen(ids[0])).status).toBe(429);
  for (const answer of open) answer.drop();
  await eventually(() => shop.http.counts().streams).toBe(0);
  using silent = await HttpTalk.open(shop.url);
  const waiting = Array.from({ length: 5 }, () => silent.begin("POST", {}, silent.calling("work", { name: "silent" })));
  const works = await Promise.all(waiting.map(() => shop.work("silent")));
  await eventually(() => shop.http.counts().streams).toBe(2);
  // Those without a place stay silent, and are answered all the same.
  for (const { done } of works) done("done");
  const types = (await Promise.all(waiting.map(({ answer }) => answer))).map(({ type }) => type);
  expect(types.filter((type) => type === "text/event-stream")).toHaveLength(2);
  expect(types.filter((type) => type === "application/json")).toHaveLength(3);
});
