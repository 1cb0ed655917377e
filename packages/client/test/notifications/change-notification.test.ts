// ChangeNotification in both eras, from a server of the kit in this process.
import { expect, test } from "vitest";
import { defineServer, linkMemory, resource, tool } from "@oarlock/server-kit";
import { serveHttp } from "@oarlock/server-kit/node";
import { findRevision, REVISIONS } from "@oarlock/server-kit/protocol";
import { connect } from "@oarlock/client";
import { sample } from "../fixtures/sample.ts";
import { describeNotifications } from "../support/notification-cases.ts";
import { connectSession } from "../support/scripted-peer.ts";

describeNotifications("in memory", (options) => connect(linkMemory(sample()), options));

describeNotifications("over HTTP", async (options) => {
  const { url, stop } = await serveHttp(sample(), { port: 0 });
  return Object.assign(await connect({ url }, options), { end: stop });
});

test.each(["one by one", "together"])("shares streams among many subscriptions, created %s, and notifies each", async (how) => {
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
  "SUB-13 unsubscribes from a URI in a session after its last listener — %s",
  async (revision) => {
    const { peer, client } = await connectSession({ revision });
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
