import { describe, expect, test } from "vitest";
import { findRevision } from "@oarlock/server-kit/protocol";
import { connectTo, everyPeer, everyRevision, everyTransport, fixture, TESTED_REVISIONS, type Target } from "@oarlock/testing";
import { sample } from "./fixtures/sample.ts";

const target: Target = { server: sample, command: fixture(new URL("fixtures/sample-stdio.ts", import.meta.url)) };
const titles: string[] = [];
const note = (): unknown => titles.push(expect.getState().currentTestName!.split(" > ").at(-1)!);

describe("the matrix", () => {
  everyRevision("a body", (revision) => {
    note();
    expect(findRevision(revision)?.id).toBe(revision);
  });

  everyTransport("a call", target, async (peer) => {
    note();
    await using wired = await peer.connect();
    expect(wired.client.revision).toBe("2025-11-25");
    await wired.client.ping();
  });

  everyPeer("an echo", target, async (peer) => {
    note();
    const texts: string[] = [];
    await using wired = await peer.connect({ onWire: (direction, text) => texts.push(`${direction} ${text}`) });
    expect(wired.client.revision).toBe(peer.revision);
    expect(peer.facts.era).toBe("handshake");
    expect(await wired.client.call("echo", { message: "hi" })).toEqual({ content: [{ type: "text", text: "hi" }] });
    expect(wired.log.map(({ direction, text }) => `${direction} ${text}`)).toEqual(texts);
    expect(wired.log.map(({ direction }) => direction)).toEqual(["sent", "received", "sent", "sent", "received"]);
    expect(wired.messages("received").at(-1)).toEqual({ jsonrpc: "2.0", id: 2, result: { content: [{ type: "text", text: "hi" }] } });
    expect(wired.faults).toEqual([]);
  });

  test("made these titles", () => {
    expect(TESTED_REVISIONS).toEqual(["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"]);
    expect(titles).toEqual([
      ...TESTED_REVISIONS.map((revision) => `a body — ${revision}`),
      "a call — over memory",
      "a call — over stdio",
      ...TESTED_REVISIONS.flatMap((revision) => [`an echo — ${revision} over memory`, `an echo — ${revision} over stdio`]),
    ]);
  });
});

describe("connectTo", () => {
  test("takes a definition, a command, or both", async () => {
    for (const to of [sample(), target.command, target]) {
      await using wired = await connectTo(to, { revision: "2024-11-05" });
      expect(wired.client.revision).toBe("2024-11-05");
    }
    await using wired = await connectTo(target, { transport: "stdio" });
    expect((await wired.client.call("print")).content).toEqual([{ type: "text", text: "printed" }]);
  });

  test("says what is missing", async () => {
    await expect(connectTo(sample(), { transport: "stdio" })).rejects.toThrow("give a command that serves it");
    await expect(connectTo(target.command, { transport: "memory" })).rejects.toThrow("give the definition");
  });
});
