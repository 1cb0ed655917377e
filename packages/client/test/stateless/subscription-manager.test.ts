// ChangeNotification as one iterator, in both eras.
import { describe, expect, test } from "vitest";
import type { Json } from "@oarlock/server-kit/protocol";
import { UnsupportedCapabilityError, RequestTimeoutError, type NotificationStream } from "@oarlock/client";
import { readNotifications } from "../support/read-notifications.ts";
import { failure, type ScriptedPeer } from "../support/scripted-peer.ts";
import { connectStateless, ownOf, subscriptionId } from "../support/stateless-peers.ts";

const ALL_NEWS = { toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true };

/** Takes the next listen of the client, and acknowledges this much of it. */
async function acknowledge(peer: ScriptedPeer, notifications?: Json): Promise<Json> {
  const request = await peer.next();
  expect(request.method).toBe("subscriptions/listen");
  const asked = (request.params as Json).notifications;
  peer.send({
    method: "notifications/subscriptions/acknowledged",
    params: { notifications: notifications ?? asked, ...subscriptionId(request.id) },
  });
  return request;
}

const tell = (peer: ScriptedPeer, id: unknown, what: string, params: Json = {}): void =>
  peer.send({ method: `notifications/${what}`, params: { ...params, ...subscriptionId(id) } });

