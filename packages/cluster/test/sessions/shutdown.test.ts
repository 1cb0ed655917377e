// Nodes that end: in order, so that their clients notice nothing, or by a cut.
import { expect, test } from "vitest";
import type { Json } from "@oarlock/server-kit/protocol";
import { initialize, textOf } from "../../../server-kit/test/support/http-talk.ts";
import { Nodes, QUICK, RovingTalk } from "../support/nodes.ts";
import { call, eventually } from "../../../server-kit/test/support/sample.ts";

const HEADERS = { accept: "application/json, text/event-stream", "content-type": "application/json" };

test("a node that stops lets its streams go, ends the call in time, and the client resumes elsewhere", async () => {
  await using nodes = await Nodes.start(2, { graceMs: 10_000 });
  using talk = await RovingTalk.open(nodes);
  const standing = await talk.listen(undefined, 0);
  await standing.event();
  const stream = await talk.call("work", { name: "long" }, { progressToken: 1 }, 0);
  const { ctx, done } = await nodes.at(0).work("long");
  await stream.event();
  ctx.progress(1);
  await stream.event();
  const stopped = nodes.at(0).http.stop();
  const { id, retry, data } = await stream.event();
  expect([Number(retry) > 0 && Number(retry) <= 1000, data]).toEqual([true, ""]);
  expect([await stream.closed, await standing.closed]).toEqual(["ended", "ended"]);
  const again = await talk.listen(id, 1);
  ctx.progress(2);
  expect((await again.message())["params"]).toMatchObject({ progress: 2 });
  done("done");
  expect((await again.messages()).map(textOf)).toEqual(["done"]);
  await stopped;
  expect(textOf(await (await talk.call("echo", { message: "on" }, undefined, 1)).json())).toBe("on");
});

test("a node that stops serves a request whose session it is still looking up", async () => {
  await using nodes = await Nodes.start(2, { graceMs: 10_000 });
  using talk = await RovingTalk.open(nodes);
  const { link, url, http } = nodes.at(0);
  const { promise, resolve } = Promise.withResolvers<void>();
  link.waitsFor = promise;
  const { touch: touches = 0 } = link.calls;
  const call = talk.call("echo", { message: "late" }, undefined, 0);
  await eventually(() => link.calls["touch"]).toBe(touches + 1);
  const stopped = http.stop();
  await expect(fetch(url)).rejects.toThrow("fetch failed");
  resolve();
  expect(textOf(await (await call).json())).toBe("late");
  await stopped;
});

test("a node that stops opens the session that a client has asked for", async () => {
  await using nodes = await Nodes.start(2, { graceMs: 10_000 });
  const { link, http, url } = nodes.at(0);
  const { promise, resolve } = Promise.withResolvers<void>();
  link.waitsFor = promise;
  const { get: gets = 0 } = link.calls;
  const opening = fetch(url, { method: "POST", headers: HEADERS, body: JSON.stringify(initialize()) });
  await eventually(() => link.calls["get"]).toBeGreaterThan(gets);
  link.waitsFor = undefined;
  const stopped = http.stop();
  await expect(fetch(url)).rejects.toThrow("fetch failed");
  // Longer than a node without requests keeps its connections.
  setTimeout(resolve, 800);
  const { status, headers } = await opening;
  await stopped;
  const session = { ...HEADERS, "mcp-session-id": headers.get("mcp-session-id") ?? "" };
  const found = await fetch(nodes.at(1).url, {
    method: "POST",
    headers: session,
    body: JSON.stringify(call(1, "echo", { message: "on" })),
  });
  expect([status, textOf((await found.json()) as Json)]).toEqual([200, "on"]);
});

test("a call that takes longer than the grace time ends with an error, with a stream or without", async () => {
  await using nodes = await Nodes.start(2, { graceMs: 100 });
  using talk = await RovingTalk.open(nodes);
  const plain = talk.call("work", { name: "plain" }, undefined, 0);
  await nodes.at(0).work("plain");
  const stream = await talk.call("work", { name: "stream" }, { progressToken: 1 }, 0);
  const { id } = await stream.event();
  await nodes.at(0).work("stream");
  const stopped = nodes.at(0).http.stop();
  await stream.closed;
  const again = await talk.listen(id, 1);
  const gone = { error: { code: -32603 } };
  expect(await (await plain).json()).toMatchObject(gone);
  expect(await again.messages()).toMatchObject([gone]);
  await stopped;
});

test("a node that loses its lease lets its streams go and serves on under a new name", async () => {
  await using nodes = await Nodes.start(2, { nodeTimes: QUICK });
  using talk = await RovingTalk.open(nodes);
  const stream = await talk.call("work", { name: "lost" }, { progressToken: 1 }, 0);
  const { ctx } = await nodes.at(0).work("lost");
  const { id } = await stream.event();
  const plain = talk.call("work", { name: "plain" }, undefined, 0);
  const { done } = await nodes.at(0).work("plain");
  nodes.at(0).link.cut();
  await stream.closed;
  await eventually(() => ctx.signal.aborted).toBe(true);
  // A call without a stream cannot continue elsewhere: it is answered.
  done("done");
  expect(textOf(await (await plain).json())).toBe("done");
  expect(await (await talk.listen(id, 1)).messages()).toMatchObject([{ error: { code: -32603 } }]);
  nodes.at(0).link.heal();
  await eventually(async () => (await talk.call("echo", { message: "back" }, undefined, 0)).status).toBe(200);
  const next = await talk.call("work", { name: "next" }, { progressToken: 2 }, 0);
  const work = await nodes.at(0).work("next");
  work.done("done");
  expect((await next.messages()).map((message: Json) => textOf(message))).toEqual(["done"]);
});
