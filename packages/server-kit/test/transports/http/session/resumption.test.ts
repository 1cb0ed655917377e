// Streams outlive their connections: a client resumes behind its last event, and never gets events of another client.
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { prompt } from "../../../../src/index.ts";
import type { Answer } from "../../../support/answer.ts";
import { HttpTalk, textOf } from "../../../support/http-talk.ts";
import { eventually, STATEFUL, words } from "../../../support/sample.ts";
import { startWorkshop, type Work, type Workshop } from "../../../support/workshop.ts";

let shop: Workshop;

beforeAll(async () => {
  shop = await startWorkshop();
});

afterAll(() => shop[Symbol.asyncDispose]());

interface Lost {
  work: Work;
  /** The ids of the events that came before the connection was lost, the first word's first. */
  ids: string[];
}

/** Drops the connection, and waits until the server knows. */
async function lose(answer: Answer, from: Workshop = shop): Promise<void> {
  const { streams } = from.http.counts();
  answer.drop();
  await eventually(() => from.http.counts().streams).toBe(streams - 1);
}

/** A call whose connection is lost after three words. */
async function lost(talk: HttpTalk, name = "it", from: Workshop = shop): Promise<Lost> {
  const answer = await talk.call("work", { name }, { progressToken: name });
  const work = await from.work(name);
  const ids: string[] = [];
  for (const step of [1, 2, 3]) {
    work.ctx.progress(step);
    ids.push(await idOf(answer));
  }
  await lose(answer, from);
  return { work, ids };
}

const steps = (messages: readonly object[]): unknown[] =>
  messages.map((message) => ("params" in message ? (message.params as { progress: number }).progress : textOf(message as never)));

describe.each(STATEFUL)("in %s", (revision) => {
  test("HTTP-28 RESUME-05 continues the request after a lost connection, and replays missed events", async () => {
    using talk = await HttpTalk.open(shop.url, { revision });
    const { work, ids } = await lost(talk);
    work.ctx.progress(4);
    expect(work.ctx.signal.aborted).toBe(false);
    const again = await talk.listen(ids[1]);
    expect([again.status, again.type]).toEqual([200, "text/event-stream"]);
    expect(steps([await again.message(), await again.message()])).toEqual([3, 4]);
    work.ctx.progress(5);
    work.done("done");
    expect(steps(await again.messages())).toEqual([5, "done"]);
    expect(await again.closed).toBe("ended");
  });

  test("RESUME-05 replays a complete stream from any of its events, more than once", async () => {
    using talk = await HttpTalk.open(shop.url, { revision });
    const { work, ids } = await lost(talk);
    work.done("done");
    const all = [1, 2, 3, "done"];
    for (const [at, id] of ids.entries()) {
      for (let time = 0; time < 2; time++) {
        const again = await talk.listen(id);
        expect.soft(steps(await again.messages())).toEqual(all.slice(at + 1));
      }
    }
  });

  test("RESUME-02 RESUME-03 RESUME-06 resumes each stream by itself, without events of others", async () => {
    using talk = await HttpTalk.open(shop.url, { revision });
    const [a, b] = [await lost(talk, "a"), await lost(talk, "b")];
    expect(new Set([...a.ids, ...b.ids]).size).toBe(6);
    for (const { work } of [a, b]) work.ctx.progress(10);
    const again = [await talk.listen(a.ids[2]), await talk.listen(b.ids[2])];
    for (const { work } of [b, a]) work.ctx.progress(11);
    a.work.done("A");
    b.work.done("B");
    const messages = await Promise.all(again.map((answer) => answer.messages()));
    expect(messages.map(steps)).toEqual([
      [10, 11, "A"],
      [10, 11, "B"],
    ]);
    const tokens = messages.map((all) =>
      all.flatMap(({ params }) => (params as { progressToken?: string } | undefined)?.progressToken ?? []),
    );
    expect(tokens).toEqual([
      ["a", "a"],
      ["b", "b"],
    ]);
  });

  test("RESUME-05 resumes the standing stream after the last event received", async () => {
    using talk = await HttpTalk.open(shop.url, { revision });
    const first = await talk.listen();
    const change = (name: string): void => shop.server.prompts.add(prompt({ name: `${revision} ${name}`, get: () => "" }));
    change("first");
    const id = await idOf(first);
    change("second");
    await idOf(first);
    await lose(first);
    change("third");
    const again = await talk.listen(id);
    expect([await idOf(again), await idOf(again)]).toEqual([after(id, 1), after(id, 2)]);
    again.drop();
  });

  test("HTTP-28 continues a request whose client disconnects before the first message", async () => {
    using talk = await HttpTalk.open(shop.url, { revision });
    const sent = talk.begin("POST", {}, talk.calling("work"));
    const { ctx, done } = await shop.work("it");
    const { connections } = shop.http.counts();
    sent.drop();
    await expect(sent.answer).rejects.toMatchObject({ code: "ECONNRESET" });
    await eventually(() => shop.http.counts().connections).toBe(connections - 1);
    expect(ctx.signal.aborted).toBe(false);
    ctx.log.info("to nobody");
    done("for nobody");
    await eventually(() => shop.http.counts().running).toBe(0);
    expect(await (await talk.call("echo", { message: "x" })).json()).toMatchObject({ result: {} });
  });
});

