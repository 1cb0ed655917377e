// Client requests over several nodes: the response of the client reaches the node that asked, whichever node it was sent to.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import type { InteractiveContext } from "@oarlock/server-kit";
import type { Json } from "@oarlock/server-kit/protocol";
import { textOf } from "../../../server-kit/test/support/http-talk.ts";
import { Nodes, RovingTalk } from "../support/nodes.ts";
import { cancel, eventually, request, result, STATEFUL } from "../../../server-kit/test/support/sample.ts";
import { ABLE } from "../../../server-kit/test/support/talk.ts";

let nodes: Nodes;

beforeAll(async () => {
  nodes = await Nodes.start(3);
});

afterAll(() => nodes[Symbol.asyncDispose]());

const spoken: Json = { role: "assistant", model: "m", content: { type: "text", text: "Hi." } };

/** Each kind of request, the response of the client, and what the handler gets. */
const KINDS: [kind: string, method: string, request: (ctx: InteractiveContext) => Promise<unknown>, response: Json, got: unknown][] = [
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
    spoken,
    spoken,
  ],
  ["roots", "roots/list", ({ roots }) => roots(), { roots: [{ uri: "file:///home" }] }, [{ uri: "file:///home" }]],
];

describe.each(STATEFUL)("in %s", (revision) => {
  const able = KINDS.filter(([kind]) => kind !== "elicitation" || revision >= "2025-06-18");

  test.each(able)("%s is answered through another node", async (_kind, method, request, response, got) => {
    for (const node of [0, 1, 2]) {
      using talk = await RovingTalk.open(nodes, { revision, capabilities: ABLE });
      const call = talk.call("work", { name: method }, undefined, 0);
      const { ctx, done } = await nodes.at(0).work(method);
      const asking = request(ctx);
      const stream = await call;
      const { id, method: asked } = await stream.message();
      expect(asked).toBe(method);
      expect((await talk.post(result(id, response), node)).status).toBe(202);
      expect(await asking).toEqual(got);
      done("done");
      expect((await stream.messages()).map(textOf)).toEqual(["done"]);
    }
  });
});

/** A call on the first node whose handler waits for the client's roots. */
async function asking(
  talk: RovingTalk,
  from = nodes,
  name = "it",
): Promise<{ id: unknown; roots: Promise<unknown>; finish(): Promise<unknown[]> }> {
  const call = talk.call("work", { name }, undefined, 0);
  const { ctx, done } = await from.at(0).work(name);
  const roots = ctx.roots().then(
    (all) => all.map(({ uri }) => uri),
    (error: unknown) => String(error),
  );
  const stream = await call;
  const { id } = await stream.message();
  const finish = async (): Promise<unknown[]> => (done("done"), (await stream.messages()).map(textOf));
  return { id, roots, finish };
}

const listing = (id: unknown, name: string): Json => result(id, { roots: [{ uri: `file:///${name}` }] });

test("the first of several responses counts", async () => {
  using talk = await RovingTalk.open(nodes, { capabilities: ABLE });
  const { id, roots, finish } = await asking(talk);
  const answers = await Promise.all([1, 2, 1].map((node) => talk.post(listing(id, "same"), node)));
  expect(answers.map(({ status }) => status)).toEqual([202, 202, 202]);
  expect(await roots).toEqual(["file:///same"]);
  expect((await talk.post(listing(id, "late"), 2)).status).toBe(202);
  expect(await finish()).toEqual(["done"]);
});

test("two nodes that ask the same client use different ids", async () => {
  using talk = await RovingTalk.open(nodes, { capabilities: ABLE });
  const calls = [0, 1].map((node) => talk.call("work", { name: `id ${node}` }, undefined, node));
  const works = await Promise.all([0, 1].map((node) => nodes.at(node).work(`id ${node}`)));
  const elicit = works.map(({ ctx }) => ctx.elicit({ message: "?", schema: z.object({ n: z.number() }) }));
  const streams = await Promise.all(calls);
  const ids = (await Promise.all(streams.map((stream) => stream.message()))).map(({ id }) => id);
  expect(ids.every((id) => Number.isSafeInteger(id))).toBe(true);
  expect(ids[0]).not.toBe(ids[1]);
  // Each response goes to the third node.
  for (const [at, id] of ids.entries()) await talk.post(result(id, { action: "accept", content: { n: at } }), 2);
  expect(await Promise.all(elicit)).toEqual([0, 1].map((n) => ({ action: "accept", content: { n } })));
  for (const { done } of works) done("done");
});

