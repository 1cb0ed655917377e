// The client's roots, read within a time limit.
import { describe, expect, test } from "vitest";
import { ClientRoots, defineServer, tool, type Server } from "../../src/index.ts";
import type { Json } from "../../src/protocol.ts";
import { askedBy, CALL, first } from "../support/asking.ts";
import { talk } from "../support/talk.ts";

const A: Json = { uri: "file:///a", name: "a" };

/** A server with one tool that tells the current roots. */
function rootsServer(timeoutMs: number): Server {
  const roots = new ClientRoots({ timeoutMs });
  const run = async (_input: unknown, ctx: Parameters<ClientRoots["current"]>[0]) => JSON.stringify((await roots.current(ctx)) ?? "none");
  return defineServer({ name: "roots", version: "1", tools: [tool({ name: "roots", run })] });
}

describe("in a session", () => {
  test("returns the roots that the client lists", async () => {
    await using client = await talk(rootsServer(60_000), {
      capabilities: { roots: {} },
      answers: { "roots/list": () => ({ roots: [A] }) },
    });
    expect(JSON.parse(await client.replyText("roots"))).toEqual([A]);
  });

  test("sends no request to a client that declared no roots", async () => {
    await using client = await talk(rootsServer(60_000), { capabilities: {} });
    expect(JSON.parse(await client.replyText("roots"))).toBe("none");
    expect(client.heard("roots/list")).toEqual([]);
  });

  test("continues without a response, and waits no more until the client lists its roots", async () => {
    await using client = await talk(rootsServer(30), {
      capabilities: { roots: { listChanged: true } },
      answers: { "roots/list": () => undefined },
    });
    expect(JSON.parse(await client.replyText("roots"))).toBe("none");
    expect(JSON.parse(await client.replyText("roots"))).toBe("none");
    expect(client.heard("roots/list")).toHaveLength(1);
    const [open] = client.received.filter(({ method }) => method === "roots/list");
    client.send({ jsonrpc: "2.0", id: open?.["id"], result: { roots: [A] } });
    await client.settled();
    expect(JSON.parse(await client.replyText("roots"))).toEqual([A]);
  });

  test("logs a refusal and continues", async () => {
    const answers = { "roots/list": () => new Error("not today") };
    await using client = await talk(rootsServer(60_000), { capabilities: { roots: {} }, answers });
    expect(JSON.parse(await client.replyText("roots"))).toBe("none");
    const logs = client.received.filter(({ method }) => method === "notifications/message");
    expect(JSON.stringify(logs)).toContain("not today");
  });
});

describe("an empty list", () => {
  const LISTED: Json = { roots: { listChanged: true } };
  const https = { uri: "https://example.com/" };

  test.each<[string, Json[], unknown]>([
    ["is empty from the start", [], "none"],
    ["counts when only unusable roots were left out of it", [https], []],
  ])("%s", async (_title, offered, expected) => {
    const answers = { "roots/list": () => ({ roots: offered }) };
    await using client = await talk(rootsServer(60_000), { capabilities: LISTED, answers });
    expect(JSON.parse(await client.replyText("roots"))).toEqual(expected);
    expect(JSON.parse(await client.replyText("roots"))).toEqual(expected);
  });

  test("counts once the client has named a root, even an unread one", async () => {
    let offered: Json[] = [];
    const known = new ClientRoots();
    const look = tool({ name: "known", run: (_input, ctx) => JSON.stringify(known.known(ctx.client) ?? "none") });
    const server = defineServer({ name: "roots", version: "1", tools: [look], resources: [], followsRoots: true });
    await using client = await talk(server, { capabilities: LISTED, answers: { "roots/list": () => ({ roots: offered }) } });
    const change = async (roots: Json[]): Promise<unknown> => {
      const from = client.received.length;
      offered = roots;
      client.note("notifications/roots/list_changed");
      await client.until(({ method }) => method === "notifications/resources/list_changed", from);
      return JSON.parse(await client.replyText("known"));
    };
    await client.until(({ method }) => method === "notifications/resources/list_changed");
    expect(await change([])).toBe("none");
    expect(await change([A])).toEqual([A]);
    expect(await change([])).toEqual([]);
    expect(await change([A])).toEqual([A]);
  });

  test.each<[string, Json[], unknown]>([
    ["is empty in the stateless era", [], "none"],
    ["counts in the stateless era when only unusable roots were left out of it", [https], []],
  ])("%s", async (_title, offered, expected) => {
    const roots = new ClientRoots();
    const client = askedBy(async (ctx) => JSON.stringify([(await roots.current(ctx)) ?? "none", roots.known(ctx.client) ?? "none"]));
    const { requestState } = await first(client);
    const result = await client.result("tools/call", { ...CALL, requestState, inputResponses: { roots: { roots: offered } } });
    expect(JSON.stringify(result)).toContain(JSON.stringify(JSON.stringify([expected, "none"])).slice(1, -1));
  });
});

test("requests roots by an input request in the stateless era", async () => {
  const roots = new ClientRoots();
  const client = askedBy(async (ctx) => JSON.stringify(await roots.current(ctx)));
  expect((await first(client))["inputRequests"]).toEqual({ roots: { method: "roots/list" } });
});
