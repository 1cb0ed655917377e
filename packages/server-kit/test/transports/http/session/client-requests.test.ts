// Questions of a handler go out on the stream of their own call, and only answers from the same session count.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import type { InteractiveContext } from "../../../../src/index.ts";
import { NEWEST_HANDSHAKE, type Json } from "../../../../src/protocol.ts";
import { HttpTalk, textOf } from "../../../support/http-talk.ts";
import { eventually, result, STATEFUL } from "../../../support/sample.ts";
import { ABLE } from "../../../support/talk.ts";
import { startWorkshop, type Workshop } from "../../../support/workshop.ts";

let shop: Workshop;

beforeAll(async () => {
  shop = await startWorkshop();
});

afterAll(() => shop[Symbol.asyncDispose]());

const replyText = (text: string): Json => ({ role: "assistant", model: "m", content: { type: "text", text } });

/** Each kind of question, the answer that a client gives, and what the handler gets. */
const QUESTIONS: [kind: string, method: string, request: (ctx: InteractiveContext) => Promise<unknown>, answer: Json, got: unknown][] = [
  [
    "elicitation",
    "elicitation/create",
    ({ elicit }) => elicit({ message: "Sure?", schema: z.object({ sure: z.boolean() }) }),
    { action: "accept", content: { sure: true } },
    { action: "accept", content: { sure: true } },
  ],
  [
    "sampling",
    "sampling/createMessage",
    ({ sample }) => sample({ messages: [{ role: "user", content: { type: "text", text: "Hello?" } }], maxTokens: 9 }),
    replyText("Hi."),
    replyText("Hi."),
  ],
  ["roots", "roots/list", ({ roots }) => roots(), { roots: [{ uri: "file:///home" }] }, [{ uri: "file:///home" }]],
];

describe.each(STATEFUL)("in %s", (revision) => {
  const able = QUESTIONS.filter(([kind]) => kind !== "elicitation" || revision >= "2025-06-18");

  test.each(able)("HTTP-19 HTTP-35 HTTP-37 sends %s on the stream of its call only", async (_kind, method, request, answer, got) => {
    using talk = await HttpTalk.open(shop.url, { revision, capabilities: ABLE });
    const standing = await talk.listen();
    const calls = ["a", "b"].map((name) => talk.call("work", { name }));
    const works = [await shop.work("a"), await shop.work("b")];
    const asking = request(works[0]!.ctx);
    const stream = await calls[0]!;
    const { id, method: asked } = await stream.message();
    expect(asked).toBe(method);
    expect((await talk.post(result(id, answer))).status).toBe(202);
    expect(await asking).toEqual(got);
    for (const { done } of works) done("done");
    expect((await stream.messages()).map(textOf)).toEqual(["done"]);
    expect((await calls[1]!).type).toBe("application/json");
    expect(standing.waiting.filter(({ data }) => data !== "")).toEqual([]);
    standing.drop();
  });
});

test("case HTTP-32 H5 keeps answers apart for the same id of a client request in two sessions", async () => {
  const talks = await Promise.all(["a", "b"].map(() => HttpTalk.open(shop.url, { capabilities: ABLE })));
  const calls = talks.map((talk, at) => talk.call("work", { name: `${at}` }));
  const works = await Promise.all([shop.work("0"), shop.work("1")]);
  const got = works.map(({ ctx }) => ctx.roots());
  const streams = await Promise.all(calls);
  const ids = (await Promise.all(streams.map((stream) => stream.message()))).map(({ id }) => id);
  expect(ids[0]).toBe(ids[1]);
  // Both answers come by the second session: the first one's question stays open.
  const answer = (name: string): Json => result(ids[0], { roots: [{ uri: `file:///${name}` }] });
  expect((await talks[1]!.post(answer("b"))).status).toBe(202);
  expect((await talks[1]!.post(answer("forged"))).status).toBe(202);
  expect(await got[1]).toEqual([{ uri: "file:///b" }]);
  expect(await Promise.race([got[0], Promise.resolve("open")])).toBe("open");
  expect((await talks[0]!.post(answer("a"))).status).toBe(202);
  expect(await got[0]).toEqual([{ uri: "file:///a" }]);
  for (const { done } of works) done("done");
  expect((await Promise.all(streams.map((stream) => stream.messages()))).flat().map(textOf)).toEqual(["done", "done"]);
  for (const talk of talks) talk[Symbol.dispose]();
});

test("HTTP-28 RESUME-05 replays an elicitation of a lost stream, and accepts its answer", async () => {
  using talk = await HttpTalk.open(shop.url, { revision: NEWEST_HANDSHAKE, capabilities: ABLE });
  const lost = await talk.call("work", {}, { progressToken: 1 });
  const { id: from } = await lost.event();
  const { ctx, done } = await shop.work("it");
  lost.drop();
  await eventually(() => shop.http.counts().streams).toBe(0);
  const roots = ctx.roots();
  const again = await talk.listen(from);
  const { id, method } = await again.message();
  expect(method).toBe("roots/list");
  await talk.post(result(id, { roots: [] }));
  expect(await roots).toEqual([]);
  done("done");
  expect((await again.messages()).map(textOf)).toEqual(["done"]);
});

test("case HTTP-19 aborts the handler on DELETE during an elicitation, and leaves nothing behind", async () => {
  using talk = await HttpTalk.open(shop.url, { capabilities: ABLE });
  const call = talk.call("work");
  const { ctx } = await shop.work("it");
  const roots = ctx.roots().then(
    () => "answered",
    () => "refused",
  );
  const stream = await call;
  await stream.message();
  expect((await talk.end()).status).toBe(204);
  expect([await roots, ctx.signal.aborted, await stream.closed, await stream.messages()]).toEqual(["refused", true, "ended", []]);
  await eventually(() => shop.http.counts()).toMatchObject({ streams: 0, running: 0 });
});
