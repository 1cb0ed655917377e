// ChangeNotification in both eras, from a server of the kit over each transport: by iterator, by callback, by subscription.
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { defineServer, linkMemory, resource, tool } from "@oarlock/server-kit";
import { serveHttp } from "@oarlock/server-kit/node";
import { findRevision, NEWEST_HANDSHAKE, REVISIONS } from "@oarlock/server-kit/protocol";
import { connect, type Client, type ConnectOptions, type ChangeNotification } from "@oarlock/client";
import { sample } from "../fixtures/sample.ts";
import { meet } from "../support/scripted-peer.ts";

type Way = (options: ConnectOptions) => Promise<Client & { end?: () => Promise<void> }>;

const WAYS: Record<string, Way> = {
  "in memory": (options) => connect(linkMemory(sample()), options),
  "over stdio": (options) =>
    connect(
      {
        command: process.execPath,
        args: ["--conditions=oarlock-source", fileURLToPath(new URL("../fixtures/sample-stdio.ts", import.meta.url))],
      },
      options,
    ),
  async "over HTTP"(options) {
    const { url, stop } = await serveHttp(sample(), { port: 0 });
    return Object.assign(await connect({ url }, options), { end: stop });
  },
};

const CELLS = Object.keys(WAYS).flatMap((way) => [REVISIONS[0]!, NEWEST_HANDSHAKE].map((revision) => [way, revision] as const));

describe.each(CELLS)("SUB-13 notifications %s — %s", (way, revision) => {
  const open = async (options: ConnectOptions = {}) => {
    const faults: string[] = [];
    const client = await WAYS[way]!({ revision, onFault: (what) => faults.push(what), ...options });
    const close = async (): Promise<void> => {
      await client.close();
      await client.end?.();
    };
    return { client, faults, [Symbol.asyncDispose]: close };
  };

  test("reach several listeners until each of them leaves", async () => {
    await using it = await open();
    const { client } = it;
    const all = client.listen({ tools: true, uris: ["app://status"] });
    const tools = client.listen({ tools: true });
    const status = client.listen({ uris: ["app://status"] });
    expect(await Promise.all([all.ready, tools.ready, status.ready])).toEqual([
      { tools: true, uris: ["app://status"] },
      { tools: true },
      { uris: ["app://status"] },
    ]);
    await client.call("touch");
    expect(await status.next()).toEqual({ value: { kind: "updated", uri: "app://status" }, done: false });
    await client.call("grow");
    expect(await tools.next()).toEqual({ value: { kind: "tools" }, done: false });
    const heard: ChangeNotification[] = [];
    for await (const news of all) if (heard.push(news) === 2) break;
    expect(heard).toEqual([{ kind: "updated", uri: "app://status" }, { kind: "tools" }]);
    tools.close();
    // It hears on, though the one that asked for the same has left.
    await client.call("touch");
    expect(await status.next()).toMatchObject({ value: { kind: "updated" } });
    status.close();
    await expect.poll(async () => (await client.call("touch")).content).toEqual([{ type: "text", text: "0" }]);
    expect(await status.next()).toEqual({ value: undefined, done: true });
    expect(it.faults).toEqual([]);
  });

  test("work together with subscribe and onListChanged", async () => {
    const lists: string[] = [];
    const uris: string[] = [];
    await using it = await open({ onListChanged: (list) => lists.push(list) });
    const { client } = it;
    await client.subscribe("app://status", (uri) => uris.push(uri));
    const listening = client.listen({ uris: ["app://status"] });
    await listening.ready;
    listening.close();
    await client.call("touch");
    await expect.poll(() => uris).toEqual(["app://status"]);
    await client.unsubscribe("app://status");
    await expect.poll(async () => (await client.call("touch")).content).toEqual([{ type: "text", text: "0" }]);
    await client.call("grow");
    await expect.poll(() => lists).toEqual(["tools"]);
    expect(it.faults).toEqual([]);
  });

  test("SUB-12 report unsupported filters as a fault", async () => {
    await using it = await open();
    const listening = it.client.listen({ tools: true, uris: ["note:///today", "app://status"] });
    expect(await listening.ready).toEqual({ tools: true, uris: ["app://status"] });
    expect(it.faults).toEqual(["The server does not send notifications of changes of: note:///today"]);
  });

  test("end with an abort, before and after the start, and with the connection", async () => {
    await using it = await open();
    const { client } = it;
    expect(await client.listen({ tools: true }, { signal: AbortSignal.abort() }).next()).toEqual({ value: undefined, done: true });
    const abort = new AbortController();
    const one = client.listen({ tools: true }, { signal: abort.signal });
    const other = client.listen({ tools: true });
    await Promise.all([one.ready, other.ready]);
    const waiting = [one.next(), other.next()];
    abort.abort();
    expect(await waiting[0]).toEqual({ value: undefined, done: true });
    await client.close();
    expect(await waiting[1]).toEqual({ value: undefined, done: true });
    expect(it.faults).toEqual([]);
  });
});

test.each(["one by one", "together"])("many subscriptions, created %s, share streams, and each is notified", async (how) => {
  const heard: string[] = [];
  const uris = Array.from({ length: 100 }, (_, at) => `app://${at}`);
  const changes = new Set<() => void>();
  const server = defineServer({
    name: "many",
    version: "1",
    tools: [tool({ name: "touch", run: () => (changes.forEach((changed) => changed()), "done") })],
    resources: uris.map((uri) =>
      resource({ uri, name: uri, read: () => "x", watch: (changed) => (changes.add(changed), () => changes.delete(changed)) }),
    ),
  });
  // A server takes 64 subscription streams of one client.
  await using client = await connect(linkMemory(server), { revision: REVISIONS[0]! });
  const subscribe = (uri: string): Promise<void> => client.subscribe(uri, (changed) => heard.push(changed));
  if (how === "together") await Promise.all(uris.map(subscribe));
  else for (const uri of uris) await subscribe(uri);
  await client.call("touch");
  await expect.poll(() => new Set(heard).size).toBe(100);
  for (const uri of uris) await client.unsubscribe(uri);
  await expect.poll(() => changes.size, { timeout: 20_000 }).toBe(0);
});

test.each(REVISIONS.filter((id) => findRevision(id)?.facts.era === "handshake"))(
  "SUB-13 a session unsubscribes from a URI after its last listener — %s",
  async (revision) => {
    const { peer, client } = await meet({ revision });
    const one = client.listen({ uris: ["a://b"] });
    await peer.answer("resources/subscribe", {});
    const subscribing = client.subscribe("a://b", () => undefined);
    await peer.answer("resources/subscribe", {});
    await subscribing;
    await one.ready;
    one.close();
    const leaving = client.unsubscribe("a://b");
    expect((await peer.answer("resources/unsubscribe", {})).params).toEqual({ uri: "a://b" });
    await leaving;
    const methods = peer.received.map(({ method }) => method).filter((method) => String(method).startsWith("resources/"));
    expect(methods).toEqual(["resources/subscribe", "resources/subscribe", "resources/unsubscribe"]);
  },
);
