// Subscriptions to resources (requirements SUB-*).
import { describe, expect, test } from "vitest";
import { defineServer, resource, type Server, type StopWatching } from "../../src/index.ts";
import { sampleServer } from "../fixtures/sample-server.ts";
import { STATEFUL } from "../support/sample.ts";
import { ABLE, talk } from "../support/talk.ts";

const UPDATED = "notifications/resources/updated";
const TEXT = { uri: "sample://text" };

/** Resources a:0, a:1 … whose watches the test holds in its hands. */
function watched(
  count: number,
  options: { start?: () => Promise<void> } = {},
): { server: Server; fire: (at: number) => void; open: () => string[] } {
  const live = new Map<string, () => void>();
  const resources = Array.from({ length: count }, (_, at) =>
    resource({
      uri: `a:${at}`,
      name: `${at}`,
      read: () => "",
      async watch(changed, uri): Promise<StopWatching> {
        await options.start?.();
        live.set(uri, changed);
        return () => void live.delete(uri);
      },
    }),
  );
  const server = defineServer({ name: "w", version: "1", resources, followsRoots: true, limits: { subscriptions: 3 } });
  return { server, fire: (at) => live.get(`a:${at}`)?.(), open: () => [...live.keys()] };
}

describe.each(STATEFUL)("in %s", (revision) => {
  test("SUB-01 SUB-02 SUB-03 sends updates of a resource until it is unsubscribed", async () => {
    await using client = await talk(sampleServer(), { revision });
    await client.replyText("touch", TEXT);
    expect(await client.result("resources/subscribe", TEXT)).toEqual({});
    expect(client.heard(UPDATED)).toEqual([]);
    await client.replyText("touch", TEXT);
    expect(client.heard(UPDATED)).toEqual([TEXT]);
    expect(await client.result("resources/subscribe", { uri: "sample:///items/beta" })).toEqual({});
    await client.replyText("touch", { uri: "sample:///items/beta" });
    expect(client.heard(UPDATED)).toEqual([TEXT, { uri: "sample:///items/beta" }]);
    expect(await client.result("resources/unsubscribe", TEXT)).toEqual({});
    await client.replyText("touch", TEXT);
    await client.replyText("busy", { ms: 150 });
    expect(client.heard(UPDATED)).toHaveLength(2);
  });
});

test("SUB-03 sends nothing after unsubscribe, not even a delayed update", async () => {
  await using client = await talk(sampleServer());
  await client.result("resources/subscribe", TEXT);
  await client.replyText("touch", { ...TEXT, times: 5 });
  await client.result("resources/unsubscribe", TEXT);
  const heard = client.heard(UPDATED).length;
  await client.replyText("busy", { ms: 250 });
  expect(client.heard(UPDATED)).toHaveLength(heard);
});

test("sends few notifications for 400 quick changes, the last one included", async () => {
  await using client = await talk(sampleServer());
  await client.result("resources/subscribe", TEXT);
  for (let at = 0; at < 40; at++) await client.replyText("touch", { ...TEXT, times: 10 });
  const soon = client.heard(UPDATED).length;
  expect(soon).toBeLessThan(60);
  await client.until(() => client.heard(UPDATED).length > soon);
});

test("SUB-01 counts a repeated subscription once, and accepts unsubscribe without a subscription", async () => {
  const { server, open, fire } = watched(1);
  await using client = await talk(server);
  await Promise.all([client.result("resources/subscribe", { uri: "a:0" }), client.result("resources/subscribe", { uri: "a:0" })]);
  expect(await client.result("resources/subscribe", { uri: "a:0" })).toEqual({});
  fire(0);
  await client.settled();
  expect(client.heard(UPDATED)).toEqual([{ uri: "a:0" }]);
  expect(await client.result("resources/unsubscribe", { uri: "a:0" })).toEqual({});
  expect(await client.result("resources/unsubscribe", { uri: "a:0" })).toEqual({});
  expect(await client.result("resources/unsubscribe", { uri: "nope" })).toEqual({});
  expect(open()).toEqual([]);
});

