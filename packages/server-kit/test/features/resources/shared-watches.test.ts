// Watches over every transport: one for each resource, however many clients have subscribed to it.
import { expect, test, vi } from "vitest";
import { defineServer, resource, resourceNotFound, type ServerSpec, type StopWatching } from "../../../src/index.ts";
import { serveHttp } from "../../../src/node.ts";
import { HttpPeer, HttpTalk } from "../../support/http-talk.ts";
import { openLegacy } from "../../support/legacy-talk.ts";
import { ModernTalk } from "../../support/modern-talk.ts";
import { eventually, request } from "../../support/sample.ts";
import { asks, posting } from "../../support/stateless-message.ts";
import { openWeb, webShop } from "../../support/web-talk.ts";
import { principals } from "../../support/workshop.ts";

const URI = "a:board";
const UPDATED = { method: "notifications/resources/updated", params: { uri: URI } };
const FILTER = { notifications: { resourceSubscriptions: [URI] } };
const SUBSCRIBE = request("s", "resources/subscribe", { uri: URI });
const UNSUBSCRIBE = request("u", "resources/unsubscribe", { uri: URI });

/** A server with one resource whose watch the test holds in its hands. */
function board(spec: Partial<ServerSpec> = {}) {
  const starts: (() => void)[] = [];
  const stop = vi.fn<() => void>();
  const watch = (changed: () => void): StopWatching => (starts.push(changed), stop);
  const resources = [resource({ uri: URI, name: "board", read: () => "", watch })];
  return { server: defineServer({ name: "board", version: "1", resources, ...spec }), starts, stop };
}

test("shares a watch among the sessions, streams and clients of 2024-11-05 of one HTTP server", async () => {
  const { server, starts, stop } = board();
  const http = await serveHttp(server, { port: 0, graceMs: 0, legacySse: true });
  using first = await HttpTalk.open(http.url);
  using second = await HttpTalk.open(http.url);
  using peer = new HttpPeer(http.url);
  await using legacy = await openLegacy(http);
  await legacy.handshake();
  const standing = [await first.listen(), await second.listen()];
  for (const talk of [first, second]) expect((await talk.post(SUBSCRIBE)).status).toBe(200);
  expect(await legacy.request(SUBSCRIBE)).toHaveProperty("result");
  const message = asks("subscriptions/listen", FILTER);
  const stream = await peer.send("POST", posting(message).headers as Record<string, string>, message);
  await stream.message();
  expect(starts).toHaveLength(1);
  starts[0]?.();
  for (const one of [...standing, legacy.stream, stream]) expect(await one.message()).toMatchObject(UPDATED);
  for (const talk of [first, second]) await talk.post(UNSUBSCRIBE);
  await legacy.request(UNSUBSCRIBE);
  expect(stop).not.toHaveBeenCalled();
  stream.drop();
  await eventually(() => stop.mock.calls.length).toBe(1);
  await first.post(SUBSCRIBE);
  expect(starts).toHaveLength(2);
  for (const one of standing) one.drop();
  await http.stop();
  expect(stop).toHaveBeenCalledTimes(2);
});

test("shares a watch among the sessions of a web-standard handler", async () => {
  const { server, starts, stop } = board();
  await using shop = webShop(server);
  const [first, second] = [await openWeb(shop.handle), await openWeb(shop.handle)];
  for (const send of [first, second]) expect((await send("POST", SUBSCRIBE)).status).toBe(200);
  expect(starts).toHaveLength(1);
  await first("DELETE");
  expect(stop).not.toHaveBeenCalled();
  await second("DELETE");
  await expect.poll(() => stop).toHaveBeenCalledTimes(1);
});

test("shares a watch among the subscriptions on one pipe", async () => {
  const { server, starts, stop } = board();
  await using client = new ModernTalk(server);
  for (const id of [1, 2]) {
    client.begin("subscriptions/listen", FILTER, id);
    await client.until(() => client.newsOf(id).length > 0);
  }
  expect(starts).toHaveLength(1);
  starts[0]?.();
  await client.until(() => client.heard(UPDATED.method).length === 2);
  client.note("notifications/cancelled", { requestId: 1 });
  await client.settled();
  expect(stop).not.toHaveBeenCalled();
  client.note("notifications/cancelled", { requestId: 2 });
  await client.settled();
  expect(stop).toHaveBeenCalledTimes(1);
});

test("checks each client before it shares a watch, and watches each source once", async () => {
  const starts: string[] = [];
  const secret = resource({
    uri: URI,
    name: "board",
    read: () => "",
    subscribe({ auth }, uri) {
      if (auth?.principal === "mallory") throw resourceNotFound(uri);
      return auth?.principal ?? "nobody";
    },
    watch: (_changed, _uri, principal) => (starts.push(principal), () => undefined),
  });
  const { server } = board({ resources: [secret] });
  const http = await serveHttp(server, { port: 0, graceMs: 0, auth: principals({ a: "anna", b: "bert", m: "mallory" }) });
  const answers: unknown[] = [];
  for (const token of ["a", "a", "b", "m"]) {
    using talk = await HttpTalk.open(http.url, { token });
    answers.push(await (await talk.post(SUBSCRIBE)).json());
  }
  expect(answers).toMatchObject([{ result: {} }, { result: {} }, { result: {} }, { error: { code: -32002 } }]);
  expect(starts).toEqual(["anna", "bert"]);
  await http.stop();
});

test("starts a watch anew after one that could not start, and after its resource was replaced", async () => {
  let isReady = false;
  const fail = (): StopWatching => {
    if (!isReady) throw new Error("not ready");
    return () => undefined;
  };
  const { server, starts } = board({ resources: [resource({ uri: URI, name: "board", read: () => "", watch: fail })] });
  await using shop = webShop(server);
  const send = await openWeb(shop.handle);
  const others = [await openWeb(shop.handle), await openWeb(shop.handle)];
  const subscribe = async (one: typeof send): Promise<unknown> => (await one("POST", SUBSCRIBE)).json();
  expect(await Promise.all([send, others[0]!].map(subscribe))).toMatchObject([{ error: {} }, { error: {} }]);
  isReady = true;
  expect(await subscribe(send)).toHaveProperty("result");
  server.resources.remove(URI);
  server.resources.add(resource({ uri: URI, name: "board", read: () => "", watch: (changed) => (starts.push(changed), () => undefined) }));
  expect(await subscribe(others[1]!)).toHaveProperty("result");
  expect(starts).toHaveLength(1);
});
