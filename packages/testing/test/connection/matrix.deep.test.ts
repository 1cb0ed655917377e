import { describe, expect, test } from "vitest";
import { findRevision } from "@oarlock/server-kit/protocol";
import {
  connectTo,
  everyRevisionAndTransport,
  everyRevision,
  everyTransport,
  nodeCommand,
  HANDSHAKE_REVISIONS,
  TESTED_REVISIONS,
  TRANSPORTS,
  type Target,
} from "@oarlock/testing";
import { sample } from "../fixtures/sample.ts";

const target: Target = { server: sample, command: nodeCommand(new URL("../fixtures/sample-stdio.ts", import.meta.url)) };
const httpCommand = nodeCommand(new URL("../fixtures/sample-cli.ts", import.meta.url));
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

  everyRevisionAndTransport("an echo", target, async (peer) => {
    note();
    const texts: string[] = [];
    await using wired = await peer.connect({ onWire: (direction, text) => texts.push(`${direction} ${text}`) });
    expect(wired.client.revision).toBe(peer.revision);
    const inSession = peer.facts.era === "handshake";
    expect(inSession).toBe(HANDSHAKE_REVISIONS.includes(peer.revision));
    expect(await wired.client.call("echo", { message: "hi" })).toEqual({ content: [{ type: "text", text: "hi" }] });
    expect(wired.log.map(({ direction, text }) => `${direction} ${text}`)).toEqual(texts);
    const directions = inSession ? ["sent", "received", "sent", "sent", "received"] : ["sent", "received", "sent", "received"];
    expect(wired.log.map(({ direction }) => direction)).toEqual(directions);
    const statelessMembers = inSession
      ? {}
      : { resultType: "complete", _meta: { "io.modelcontextprotocol/serverInfo": expect.anything() } };
    const result = { content: [{ type: "text", text: "hi" }], ...statelessMembers };
    expect(wired.messages("received").at(-1)).toEqual({ jsonrpc: "2.0", id: 2, result });
    expect(wired.faults).toEqual([]);
  });

  everyRevisionAndTransport(
    "a session",
    target,
    (peer) => {
      note();
      expect(peer.facts.era).toBe("handshake");
    },
    HANDSHAKE_REVISIONS,
  );

  test("has these titles", () => {
    expect(TESTED_REVISIONS).toEqual(["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"]);
    expect(titles).toEqual([
      ...TESTED_REVISIONS.map((revision) => `a body — ${revision}`),
      "a call — over memory",
      "a call — over stdio",
      "a call — over http",
      ...TESTED_REVISIONS.flatMap((revision) => TRANSPORTS.map((transport) => `an echo — ${revision} over ${transport}`)),
      ...HANDSHAKE_REVISIONS.flatMap((revision) => TRANSPORTS.map((transport) => `a session — ${revision} over ${transport}`)),
    ]);
  });
});

describe("connectTo", () => {
  test("takes a definition, a command, or both", async () => {
    for (const to of [sample(), target.command, target]) {
      await using wired = await connectTo(to, { revision: "2024-11-05" });
      expect(wired.client.revision).toBe("2024-11-05");
    }
    await using anyhow = await connectTo(target, { revision: "auto" });
    expect(anyhow.client.revision).toBe("2026-07-28");
    await using wired = await connectTo(target, { transport: "stdio" });
    expect(wired.client.revision).toBe("2025-11-25");
    expect((await wired.client.call("print")).content).toEqual([{ type: "text", text: "printed" }]);
  });

  test("over HTTP serves a definition in this process, and runs a command with --http", async () => {
    const counts: string[] = [];
    for (const to of [sample(), target, httpCommand]) {
      const notes: string[] = [];
      await using wired = await connectTo(to, { transport: "http", onStderr: (text) => notes.push(text) });
      await wired.client.call("echo", { message: "hi" });
      counts.push(notes.some((note) => note.includes("listening on")) ? "run" : "served");
    }
    expect(counts).toEqual(["served", "served", "run"]);
  });

  test("reports stderr of a command that exits before it listens", async () => {
    const command = { command: process.execPath, args: ["-e", "console.error('no such switch'); process.exit(2)", "--"] };
    await expect(connectTo(command, { transport: "http" })).rejects.toThrow(/exited before it listened\. Its stderr:\nno such switch/);
  });
});
