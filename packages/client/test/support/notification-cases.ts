// ChangeNotification in both eras, from a server of the kit: by iterator, by callback, by subscription. Registers the tests of one way to reach it.
import { describe, expect, test } from "vitest";
import { NEWEST_HANDSHAKE, REVISIONS } from "@oarlock/server-kit/protocol";
import type { ChangeNotification, Client, ConnectOptions } from "@oarlock/client";

export type Way = (options: ConnectOptions) => Promise<Client & { end?: () => Promise<void> }>;

/** @param way Named in the title. */
export function describeNotifications(way: string, connectTo: Way): void {
  describe.each([REVISIONS[0]!, NEWEST_HANDSHAKE])(`SUB-13 notifications ${way} — %s`, (revision) => {
    const open = async (options: ConnectOptions = {}) => {
      const faults: string[] = [];
      const client = await connectTo({ revision, onFault: (what) => faults.push(what), ...options });
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
}