test("refuses a resource that cannot be subscribed to", async () => {
  await using client = await talk(sampleServer());
  expect(await client.error("resources/subscribe", { uri: "sample://bytes" })).toMatchObject({ code: -32602 });
  expect(await client.error("resources/subscribe", { uri: "sample:///tree/x" })).toMatchObject({ code: -32602 });
  for (const uri of [undefined, null, 1, {}, "x".repeat(9000)]) {
    expect.soft(await client.error("resources/subscribe", { uri })).toMatchObject({ code: -32602 });
    if (typeof uri !== "string") expect.soft(await client.error("resources/unsubscribe", { uri })).toMatchObject({ code: -32602 });
  }
  // A watch that cannot start leaves nothing behind.
  expect(await client.error("resources/subscribe", { uri: "sample:///items/zeta" })).toMatchObject({ code: -32603 });
  expect(await client.error("resources/subscribe", { uri: "sample:///items/zeta" })).toMatchObject({ code: -32603 });
});

test("limits subscriptions, and frees the slot of each that ends", async () => {
  const { server, open } = watched(5);
  await using client = await talk(server);
  for (const at of [0, 1, 2]) await client.result("resources/subscribe", { uri: `a:${at}` });
  expect(await client.error("resources/subscribe", { uri: "a:3" })).toMatchObject({ code: -32602, message: expect.stringContaining("3") });
  await client.result("resources/unsubscribe", { uri: "a:1" });
  await client.result("resources/subscribe", { uri: "a:3" });
  expect(open()).toEqual(["a:0", "a:2", "a:3"]);
});

test("stops all watches with the connection", async () => {
  const { server, open } = watched(3);
  {
    await using client = await talk(server);
    for (const at of [0, 1, 2]) await client.result("resources/subscribe", { uri: `a:${at}` });
    expect(open()).toHaveLength(3);
  }
  expect(open()).toEqual([]);
});

test("stops a watch at once that starts after its end", async () => {
  const gate = Promise.withResolvers<void>();
  const { server, open, fire } = watched(1, { start: () => gate.promise });
  await using client = await talk(server);
  const id = client.begin("resources/subscribe", { uri: "a:0" });
  await client.result("resources/unsubscribe", { uri: "a:0" });
  gate.resolve();
  expect(await client.answer(id)).toHaveProperty("result");
  fire(0);
  await client.settled();
  expect(open()).toEqual([]);
  expect(client.heard(UPDATED)).toEqual([]);
});

describe("when the client's roots change", () => {
  const roots = { "roots/list": () => ({ roots: [{ uri: "file:///a" }] }) };

  test("starts watches again, and keeps ended ones stopped", async () => {
    const gates: Promise<void>[] = [];
    const { server, open, fire } = watched(3, { start: async () => gates[0] });
    await using client = await talk(server, { capabilities: ABLE, answers: roots });
    await client.until(({ method }) => method === "roots/list");
    for (const at of [0, 1, 2]) await client.result("resources/subscribe", { uri: `a:${at}` });
    const { promise, resolve } = Promise.withResolvers<void>();
    gates.push(promise);
    client.received.length = 0;
    client.note("notifications/roots/list_changed");
    await client.until(({ method }) => method === "roots/list");
    await client.settled();
    await client.result("resources/unsubscribe", { uri: "a:1" });
    resolve();
    await client.until(({ method }) => method === "notifications/resources/list_changed");
    expect(open().sort()).toEqual(["a:0", "a:2"]);
    for (const at of [0, 1, 2]) fire(at);
    // A renewed watch has notified once already, so that a change in between is not lost; the next notification waits.
    const updated = () => new Set(client.heard(UPDATED).map((params) => JSON.stringify(params)));
    await expect.poll(updated).toEqual(new Set(['{"uri":"a:2"}', '{"uri":"a:0"}']));
  });

  test("ends only the subscription of a resource that disappears", async () => {
    const { server, open } = watched(2);
    await using client = await talk(server, { capabilities: ABLE, answers: roots });
    await client.result("resources/subscribe", { uri: "a:0" });
    await client.result("resources/subscribe", { uri: "a:1" });
    server.resources.remove("a:0");
    await client.settled();
    client.received.length = 0;
    client.note("notifications/roots/list_changed");
    await client.until(({ method }) => method === "notifications/resources/list_changed");
    expect(open()).toEqual(["a:1"]);
  });
});
