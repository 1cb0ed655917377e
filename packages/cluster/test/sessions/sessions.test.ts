// A session over several nodes: each request may reach another one.
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { MemoryBackplane } from "../../src/backplane.ts";
import { cluster } from "../../src/index.ts";
import { defineServer } from "@oarlock/server-kit";
import { serveHttp } from "@oarlock/server-kit/node";
import { HttpTalk, textOf } from "../../../server-kit/test/support/http-talk.ts";
import { Nodes, RovingTalk } from "../support/nodes.ts";
import { eventually, note, request, STATEFUL } from "../../../server-kit/test/support/sample.ts";
import { BOARD, principals } from "../../../server-kit/test/support/workshop.ts";

let nodes: Nodes;

beforeAll(async () => {
  nodes = await Nodes.start(3);
});

afterAll(() => nodes[Symbol.asyncDispose]());

describe.each(STATEFUL)("in %s", (revision) => {
  test("each node serves the requests of a session that another one opened", async () => {
    using talk = await RovingTalk.open(nodes, { revision });
    for (let at = 0; at < 7; at++) {
      const answer = await talk.call("echo", { message: `${at}` });
      expect([answer.status, textOf(await answer.json())]).toEqual([200, `${at}`]);
    }
  });

  test("a session ends on all nodes", async () => {
    using talk = await RovingTalk.open(nodes, { revision });
    for (const node of [0, 1, 2]) expect((await talk.post(request("p", "ping"), node)).status).toBe(200);
    const work = talk.call("work", { name: revision }, undefined, 1);
    const { ctx } = await nodes.at(1).work(revision);
    expect((await talk.send("DELETE", {}, undefined, 2)).status).toBe(204);
    await eventually(() => ctx.signal.aborted).toBe(true);
    await (await work).text();
    for (const node of [0, 1, 2]) expect((await talk.post(request("p", "ping"), node)).status).toBe(404);
  });
});

test("the answer to initialize comes after the session is stored", async () => {
  for (const node of [0, 1, 2]) {
    using talk = await HttpTalk.open(nodes.at(node).url, { ready: false });
    const elsewhere = nodes.at(node + 1).url;
    expect((await talk.send("POST", {}, note("notifications/initialized"), elsewhere)).status).toBe(202);
  }
});

test("a node answers 404 to ids that no session has", async () => {
  using talk = await RovingTalk.open(nodes);
  using stranger = await HttpTalk.open(nodes.at(0).url);
  const answer = await stranger.send("POST", { "mcp-session-id": `${talk.id}x` }, request(1, "ping"), nodes.at(1).url);
  expect([answer.status, await answer.json()]).toEqual([404, { jsonrpc: "2.0", error: expect.anything() }]);
});

test("the sessions of another principal do not exist, on no node", async () => {
  const auth = principals({ "token-of-anna": "anna", "token-of-bert": "bert" });
  await using guarded = await Nodes.start(3, { auth });
  using anna = await RovingTalk.open(guarded, { token: "token-of-anna" });
  using bert = await HttpTalk.open(guarded.at(0).url, { token: "token-of-bert" });
  expect((await anna.post(request(1, "ping"), 1)).status).toBe(200);
  for (const node of guarded.all) {
    for (const method of ["POST", "GET", "DELETE"]) {
      const body = method === "POST" ? request(1, "ping") : undefined;
      expect.soft((await bert.send(method, { "mcp-session-id": anna.id }, body, node.url)).status).toBe(404);
    }
  }
  expect((await anna.post(request(1, "ping"), 2)).status).toBe(200);
});

test("a log level holds on the nodes that did not get it", async () => {
  using talk = await RovingTalk.open(nodes);
  expect((await talk.post(request(1, "ping"), 2)).status).toBe(200);
  expect((await (await talk.post(request(2, "logging/setLevel", { level: "error" }), 1)).json()).result).toEqual({});
  for (const node of [0, 2]) {
    const call = talk.call("work", { name: "level" }, undefined, node);
    const { ctx, done } = await nodes.at(node).work("level");
    ctx.log.info("too low");
    ctx.log.error("high enough");
    done("done");
    const messages = await (await call).messages();
    expect.soft(messages.map(({ params }) => (params as { data?: unknown } | undefined)?.data)).toEqual(["high enough", undefined]);
  }
});

