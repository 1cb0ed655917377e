// The client's roots, read within a time limit.
import { describe, expect, test } from "vitest";
import { ClientRoots, defineServer, tool, type Server } from "../../src/index.ts";
import type { Json } from "../../src/protocol.ts";
import { askedBy, first } from "../support/asking.ts";
import { talk } from "../support/talk.ts";

const A: Json = { uri: "file:///a", name: "a" };

/** A server with one tool that tells the current roots. */
function rootsServer(timeoutMs: number): Server {
  const roots = new ClientRoots({ timeoutMs });
  const run = async (_input: unknown, ctx: Parameters<ClientRoots["current"]>[0]) => JSON.stringify((await roots.current(ctx)) ?? "none");
  return defineServer({ name: "roots", version: "1", tools: [tool({ name: "roots", run })] });
}

describe("in a session", () => {
  test("returns what the client lists", async () => {
    await using client = await talk(rootsServer(60_000), {
      capabilities: { roots: {} },
      answers: { "roots/list": () => ({ roots: [A] }) },
    });
    expect(JSON.parse(await client.said("roots"))).toEqual([A]);
  });

  test("asks no client that declared no roots", async () => {
    await using client = await talk(rootsServer(60_000), { capabilities: {} });
    expect(JSON.parse(await client.said("roots"))).toBe("none");
    expect(client.heard("roots/list")).toEqual([]);
  });

  test("goes on without an answer, and does not wait again until the client lists its roots", async () => {
    await using client = await talk(rootsServer(30), {
      capabilities: { roots: { listChanged: true } },
      answers: { "roots/list": () => undefined },
    });
    expect(JSON.parse(await client.said("roots"))).toBe("none");
    expect(JSON.parse(await client.said("roots"))).toBe("none");
    expect(client.heard("roots/list")).toHaveLength(1);
    const [open] = client.received.filter(({ method }) => method === "roots/list");
    client.send({ jsonrpc: "2.0", id: open?.["id"], result: { roots: [A] } });
    await client.settled();
    expect(JSON.parse(await client.said("roots"))).toEqual([A]);
  });

  test("logs a refusal and goes on", async () => {
    const answers = { "roots/list": () => new Error("not today") };
    await using client = await talk(rootsServer(60_000), { capabilities: { roots: {} }, answers });
    expect(JSON.parse(await client.said("roots"))).toBe("none");
    const logs = client.received.filter(({ method }) => method === "notifications/message");
    expect(JSON.stringify(logs)).toContain("not today");
  });
});

test("asks by an input request in the stateless era", async () => {
  const roots = new ClientRoots();
  const client = askedBy(async (ctx) => JSON.stringify(await roots.current(ctx)));
  expect((await first(client))["inputRequests"]).toEqual({ roots: { method: "roots/list" } });
});
