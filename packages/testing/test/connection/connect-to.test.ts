// connectTo and everyRevision, for servers in this process.
import { describe, expect, test } from "vitest";
import { findRevision } from "@oarlock/server-kit/protocol";
import { connectTo, everyRevision, HANDSHAKE_REVISIONS, TESTED_REVISIONS } from "@oarlock/testing";
import { SAMPLE } from "../fixtures/sample-target.ts";
import { sample } from "../fixtures/sample.ts";

describe("every revision", () => {
  const titles: string[] = [];

  everyRevision("an echo", async (revision) => {
    titles.push(expect.getState().currentTestName!.split(" > ").at(-1)!);
    const texts: string[] = [];
    await using wired = await connectTo(sample(), { revision, onWire: (direction, text) => texts.push(`${direction} ${text}`) });
    expect(wired.client.revision).toBe(revision);
    const isInSession = findRevision(revision)?.facts.era === "handshake";
    expect(isInSession).toBe(HANDSHAKE_REVISIONS.includes(revision));
    expect(await wired.client.call("echo", { message: "hi" })).toEqual({ content: [{ type: "text", text: "hi" }] });
    expect(wired.log.map(({ direction, text }) => `${direction} ${text}`)).toEqual(texts);
    const directions = isInSession ? ["sent", "received", "sent", "sent", "received"] : ["sent", "received", "sent", "received"];
    expect(wired.log.map(({ direction }) => direction)).toEqual(directions);
    const statelessMembers = isInSession
      ? {}
      : { resultType: "complete", _meta: { "io.modelcontextprotocol/serverInfo": expect.anything() } };
    const result = { content: [{ type: "text", text: "hi" }], ...statelessMembers };
    expect(wired.messages("received").at(-1)).toEqual({ jsonrpc: "2.0", id: 2, result });
    expect(wired.faults).toEqual([]);
  });

  test("has these titles", () => {
    expect(TESTED_REVISIONS).toEqual(["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"]);
    expect(titles).toEqual(TESTED_REVISIONS.map((revision) => `an echo — ${revision}`));
  });
});

test("connectTo takes a definition, alone or in a target, and negotiates a revision", async () => {
  for (const to of [sample(), SAMPLE]) {
    await using wired = await connectTo(to, { revision: "2024-11-05", transport: "memory" });
    expect(wired.client.revision).toBe("2024-11-05");
  }
  await using anyhow = await connectTo(SAMPLE, { revision: "auto" });
  expect(anyhow.client.revision).toBe("2026-07-28");
  await using plain = await connectTo(SAMPLE);
  expect(plain.client.revision).toBe("2025-11-25");
});

test("connectTo serves a definition over HTTP in this process", async () => {
  await using wired = await connectTo(SAMPLE, { transport: "http" });
  expect(await wired.client.call("echo", { message: "hi" })).toEqual({ content: [{ type: "text", text: "hi" }] });
});

test("connectTo names missing parts", async () => {
  await expect(connectTo(sample(), { transport: "stdio" })).rejects.toThrow("expected a command. Pass one");
  await expect(connectTo(SAMPLE.command, { transport: "memory" })).rejects.toThrow("expected a server definition");
});
