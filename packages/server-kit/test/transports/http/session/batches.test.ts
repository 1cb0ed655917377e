// Arrays of messages: part of one revision, refused in all others.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { HttpTalk, initialize, READY } from "../../../support/http-talk.ts";
import { call, cancel, note, refusal, request, result, STATEFUL, words } from "../../../support/sample.ts";
import { startWorkshop, type Workshop } from "../../../support/workshop.ts";

let shop: Workshop;

beforeAll(async () => {
  shop = await startWorkshop();
});

afterAll(() => shop[Symbol.asyncDispose]());

const BATCHED = "2025-03-26";
const PING = request(1, "ping");
const NOTE = note("notifications/unheard/of");
const echo = (id: string | number, message: string): object => call(id, "echo", { message });

const open = (revision: string = BATCHED): Promise<HttpTalk> => HttpTalk.open(shop.url, { revision });

describe(`in ${BATCHED}`, () => {
  test.each([
    ["requests and notifications", [echo(1, "a"), NOTE, echo("1", "b"), READY], [words(1, "a"), words("1", "b")]],
    ["one request", [PING], [result(1, {})]],
    ["an invalid message among them", [PING, 7, [PING], NOTE], [result(1, {}), refusal(null, -32600), refusal(null, -32600)]],
    ["requests that fail", [request(1, "no/such"), request(2, "tools/call", [])], [refusal(1, -32601), refusal(2, -32602)]],
  ])("HTTP-15 JSON-13 JSON-15 answers %s with 200 and the responses in one array", async (_title, batch, expected) => {
    using talk = await open();
    const answer = await talk.post(batch);
    expect([answer.status, answer.type]).toEqual([200, "application/json"]);
    const answers = JSON.parse(await answer.text()) as object[];
    expect(answers).toHaveLength(expected.length);
    expect(answers).toEqual(expect.arrayContaining(expected));
  });

  test.each([
    ["notifications", [NOTE, cancel(7), READY]],
    ["one notification", [NOTE]],
    ["responses", [result(1, {}), { jsonrpc: "2.0", id: 2, error: { code: -1, message: "no" } }]],
  ])("HTTP-13 JSON-15 answers only %s with 202 and no body", async (_title, batch) => {
    using talk = await open();
    const answer = await talk.post(batch);
    expect([answer.status, await answer.text()]).toEqual([202, ""]);
  });

  test("HTTP-17 HTTP-19 starts a stream with a notification, and ends it after all responses of the batch", async () => {
    using talk = await open();
    const answer = await talk.post([
      call(1, "work", { name: "a" }, { progressToken: "a" }),
      call(2, "work", { name: "b" }, { progressToken: "b" }),
    ]);
    expect([answer.status, answer.type]).toEqual([200, "text/event-stream"]);
    const works = [await shop.work("b"), await shop.work("a")];
    for (const { ctx } of works) ctx.progress(1);
    const tokens = [await answer.message(), await answer.message()].map(
      ({ params }) => (params as { progressToken: string }).progressToken,
    );
    expect(tokens).toEqual(["b", "a"]);
    works[0]!.done("B");
    works[1]!.done("A");
    const answers = (await answer.messages()).flat();
    expect(answers).toHaveLength(2);
    expect(answers).toEqual(expect.arrayContaining([words(1, "A"), words(2, "B")]));
    expect(await answer.closed).toBe("ended");
  });

  test("starts a stream for one request with a progress token", async () => {
    using talk = await open();
    const answer = await talk.post([echo(1, "a"), call(2, "echo", { message: "b" }, { progressToken: "b" })]);
    expect([answer.status, answer.type]).toEqual([200, "text/event-stream"]);
    expect((await answer.messages()).flat()).toEqual(expect.arrayContaining([words(1, "a"), words(2, "b")]));
  });

  test.each([
    ["empty", []],
    ["with initialize", [initialize(BATCHED)]],
    ["longer than 100", Array.from({ length: 101 }, (_, id) => request(id, "ping"))],
    ["of 101 notifications", Array.from({ length: 101 }, () => NOTE)],
  ])("HTTP-14 JSON-16 JSON-18 answers an array that is %s with 400", async (_title, batch) => {
    using talk = await open();
    const answer = await talk.post(batch);
    expect([answer.status, await answer.json()]).toEqual([400, { jsonrpc: "2.0", error: { code: -32600, message: expect.any(String) } }]);
    expect((await talk.post(PING)).status).toBe(200);
  });
});

describe.each(STATEFUL.filter((revision) => revision !== BATCHED))("in %s", (revision) => {
  test.each([
    ["requests", [call(1, "work")]],
    ["requests and notifications", [call(1, "work"), NOTE]],
    ["notifications", [NOTE]],
    ["responses", [result(1, {})]],
    ["nothing", []],
    ["initialize", [initialize(revision)]],
  ])("HTTP-14 answers an array of %s with 400, and runs nothing of it", async (_title, batch) => {
    using talk = await open(revision);
    const before = shop.http.counts().running;
    const answer = await talk.post(batch);
    expect([answer.status, await answer.json()]).toEqual([400, { jsonrpc: "2.0", error: { code: -32600, message: expect.any(String) } }]);
    expect(shop.http.counts().running).toBe(before);
    expect((await talk.post(PING)).status).toBe(200);
  });
});