/** The id of the next event that holds a message. */
async function idOf(answer: Answer): Promise<string> {
  for (;;) {
    const { id = "none", data } = await answer.event();
    if (data !== "") return id;
  }
}

const after = (id: string, steps: number): string => id.replace(/\d+$/, (number) => String(Number(number) + steps));

// ── what cannot be taken up ───────────────────────────────────────────────────────────────────────────────────────

test.each([
  ["beyond the end", "KEY-5"],
  ["far beyond the end", "KEY-999999999999"],
  ["huge", "KEY-99999999999999999999999999"],
  ["negative", "KEY--1"],
  ["of a stream that was never there", "999-1"],
  ["of a negative stream", "-KEY-1"],
  ["of a huge stream", "99999999999999999999-1"],
  ["text", "latest"],
  ["a part of one", "KEY"],
  ["a part of one", "KEY-"],
  ["empty", ""],
  ["with more behind", "KEY-1x"],
  ["two", "KEY-1, KEY-2"],
  ["hexadecimal", "KEY-0x1"],
  ["broken", "KEY-1.5"],
  ["a power", "KEY-1e0"],
  ["a name of every object", "__proto__"],
  ["letters beyond ASCII", "s\u00e9ance"],
  ["10 KB", "1".repeat(10_240)],
])("case HTTP-20 refuses an event id %s without effect", async (_title, text) => {
  using talk = await HttpTalk.open(shop.url);
  const { work, ids } = await lost(talk);
  const key = ids[0]!.split("-")[0]!;
  const answer = await talk.listen(text.replaceAll("KEY", key));
  expect([answer.status, answer.type, await answer.json()]).toEqual([
    400,
    "application/json",
    { jsonrpc: "2.0", error: expect.anything() },
  ]);
  work.done("done");
  expect(steps(await (await talk.listen(ids[2])).messages())).toEqual(["done"]);
});

test("case HTTP-20 H4 refuses an event id of another session", async () => {
  using anna = await HttpTalk.open(shop.url);
  using bert = await HttpTalk.open(shop.url);
  using carl = await HttpTalk.open(shop.url);
  const hers = await lost(anna, "hers");
  const his = await lost(bert, "his");
  hers.work.done("hers");
  his.work.done("his");
  // The ids may be the same; what counts is the session.
  for (const id of hers.ids) {
    const answer = await bert.listen(id);
    expect.soft(await answer.text()).not.toContain("hers");
    const nothing = await carl.listen(id);
    expect.soft([nothing.status, await nothing.text()]).toEqual([400, expect.not.stringContaining("hers")]);
  }
  expect(steps(await (await anna.listen(hers.ids[2])).messages())).toEqual(["hers"]);
});

test("case HTTP-20 refuses an event id whose events are dropped", async () => {
  await using shop = await startWorkshop({ http: { eventBytes: 20_000 } });
  using talk = await HttpTalk.open(shop.url);
  const { work, ids } = await lost(talk, "it", shop);
  for (let time = 0; time < 10; time++) work.ctx.log.info("x".repeat(5000));
  for (const id of ids) expect.soft((await talk.listen(id)).status).toBe(400);
  // What is kept can be had by its own ids: those are known to who has got them, so begin with the end.
  work.done("done");
  const key = ids[0]!.split("-")[0]!;
  const rest = await talk.listen(`${key}-13`);
  expect(await rest.messages()).toEqual([words(expect.anything(), "done")]);
});

test("case HTTP-20 G3 keeps the last hundred complete streams", async () => {
  using talk = await HttpTalk.open(shop.url);
  for (let at = 0; at < 120; at++)
    expect(await (await talk.call("echo", { message: `${at}` }, { progressToken: at })).closed).toBe("ended");
  for (const [key, status] of [
    [1, 405],
    [20, 405],
    [21, 200],
    [120, 200],
  ] as const) {
    const again = await talk.listen(`${key}-0`);
    expect.soft([key, again.status]).toEqual([key, status]);
    if (status === 200) expect.soft((await again.messages()).map(textOf)).toEqual([`${key - 1}`]);
  }
});