describe("without sessions", () => {
  test("SUB-06 sends the filter and returns the acknowledged one", async () => {
    const { peer, client } = await connectStateless();
    const listening = client.listen({ tools: true, prompts: true, resources: true, uris: ["a://b", "a://c"] });
    const request = await acknowledge(peer);
    expect(ownOf(request)).toEqual({ notifications: { ...ALL_NEWS, resourceSubscriptions: ["a://b", "a://c"] } });
    expect(await listening.ready).toEqual({ tools: true, prompts: true, resources: true, uris: ["a://b", "a://c"] });
    for (const list of ["tools", "prompts", "resources"]) tell(peer, request.id, `${list}/list_changed`);
    tell(peer, request.id, "resources/updated", { uri: "a://b/below" });
    expect(await readNotifications(listening, 4)).toEqual([
      { kind: "tools" },
      { kind: "prompts" },
      { kind: "resources" },
      { kind: "updated", uri: "a://b/below" },
    ]);
    const little = client.listen({ prompts: true });
    expect(ownOf(await acknowledge(peer))).toEqual({ notifications: { promptsListChanged: true } });
    expect(await little.ready).toEqual({ prompts: true });
  });

  test("SUB-11 SUB-13 tells parallel subscriptions apart by id and type of id", async () => {
    const faults: string[] = [];
    const { peer, client } = await connectStateless({ onFault: (what) => faults.push(what) });
    const one = client.listen({ tools: true });
    const two = client.listen({ tools: true, prompts: true });
    const [first, second] = [await peer.next(), await peer.next()];
    // ChangeNotification of one may stand before the acknowledgement of the other.
    for (const { id, params } of [second, first]) {
      peer.send({
        method: "notifications/subscriptions/acknowledged",
        params: { notifications: (params as Json).notifications, ...subscriptionId(id) },
      });
      tell(peer, second.id, "prompts/list_changed");
    }
    tell(peer, first.id, "tools/list_changed");
    expect(await readNotifications(one, 1)).toEqual([{ kind: "tools" }]);
    expect(await readNotifications(two, 1)).toEqual([{ kind: "prompts" }]);
    expect(faults).toEqual([]);
    for (const id of [String(first.id), undefined, 99]) tell(peer, id, "tools/list_changed");
    expect(faults).toHaveLength(3);
    one.close();
    expect(await readNotifications(one, 1)).toEqual([]);
    // A notification in flight is not a fault.
    tell(peer, first.id, "tools/list_changed");
    expect(faults).toHaveLength(3);
  });

  test("SUB-12 reports a smaller acknowledgement to the listener and as a fault", async () => {
    const faults: string[] = [];
    const { peer, client } = await connectStateless({ onFault: (what) => faults.push(what) });
    const listening = client.listen({ tools: true, prompts: true, uris: ["a://b", "a://c"] });
    await acknowledge(peer, { toolsListChanged: true, promptsListChanged: false, resourceSubscriptions: ["a://c"] });
    expect(await listening.ready).toEqual({ tools: true, uris: ["a://c"] });
    expect(faults).toEqual(["The server does not send notifications of changes of: prompts, a://b"]);
  });

  test("SUB-12 CANCEL-09 fails to subscribe to a resource that is not acknowledged, and closes its stream", async () => {
    const { peer, client } = await connectStateless();
    const refused = failure(client.subscribe("a://b", () => undefined));
    const { id } = await acknowledge(peer, {});
    expect(await refused).toEqual(new UnsupportedCapabilityError("subscriptions to a://b"));
    expect(await peer.next()).toMatchObject({ method: "notifications/cancelled", params: { requestId: id } });
  });

  describe("merges more than 16 subscriptions", () => {
    const uris = Array.from({ length: 17 }, (_, at) => `a://${at}`);

    /** Subscribes to each resource, and returns the listen that merges them. */
    async function merging() {
      const { peer, client } = await connectStateless();
      const heard: string[] = [];
      const ids: unknown[] = [];
      for (const uri of uris) {
        const subscribing = client.subscribe(uri, (changed) => heard.push(changed));
        ids.push((await acknowledge(peer)).id);
        await subscribing;
      }
      const merged = await peer.next();
      expect(ownOf(merged)).toEqual({ notifications: { resourceSubscriptions: uris } });
      const accept = (): void =>
        peer.send({
          method: "notifications/subscriptions/acknowledged",
          params: { notifications: { resourceSubscriptions: uris }, ...subscriptionId(merged.id) },
        });
      return { peer, client, heard, ids, merged, accept };
    }
    const cancelOf = (id: unknown) =>
      expect.objectContaining({ method: "notifications/cancelled", params: expect.objectContaining({ requestId: id }) }) as Json;

    test("and closes the merged one after the last listener", async () => {
      const { peer, client, merged, accept } = await merging();
      for (const uri of uris) await client.unsubscribe(uri);
      accept();
      expect(await peer.next()).toEqual(cancelOf(merged.id));
    });

    test("and still delivers notifications of the old ones for a while", async () => {
      const { peer, client, heard, ids, merged, accept } = await merging();
      accept();
      tell(peer, ids[3], "resources/updated", { uri: "a://3" });
      tell(peer, merged.id, "resources/updated", { uri: "a://4" });
      const called = client.call("x");
      await peer.answer("tools/call", { content: [] });
      await called;
      expect(heard).toEqual(["a://3", "a://4"]);
      for (const id of ids) expect(await peer.next()).toEqual(cancelOf(id));
    });

    test("and keeps them when the server refuses the merged one", async () => {
      const { peer, client, heard, ids, merged } = await merging();
      peer.send({ id: merged.id, error: { code: -32_602, message: "Too many" } });
      tell(peer, ids[3], "resources/updated", { uri: "a://3" });
      const called = client.call("x");
      await peer.answer("tools/call", { content: [] });
      await called;
      expect(heard).toEqual(["a://3"]);
      await client.unsubscribe("a://5");
      expect(await peer.next()).toEqual(cancelOf(ids[5]));
    });
  });

  test("CANCEL-09 CANCEL-13 CANCEL-16 cancels by id once when the loop ends, on close and on abort", async () => {
    const { peer, client } = await connectStateless();
    const abort = new AbortController();
    const ways: ((listening: NotificationStream) => Promise<unknown> | void)[] = [
      async (listening) => {
        for await (const news of listening) if (news.kind === "tools") break;
      },
      (listening) => listening.close(),
      (listening) => listening[Symbol.asyncDispose](),
      () => abort.abort(),
    ];
    for (const end of ways) {
      const listening = client.listen({ tools: true }, { signal: abort.signal });
      const { id } = await acknowledge(peer);
      tell(peer, id, "tools/list_changed");
      await listening.ready;
      await end(listening);
      listening.close();
      const cancel = await peer.next();
      expect([cancel.method, (cancel.params as Json).requestId]).toEqual(["notifications/cancelled", id]);
      expect(await readNotifications(listening, 1)).toEqual([]);
    }
    const called = client.call("x");
    await peer.answer("tools/call", { content: [] });
    await called;
  });

  test.each(["a cancellation, as on a pipe", "a cancellation and its result"])(
    "delivers received notifications before the end when the server ends it by %s",
    async (how) => {
      const faults: string[] = [];
      const { peer, client } = await connectStateless({ onFault: (what) => faults.push(what) });
      const listening = client.listen({ tools: true });
      const { id } = await acknowledge(peer);
      tell(peer, id, "tools/list_changed");
      peer.send({ method: "notifications/cancelled", params: { requestId: id, reason: "going" } });
      if (how === "a cancellation and its result") peer.send({ id, result: { resultType: "complete", ...subscriptionId(id) } });
      expect(await readNotifications(listening, 2)).toEqual([{ kind: "tools" }]);
      expect(peer.received).toHaveLength(2);
      expect(faults).toEqual([]);
    },
  );

  test("fails at a refusal and at a silent server", async () => {
    const { peer, client } = await connectStateless({ timeoutMs: 30 });
    const refused = client.listen({ tools: true });
    const { id } = await peer.next();
    peer.send({ id, error: { code: -32_601, message: "Method not found" } });
    await expect(refused.ready).rejects.toThrow("Method not found");
    await expect(refused.next()).rejects.toThrow("Method not found");
    expect(await refused.next()).toEqual({ value: undefined, done: true });
    expect(await failure(client.listen({ tools: true }).next())).toEqual(new RequestTimeoutError("subscriptions/listen", 30, false));
  });

  test("ends with the connection", async () => {
    const { peer, client } = await connectStateless();
    const listening = client.listen({ tools: true });
    await acknowledge(peer);
    await client.close();
    expect(await readNotifications(listening, 1)).toEqual([]);
    await expect(failure(client.listen({ tools: true }).ready)).resolves.toBeInstanceOf(Error);
  });

  test("merges equal unread notifications", async () => {
    const { peer, client } = await connectStateless();
    const listening = client.listen({ tools: true, uris: ["a://b"] });
    const { id } = await acknowledge(peer);
    for (let time = 0; time < 1000; time++) {
      tell(peer, id, "tools/list_changed");
      tell(peer, id, "resources/updated", { uri: "a://b" });
    }
    expect(await readNotifications(listening, 2)).toEqual([{ kind: "tools" }, { kind: "updated", uri: "a://b" }]);
    listening.close();
    expect(await readNotifications(listening, 1)).toEqual([]);
  });
});
