// A backplane that does not answer for a while: what clients get meanwhile and afterwards.
import { expect, test } from "vitest";
import type { Json } from "@oarlock/server-kit/protocol";
import { textOf } from "../../../server-kit/test/support/http-talk.ts";
import { Nodes, RovingTalk } from "../support/nodes.ts";
import { eventually, request } from "../../../server-kit/test/support/sample.ts";
import { ABLE } from "../../../server-kit/test/support/talk.ts";

/** Times of nodes that outlive the outages here. */
const PATIENT = { leaseMs: 20_000, goneMs: 19_000, renewMs: 200, lingerMs: 5000, responseWaitMs: 10_000 };

test("messages are held back up to a bound, requests to the client without one", async () => {
  await using nodes = await Nodes.start(2, { nodeTimes: PATIENT });
  using talk = await RovingTalk.open(nodes, { capabilities: ABLE });
  const stream = await talk.call("work", {}, { progressToken: 1 }, 0);
  const { ctx, done } = await nodes.at(0).work("it");
  ctx.log.info("before");
  expect((await stream.message())["params"]).toMatchObject({ data: "before" });
  nodes.at(0).link.cut();
  ctx.log.info("first");
  await eventually(() => nodes.at(0).link.calls["read"] ?? 0).toBeGreaterThan(0);
  for (let time = 0; time < 10; time++) ctx.log.info("x".repeat(30_000));
  const roots = ctx.roots();
  nodes.at(0).link.heal();
  const kinds: string[] = [];
  for (;;) {
    const { method, id, params } = await stream.message();
    if (method === "roots/list") {
      await talk.post({ jsonrpc: "2.0", id, result: { roots: [] } }, 1);
      break;
    }
    kinds.push(String((params as Json)["data"]).slice(0, 1));
  }
  expect(await roots).toEqual([]);
  done("done");
  expect((await stream.messages()).map(textOf)).toEqual(["done"]);
  // 64 KB and what made it too much.
  expect(kinds).toEqual(["f", "x", "x", "x"]);
});

test("a call that runs is answered while the backplane is away", async () => {
  await using nodes = await Nodes.start(1, { nodeTimes: PATIENT });
  using talk = await RovingTalk.open(nodes);
  const call = talk.call("work", {}, undefined, 0);
  const { done } = await nodes.at(0).work("it");
  nodes.at(0).link.cut();
  done("done");
  expect(textOf(await (await call).json())).toBe("done");
});

test.each(["before", "after"] as const)(
  "a change that cannot be stored is refused (cut %s it takes effect), and the node goes on with what is stored",
  async (at) => {
    await using nodes = await Nodes.start(2, { nodeTimes: PATIENT });
    using talk = await RovingTalk.open(nodes);
    await (await talk.post(request(1, "logging/setLevel", { level: "error" }), 0)).json();
    const { link } = nodes.at(0);
    const pass = link.put.bind(link);
    link.put = (key, text, options) => {
      if (key.startsWith("s:")) link.cut(at);
      return pass(key, text, options);
    };
    const refused = await talk.post(request(2, "logging/setLevel", { level: "debug" }), 0);
    expect([refused.status, refused.headers["retry-after"]]).toEqual([503, "1"]);
    link.put = pass;
    link.heal();
    const seen: boolean[] = [];
    for (const node of [0, 1]) {
      const call = talk.call("work", { name: `${node}` }, undefined, node);
      const { ctx, done } = await nodes.at(node).work(`${node}`);
      ctx.log.info("a note");
      done("done");
      seen.push((await (await call).text()).includes("a note"));
    }
    // Both nodes agree, whether the change took effect or not.
    expect(seen).toEqual(at === "after" ? [true, true] : [false, false]);
  },
);

test("a node that starts before its backplane answers serves sessions once it does", async () => {
  await using nodes = await Nodes.start(2, { nodeTimes: PATIENT });
  using talk = await RovingTalk.open(nodes);
  nodes.at(1).link.cut();
  expect((await talk.post(request(1, "ping"), 1)).status).toBe(503);
  nodes.at(1).link.heal();
  expect((await talk.post(request(2, "ping"), 1)).status).toBe(200);
});

test("a stream begins together with the event that a client can resume it from", async () => {
  await using nodes = await Nodes.start(1, { nodeTimes: PATIENT });
  using talk = await RovingTalk.open(nodes, { revision: "2025-11-25" });
  const { link } = nodes.at(0);
  const append = link.append.bind(link);
  const reached = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  link.append = async (key, addition) => {
    reached.resolve();
    await released.promise;
    return append(key, addition);
  };
  let hasBegun = false;
  const call = talk.call("work", {}, { progressToken: 1 }, 0).finally(() => (hasBegun = true));
  const { done } = await nodes.at(0).work("it");
  await reached.promise;
  // Enough turns for headers to arrive that had left.
  await talk.post(request(2, "ping"), 0);
  expect(hasBegun).toBe(false);
  released.resolve();
  const stream = await call;
  expect((await stream.event()).id).toBe("1-1");
  done("done");
  expect((await stream.messages()).map(textOf)).toEqual(["done"]);
});

test.each(["the writer", "the reader"])(
  "a response that overtakes a slow backplane comes after all messages of its stream, each once, when only %s can read the log",
  async (reading) => {
    await using nodes = await Nodes.start(1, { nodeTimes: { ...PATIENT, responseWaitMs: 100 } });
    using talk = await RovingTalk.open(nodes);
    const stream = await talk.call("work", {}, { progressToken: 1 }, 0);
    const { ctx, done } = await nodes.at(0).work("it");
    ctx.log.info("before");
    expect((await stream.message())["params"]).toMatchObject({ data: "before" });
    const { link } = nodes.at(0);
    const [append, read] = [link.append.bind(link), link.read.bind(link)];
    const areAsking = Promise.withResolvers<void>();
    const isAnswering = Promise.withResolvers<void>();
    // The message is stored, and the answer is lost.
    link.append = async (key, addition) => {
      link.append = async (...next) => isAnswering.promise.then(() => append(...next));
      await append(key, addition);
      throw new Error("no answer");
    };
    let reads = 0;
    link.read = async (...asked) => {
      // The reader asks first.
      const isReader = ++reads !== 2;
      if (reads === 2) areAsking.resolve();
      if (isReader !== (reading === "the reader")) await isAnswering.promise;
      return read(...asked);
    };
    ctx.log.info("stored");
    await areAsking.promise;
    ctx.log.info("waiting");
    done("done");
    let hasEnded = false;
    const rest = stream.messages().finally(() => (hasEnded = true));
    await new Promise((resolve) => setTimeout(resolve, 300)); // longer than the response waits
    expect(hasEnded).toBe(false);
    isAnswering.resolve();
    const messages = await rest;
    expect(messages.slice(0, -1).map(({ params }) => (params as Json)["data"])).toEqual(["stored", "waiting"]);
    expect(textOf(messages.at(-1)!)).toBe("done");
  },
);
