// Tests against the official server SDK (version 2), which speaks both eras. Registers those of one way to reach it.
import { describe, expect, test } from "vitest";
import type { Client, ConnectOptions, LogEntry, Progress } from "@oarlock/client";
import type { handler } from "../fixtures/official-stateless.ts";
import { NEWEST } from "./stateless-peers.ts";

export interface Met extends AsyncDisposable {
  client: Client;
  faults: string[];
  notify?: ReturnType<typeof handler>["notify"];
}

/** @param way Named in the title. */
export function describeOfficial(way: string, connectSession: (options?: ConnectOptions) => Promise<Met>): void {
  describe(`DISC-12 the official server ${way}`, () => {
    test("works without a handshake: tools, resources and instructions", async () => {
      await using it = await connectSession();
      const { client } = it;
      expect(client).toMatchObject({ revision: NEWEST, serverInfo: { name: "official", version: "2" }, instructions: "Be kind." });
      expect((await client.tools().all()).map(({ name }) => name)).toEqual(["echo", "ask", "steps"]);
      for (const region of ["eu", "ü\n ", "=?base64?eA==?="])
        expect((await client.call("echo", { region })).content).toEqual([{ type: "text", text: region }]);
      expect((await client.read("note:///a")).contents).toEqual([{ uri: "note:///a", text: "Nothing much." }]);
      await client.ping();
      expect(it.faults).toEqual([]);
    });

    test("HDR-27 calls a tool that was never listed", async () => {
      await using it = await connectSession();
      expect((await it.client.call("echo", { region: "eu" })).content).toEqual([{ type: "text", text: "eu" }]);
    });

    test("MRTR-08 MRTR-09 MRTR-10 requests a form and roots in one round", async () => {
      await using it = await connectSession({ roots: [{ uri: "file:///a" }], elicit: () => ({ action: "accept" }) });
      const [block] = (await it.client.call("ask")).content as { text: string }[];
      expect(JSON.parse(block!.text)).toEqual([
        { sure: { action: "accept", content: { sure: true } }, folders: { roots: [{ uri: "file:///a" }] } },
        "kept",
      ]);
      expect(it.faults).toEqual([]);
    });

    test("sends progress, and log entries from the chosen level", async () => {
      const entries: LogEntry[] = [];
      await using it = await connectSession({ onLog: (entry) => entries.push(entry) });
      const heard: Progress[] = [];
      await it.client.call("steps", {}, { onProgress: (progress) => heard.push(progress) });
      expect([heard.map(({ progress }) => progress), entries]).toEqual([[1, 2, 3], []]);
      await it.client.setLevel("info");
      await it.client.call("steps");
      expect(entries.map(({ data }) => data)).toEqual(["logged"]);
      await it.client.setLevel("error");
      await it.client.call("steps");
      expect(entries).toHaveLength(1);
    });

    test("SUB-06 acknowledges a subscription", async () => {
      await using it = await connectSession();
      await using listening = it.client.listen({ tools: true, uris: ["note:///a"] });
      expect(await listening.ready).toEqual({ tools: true, uris: ["note:///a"] });
      it.notify?.toolsChanged();
      it.notify?.resourceUpdated("note:///a");
      if (it.notify === undefined) return;
      expect((await listening.next()).value).toEqual({ kind: "tools" });
      expect((await listening.next()).value).toEqual({ kind: "updated", uri: "note:///a" });
    });
  });
}