test("case HTTP-20 RESUME-05 keeps the events of open and standing streams, however many streams end meanwhile", async () => {
  await using shop = await startWorkshop();
  using talk = await HttpTalk.open(shop.url);
  const standing = await talk.listen();
  shop.server.prompts.add(prompt({ name: "first", get: () => "" }));
  const first = await idOf(standing);
  shop.server.prompts.add(prompt({ name: "second", get: () => "" }));
  await idOf(standing);
  await lose(standing, shop);
  const { work, ids } = await lost(talk, "it", shop);
  const { work: away, ids: seen } = await lost(talk, "away", shop);
  away.done("nobody has got it");
  for (let at = 0; at < 120; at++) await (await talk.call("echo", { message: `${at}` }, { progressToken: at })).closed;
  work.done("done");
  expect(steps(await (await talk.listen(ids[0])).messages())).toEqual([2, 3, "done"]);
  expect((await (await talk.listen(seen[2])).messages()).map(textOf)).toEqual(["nobody has got it"]);
  const again = await talk.listen(first);
  expect([again.status, await idOf(again)]).toEqual([200, after(first, 1)]);
});

test("case HTTP-20 case HTTP-18 replaces the reader of a resumed stream, and sends no event twice", async () => {
  using talk = await HttpTalk.open(shop.url);
  const first = await talk.call("work", {}, { progressToken: 1 });
  const { ctx, done } = await shop.work("it");
  ctx.progress(1);
  const prime = await first.event();
  const { id } = await first.event();
  const second = await talk.listen(id);
  expect(await first.closed).toBe("ended");
  expect(first.waiting).toEqual([]);
  ctx.progress(2);
  done("done");
  expect(steps(await second.messages())).toEqual([2, "done"]);
  expect(prime.data).toBe("");
  expect(shop.http.counts()).toMatchObject({ streams: 0, running: 0 });
});

// ── letting go ────────────────────────────────────────────────────────────────────────────────────────────────────

describe("with streams that the server closes after a while", () => {
  let shop: Workshop;

  beforeAll(async () => {
    shop = await startWorkshop({ http: { streamMs: 300, retryMs: 50, silentMs: 300, keepAliveMs: 100 } });
  });

  afterAll(() => shop[Symbol.asyncDispose]());

  test.concurrent("HTTP-24 HTTP-25 RESUME-01 2025-11-25: closes the connection after a priming event, and lets the client resume repeatedly", async () => {
    using talk = await HttpTalk.open(shop.url);
    let answer = await talk.call("work");
    const { ctx, done } = await shop.work("it");
    for (const round of [1, 2]) {
      const { id, retry, data } = await answer.event();
      expect({ retry, data }).toEqual({ retry: "50", data: "" });
      expect([await answer.closed, answer.waiting]).toEqual(["ended", []]);
      expect(ctx.signal.aborted).toBe(false);
      ctx.log.info(round);
      answer = await talk.listen(id);
      expect(await answer.event()).toEqual({ id, retry: "50", data: "" });
      const { data: replyText, id: later } = await answer.event();
      expect(JSON.parse(replyText)).toMatchObject({ params: { data: round } });
      expect(await answer.closed).toBe("ended");
      answer = await talk.listen(later);
    }
    done("done");
    expect((await answer.messages()).map(textOf)).toEqual(["done"]);
  });

  test.concurrent("HTTP-24 RESUME-08 starts the standing stream with a priming event and keeps it open", async () => {
    using talk = await HttpTalk.open(shop.url);
    const standing = await talk.listen();
    expect(await standing.event()).toEqual({ id: "0-0", retry: "50", data: "" });
    await vi.waitFor(() => expect(standing.comments).toBeGreaterThan(3), { timeout: 20_000 });
    expect(await Promise.race([standing.closed, Promise.resolve("open")])).toBe("open");
    standing.drop();
  });

  test.concurrent.each(STATEFUL.slice(1))("HTTP-18 %s: ends no stream before its response", async (revision) => {
    using talk = await HttpTalk.open(shop.url, { revision });
    const answer = await talk.call("work", { name: revision });
    const { done } = await shop.work(revision);
    const before = answer.comments;
    await vi.waitFor(() => expect(answer.comments).toBeGreaterThan(before + 3), { timeout: 20_000 });
    expect(await Promise.race([answer.closed, Promise.resolve("open")])).toBe("open");
    done("done");
    expect((await answer.messages()).map(textOf)).toEqual(["done"]);
    expect(answer.raw).not.toContain("retry");
  });
});
