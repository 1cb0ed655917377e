// The answer to a POST: one JSON body, or an event stream as soon as there is something to say before the result.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { HttpTalk, textOf } from "../../../support/http-talk.ts";
import { cancel, eventually, request, STATEFUL, words } from "../../../support/sample.ts";
import { startWorkshop, type Workshop } from "../../../support/workshop.ts";

const KEEP_ALIVE_MS = 100;
const SILENT_MS = 400;

let shop: Workshop;
/** Its answers become streams after a short silence; those of the other do not, however busy the machine is. */
let impatient: Workshop;

beforeAll(async () => {
  shop = await startWorkshop({ http: { keepAliveMs: KEEP_ALIVE_MS, silentMs: 60_000, retryMs: 1234 } });
  impatient = await startWorkshop({ http: { keepAliveMs: KEEP_ALIVE_MS, silentMs: SILENT_MS } });
});

afterAll(async () => {
  await shop[Symbol.asyncDispose]();
  await impatient[Symbol.asyncDispose]();
});

const STREAM = [200, "text/event-stream"];
const JSON_BODY = [200, "application/json"];
const TOKEN = { progressToken: "p" };

describe.each(STATEFUL)("in %s", (revision) => {
  const hasPrimingEvent = revision === "2025-11-25";

  test("HTTP-15 answers with one JSON body when no message precedes the result", async () => {
    using talk = await HttpTalk.open(shop.url, { revision });
    const quick = await talk.call("echo", { message: "now" });
    expect([quick.status, quick.type, textOf(await quick.json())]).toEqual([...JSON_BODY, "now"]);
    const asked = talk.call("work");
    (await shop.work("it")).done("later");
    const slow = await asked;
    expect([slow.status, slow.type, textOf(await slow.json())]).toEqual([...JSON_BODY, "later"]);
  });

  test("HTTP-15 HTTP-17 HTTP-19 RESUME-01 starts a stream with the first notification; the response is its last event", async () => {
    using talk = await HttpTalk.open(shop.url, { revision });
    const asked = talk.call("work");
    const { ctx, done } = await shop.work("it");
    ctx.log.info("first");
    const answer = await asked;
    expect([answer.status, answer.type]).toEqual(STREAM);
    expect(answer.headers).toMatchObject({ "cache-control": expect.stringContaining("no-cache"), "x-accel-buffering": "no" });
    if (hasPrimingEvent) expect(await answer.event()).toMatchObject({ data: "" });
    const { id, event, data } = await answer.event();
    expect([id, event]).toEqual([expect.stringMatching(/^\d+-1$/), "message"]);
    expect(JSON.parse(data)).toMatchObject({ method: "notifications/message", params: { data: "first" } });
    expect(await Promise.race([answer.closed, Promise.resolve("open")])).toBe("open");
    done("last");
    expect(await answer.messages()).toEqual([words(1, "last")]);
    expect(await answer.closed).toBe("ended");
    expect(answer.raw).not.toContain("\r");
  });

  test("HTTP-15 HTTP-19 answers with a stream when the request has a progress token, even without notifications", async () => {
    await using shop = await startWorkshop({ http: { keepAliveMs: 60_000 } });
    using talk = await HttpTalk.open(shop.url, { revision });
    const answer = await talk.call("work", {}, TOKEN);
    expect([answer.status, answer.type]).toEqual(STREAM);
    const { ctx, done } = await shop.work("it");
    ctx.progress(1, 2, "half");
    expect(await answer.message()).toMatchObject({
      method: "notifications/progress",
      params: { progressToken: "p", progress: 1, total: 2 },
    });
    done("whole");
    expect((await answer.messages()).map(textOf)).toEqual(["whole"]);
    const quick = await talk.call("echo", { message: "quick" }, TOKEN);
    expect([quick.status, quick.type, (await quick.messages()).map(textOf)]).toEqual([...STREAM, ["quick"]]);
  });

  test("HTTP-23 HTTP-25 starts a stream with a priming event in 2025-11-25 only", async () => {
    using talk = await HttpTalk.open(shop.url, { revision });
    const standing = await talk.listen();
    await eventually(() => standing.raw).not.toBe("");
    expect(/^id: 0-0\nretry: 1234\ndata: ?\n\n/.test(standing.raw)).toBe(hasPrimingEvent);
    const called = await (await talk.call("echo", { message: "x" }, TOKEN)).text();
    expect(/^id: \d+-0\nretry: 1234\ndata: ?\n\n/.test(called)).toBe(hasPrimingEvent);
    for (const raw of [called, standing.raw]) expect(raw.match(/retry/g)?.length ?? 0).toBe(hasPrimingEvent ? 1 : 0);
    standing.drop();
  });

  test("HTTP-17 CANCEL-03 ends a cancelled request without a response, with a stream or without", async () => {
    using talk = await HttpTalk.open(shop.url, { revision });
    const silent = talk.post(request("s", "tools/call", { name: "work", arguments: { name: "silent" } }));
    const loud = await talk.post(request("l", "tools/call", { name: "work", arguments: { name: "loud" }, _meta: TOKEN }));
    await Promise.all([shop.work("silent"), shop.work("loud")]);
    for (const id of ["s", "l"]) expect((await talk.post(cancel(id))).status).toBe(202);
    expect(await (await silent).text()).toBe("");
    expect([await loud.closed, await loud.messages()]).toEqual(["ended", []]);
    expect(shop.http.counts().running).toBe(0);
  });

  test("HTTP-20 HTTP-36 HTTP-38 RESUME-02 carries on concurrent streams the messages of their own request, under ids of their own", async () => {
    using talk = await HttpTalk.open(shop.url, { revision });
    const standing = await talk.listen();
    const names = ["a", "b", "c", "d"];
    const answers = await Promise.all(names.map((name) => talk.call("work", { name }, { progressToken: `of ${name}` })));
    const works = await Promise.all(names.map((name) => shop.work(name)));
    for (const step of [1, 2, 3]) for (const { ctx } of works) ctx.progress(step);
    shop.touch();
    works.forEach(({ ctx, done }, at) => {
      ctx.log.warning(`from ${names[at]}`);
      done(`done ${names[at]}`);
    });
    const ids: string[] = [];
    for (const [at, answer] of answers.entries()) {
      await answer.closed;
      const events = [...answer.waiting];
      ids.push(...events.flatMap(({ id = "none" }) => id));
      const messages = await answer.messages();
      const progress = (step: number): object => ({
        method: "notifications/progress",
        params: { progressToken: `of ${names[at]}`, progress: step },
      });
      expect(messages).toMatchObject([progress(1), progress(2), progress(3), { params: { data: `from ${names[at]}` } }, {}]);
      expect(messages).toHaveLength(5);
      expect(textOf(messages[4])).toBe(`done ${names[at]}`);
    }
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).not.toContain("none");
    expect(standing.waiting.filter(({ data }) => data !== "")).toEqual([]);
    standing.drop();
  });
});