test("the response from another session does not count, on any node", async () => {
  using anna = await RovingTalk.open(nodes, { capabilities: ABLE });
  using bert = await RovingTalk.open(nodes, { capabilities: ABLE });
  const { id, roots, finish } = await asking(anna);
  for (const node of [0, 1, 2]) expect((await bert.post(listing(id, "forged"), node)).status).toBe(202);
  expect((await anna.post(listing(id, "own"), 1)).status).toBe(202);
  expect(await roots).toEqual(["file:///own"]);
  expect(await finish()).toEqual(["done"]);
});

test("a response that arrives while its node is cut off is found afterwards", async () => {
  await using few = await Nodes.start(2, { nodeTimes: { leaseMs: 10_000, goneMs: 9000 } });
  using talk = await RovingTalk.open(few, { capabilities: ABLE });
  const { id, roots, finish } = await asking(talk, few);
  few.at(0).link.cut();
  expect((await talk.post(listing(id, "meanwhile"), 1)).status).toBe(202);
  expect(await Promise.race([roots, Promise.resolve("waiting")])).toBe("waiting");
  few.at(0).link.heal();
  expect(await roots).toEqual(["file:///meanwhile"]);
  expect(await finish()).toEqual(["done"]);
});

test("a question on a lost stream is replayed on another node, and answered through a third", async () => {
  using talk = await RovingTalk.open(nodes, { capabilities: ABLE });
  const lost = await talk.call("work", { name: "replayed" }, { progressToken: 1 }, 0);
  const { id: from } = await lost.event();
  const { ctx, done } = await nodes.at(0).work("replayed");
  lost.drop();
  const roots = ctx.roots();
  const again = await talk.listen(from, 1);
  const { id } = await again.message();
  await talk.post(result(id, { roots: [] }), 2);
  expect(await roots).toEqual([]);
  done("done");
  expect((await again.messages()).map(textOf)).toEqual(["done"]);
});

test("roots that one node was sent are known to all", async () => {
  using talk = await RovingTalk.open(nodes, { capabilities: ABLE });
  const { id, roots, finish } = await asking(talk);
  await talk.post(listing(id, "home"), 1);
  await roots;
  expect(await finish()).toEqual(["done"]);
  await eventually(async () => {
    const call = talk.call("work", { name: "known" }, undefined, 2);
    const { ctx, done } = await nodes.at(2).work("known");
    done(String(ctx.client.roots?.map(({ uri }) => uri)));
    return textOf(await (await call).json());
  }).toBe("file:///home");
});

describe("cancelling", () => {
  test.each([0, 1, 2])("a call on the first node is cancelled through node %d", async (node) => {
    using talk = await RovingTalk.open(nodes);
    const message = talk.calling("work", { name: "cancelled" });
    const call = talk.post(message, 0);
    const { ctx } = await nodes.at(0).work("cancelled");
    expect((await talk.post(cancel(message["id"]), node)).status).toBe(202);
    expect(await (await call).text()).toBe("");
    expect(ctx.signal.aborted).toBe(true);
  });

  test("a stream of a cancelled call ends without a response, wherever it is read", async () => {
    using talk = await RovingTalk.open(nodes);
    const message = talk.calling("work", { name: "streamed" }, { progressToken: 1 });
    const stream = await talk.post(message, 0);
    const { id } = await stream.event();
    await nodes.at(0).work("streamed");
    const again = await talk.listen(id, 1);
    expect((await talk.post(cancel(message["id"]), 2)).status).toBe(202);
    expect([await again.messages(), await again.closed]).toEqual([[], "ended"]);
    expect((await talk.post(request("p", "ping"))).status).toBe(200);
  });

  test("a cancellation that overtakes its call reaches it", async () => {
    using talk = await RovingTalk.open(nodes);
    await (await talk.post(request("p", "ping"), 0)).json();
    const message = talk.calling("work", { name: "overtaken" });
    const { link } = nodes.at(0);
    const touch = link.touch.bind(link);
    const { promise: cancelled, resolve } = Promise.withResolvers<void>();
    // The call waits on its node until the other node has taken the cancellation.
    link.touch = (key, ttlMs) => cancelled.then(() => touch(key, ttlMs));
    const call = talk.post(message, 0);
    expect((await talk.post(cancel(message["id"]), 1)).status).toBe(202);
    resolve();
    link.touch = touch;
    const { ctx } = await nodes.at(0).work("overtaken");
    expect(await (await call).text()).toBe("");
    expect(ctx.signal.aborted).toBe(true);
  });

  test("a cancellation from another session changes nothing", async () => {
    using anna = await RovingTalk.open(nodes);
    using bert = await RovingTalk.open(nodes);
    const message = anna.calling("work", { name: "hers" });
    const call = anna.post(message, 0);
    const { done } = await nodes.at(0).work("hers");
    for (const node of [0, 1, 2]) await bert.post(cancel(message["id"]), node);
    done("done");
    expect(textOf(await (await call).json())).toBe("done");
  });
});