test("changes of a session from several nodes at once are all kept", async () => {
  using talk = await RovingTalk.open(nodes);
  const levels = ["debug", "warning", "error"];
  for (let round = 0; round < 5; round++) {
    const answers = await Promise.all([
      ...levels.map((level, node) => talk.post(request(`${level} ${round}`, "logging/setLevel", { level }), node)),
      talk.post(request(`s ${round}`, "resources/subscribe", { uri: BOARD }), round),
    ]);
    for (const answer of answers) expect((await answer.json()).result).toEqual({});
  }
});

test("no session id is stored", async () => {
  const world = new MemoryBackplane();
  const keys: string[] = [];
  const put = world.put.bind(world);
  world.put = (key, text, options) => (keys.push(key, text), put(key, text, options));
  await using few = await Nodes.start(2, {}, async () => world);
  using talk = await RovingTalk.open(few);
  await (await talk.call("echo", { message: "x" })).json();
  expect(keys.filter((text) => text.startsWith("s:"))).not.toEqual([]);
  expect(keys.filter((text) => text.includes(talk.id))).toEqual([]);
});

test("a plain call writes nothing to the log, and takes one round trip", async () => {
  using talk = await RovingTalk.open(nodes);
  const { link } = nodes.at(0);
  await (await talk.call("echo", { message: "first" }, undefined, 0)).json();
  const before = { ...link.calls };
  await (await talk.call("echo", { message: "second" }, undefined, 0)).json();
  expect((link.calls["touch"] ?? 0) - (before["touch"] ?? 0)).toBe(1);
  for (const name of ["get", "append", "read", "subscribe", "publish"]) expect.soft([name, link.calls[name]]).toEqual([name, before[name]]);
});

test("a node forgets a session that it no longer serves, and serves it again", async () => {
  await using few = await Nodes.start(2, { nodeTimes: { lingerMs: 100 } });
  using talk = await RovingTalk.open(few);
  await eventually(() => few.all.map((node) => node.http.counts().sessions)).toEqual([0, 0]);
  expect(textOf(await (await talk.call("echo", { message: "again" })).json())).toBe("again");
});

test("without the backplane sessions get 503 and a time, and go on once it is back", async () => {
  await using few = await Nodes.start(2);
  using talk = await RovingTalk.open(few);
  for (const { link } of few.all) link.cut();
  for (const node of [0, 1]) {
    for (const send of [() => talk.call("echo", { message: "x" }, undefined, node), () => talk.listen(undefined, node)]) {
      const answer = await send();
      expect
        .soft([answer.status, answer.headers["retry-after"], await answer.json()])
        .toEqual([503, "1", { jsonrpc: "2.0", error: expect.anything() }]);
    }
  }
  for (const { link } of few.all) link.heal();
  for (const node of [0, 1]) expect((await talk.call("echo", { message: "x" }, undefined, node)).status).toBe(200);
});

test("an initialize without the backplane opens no session", async () => {
  await using few = await Nodes.start(1);
  using talk = await HttpTalk.open(few.at(0).url);
  few.at(0).link.cut();
  const message = request(1, "initialize", { protocolVersion: STATEFUL[0], capabilities: {}, clientInfo: { name: "c", version: "1" } });
  const answer = await talk.send("POST", { "mcp-session-id": undefined }, message);
  expect([answer.status, answer.headers["mcp-session-id"]]).toEqual([503, undefined]);
  expect(few.at(0).http.counts().sessions).toBe(1);
});

test("refuses to serve the transport of 2024-11-05 in a cluster", async () => {
  const server = defineServer({ name: "old", version: "1" });
  const served = serveHttp(server, { port: 0, legacySse: true, cluster: cluster({ backplane: new MemoryBackplane() }) });
  await expect(served).rejects.toThrow(
    new TypeError("HTTP+SSE cannot be served in a cluster: its clients are bound to one node. Leave out either of the two."),
  );
});

test("G3 stores of initialize only what another node needs", async () => {
  const world = new MemoryBackplane();
  const put = vi.spyOn(world, "put");
  await using nodes = await Nodes.start(2, {}, async () => world);
  const long = "x".repeat(100_000);
  const capabilities = { elicitation: {}, experimental: { long }, long };
  using talk = await RovingTalk.open(nodes, { capabilities });
  const stored = put.mock.calls.filter(([key]) => key.startsWith("s:")).map(([, text]) => text);
  expect(stored.length).toBeGreaterThan(0);
  expect(Math.max(...stored.map(({ length }) => length))).toBeLessThan(1000);
  const call = talk.call("work", {}, undefined, 1);
  const { ctx, done } = await nodes.at(1).work("it");
  expect([ctx.client.name, ctx.client.can("elicit"), ctx.client.can("roots")]).toEqual(["talk", true, false]);
  done("done");
  expect((await call).status).toBe(200);
});