test.concurrent.each(STATEFUL)(
  "HTTP-18 %s: turns a slow response into a stream, kept alive by comments until the result",
  async (revision) => {
    using talk = await HttpTalk.open(impatient.url, { revision });
    const began = performance.now();
    const answer = await talk.call("work", { name: revision });
    expect([answer.status, answer.type]).toEqual(STREAM);
    expect(performance.now() - began).toBeGreaterThanOrEqual(SILENT_MS - 5);
    const { done } = await impatient.work(revision);
    const before = answer.comments;
    await expect.poll(() => answer.comments).toBeGreaterThan(before + 1);
    done("at last");
    expect((await answer.messages()).map(textOf)).toEqual(["at last"]);
  },
);

const HOSTILE = [
  "a\nb",
  "a\r\nb",
  "a\rb",
  "x\n\nevent: message\ndata: {}\n\n",
  "x\ndata: more",
  "x\nid: 9-9",
  "x\nretry: 1",
  "\n\n",
  "a\u2028b\u2029c\u0085d",
  "\u0000\u0007\u001b[31m",
  ":comment",
  "\ufeffdata: x",
  "\ud800 unpaired",
  "Set-Cookie: a=b\r\n\r\n<html>",
];

test.each(HOSTILE)("case HTTP-26 H8 keeps %j inside its own event", async (text) => {
  using talk = await HttpTalk.open(shop.url);
  const standing = await talk.listen();
  const answer = await talk.call("work", { name: text }, { progressToken: text });
  const { ctx, done } = await shop.work(text);
  ctx.progress(1, 1, text);
  ctx.log.error(text);
  done(text);
  await answer.closed;
  const shape = answer.raw.replaceAll(/^(id|event|retry|data):[^\n]*$/gm, "$1");
  expect(shape).toBe(["id\nretry\ndata\n\n", ...["progress", "log", "result"].map(() => "id\nevent\ndata\n\n")].join(""));
  expect(answer.raw).not.toContain("\r");
  const [progress, log, result] = await answer.messages();
  const whole = text.toWellFormed();
  expect([progress, log]).toMatchObject([{ params: { progressToken: text, message: text } }, { params: { data: text } }]);
  expect(textOf(result).toWellFormed()).toBe(whole);
  const unknown = await talk.call(text, {}, { progressToken: 1 });
  expect(await unknown.messages()).toHaveLength(1);
  for (const { headers } of [answer, unknown, standing]) expect(JSON.stringify(headers)).not.toMatch(/cookie|comment|retry/i);
  standing.drop();
});
