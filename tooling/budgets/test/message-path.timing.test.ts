/** Allocations of a request whose handler answers in the same turn: promises, timers, controllers and bytes. */
import { describe, expect, test } from "vitest";
import { CONVERSATIONS, HANDSHAKE } from "./support/conversations.ts";
import type { Report } from "./support/count-path.ts";
import { expectWithinBudgets } from "./support/budget.ts";
import { forked, firstMessage } from "./support/counting-process.ts";
import { builtFile } from "@oarlock-tooling/test-support/built-file";
import { Posts } from "./support/post-requests.ts";

/** Little is collected while bytes are counted. */
const HEAP = ["--expose-gc", "--min-semi-space-size=128", "--max-semi-space-size=128"];

describe("over stdio", async () => {
  const child = forked("count-path.ts", [builtFile("tooling/bench/dist/echo-stdio.js")], HEAP);
  const { rounds, counted, control } = await firstMessage<Report>(child);
  child.disconnect();

  test.each(Object.keys(CONVERSATIONS))("%s allocates no promise, timer or controller", (name) => {
    expect(counted[name]?.allocations).toEqual({});
  });

  test("the messages allocate few bytes", () => {
    const figures = Object.entries(counted).map(([name, { bytes }]) => ({ what: `heap for ${name}`, measured: bytes, unit: "bytes" }));
    for (const { measured } of figures) expect(measured).toBeGreaterThan(100); // the answer alone has as many
    expectWithinBudgets(figures);
  });

  test.each(Object.keys(CONVERSATIONS))("%s leaves almost no bytes after a collection", (name) => {
    expect(counted[name]?.outlive).toBeLessThan(12); // the text of an id is some 30
  });

  test("counts every kind of allocation", () => {
    expect(control).toMatchObject({ Timeout: rounds, Immediate: rounds, Microtask: rounds, AbortController: rounds });
    expect(control["PROMISE"]).toBeGreaterThanOrEqual(rounds);
  });
});

describe("over HTTP, compared with bare node:http", async () => {
  const REQUESTS = 400;
  const KEY = "io.modelcontextprotocol/";
  const echo = { name: "echo", arguments: { message: "hello" } };
  const call = (params: object): string => JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
  const child = forked("count-http.ts");
  const urls = await firstMessage<{ kit: string; floor: string }>(child);
  using posts = new Posts();

  /** How many of each kind, for all requests. */
  async function allocationsOf(url: string, body: string, headers?: Record<string, string>): Promise<Record<string, number>> {
    for (let at = 0; at < 20; at++) expect((await posts.send(url, body, headers)).text).toContain("hello");
    child.send("begin");
    await firstMessage(child);
    for (let at = 0; at < REQUESTS; at++) await posts.send(url, body, headers);
    child.send("end");
    return (await firstMessage<{ allocations: Record<string, number> }>(child)).allocations;
  }

  const opened = await posts.send(urls.kit, JSON.stringify(HANDSHAKE[0]));
  const session = { "mcp-session-id": String(opened.headers["mcp-session-id"]), "mcp-protocol-version": "2025-11-25" };
  await posts.send(urls.kit, JSON.stringify(HANDSHAKE[1]), session);
  const envelope = { [`${KEY}protocolVersion`]: "2026-07-28", [`${KEY}clientCapabilities`]: {} };
  const stateless = { "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call", "mcp-name": "echo" };
  const floor = await allocationsOf(urls.floor, call(echo));
  const all = {
    "with a session": await allocationsOf(urls.kit, call(echo), session),
    "without sessions": await allocationsOf(urls.kit, call({ ...echo, _meta: envelope }), stateless),
  };
  child.disconnect();

  const perRequest = (counts: Record<string, number>, type: string): number => ((counts[type] ?? 0) - (floor[type] ?? 0)) / REQUESTS;

  test.each(Object.entries(all))("%s allocates no timers or controllers", (_name, counts) => {
    // Clocks tick meanwhile, a few times in all.
    const more = Object.keys(counts).filter((type) => type !== "PROMISE" && perRequest(counts, type) > 0.1);
    expect(more, "Make them only for requests that need them.").toEqual([]);
  });

  test.each(Object.entries(all))("%s allocates few promises", (name, counts) => {
    const measured = Math.round(perRequest(counts, "PROMISE"));
    expectWithinBudgets([{ what: `an HTTP call ${name}`, measured, unit: "promises" }]);
  });

  test("counts the allocations of bare node:http", () => {
    expect(floor["TickObject"]).toBeGreaterThan(REQUESTS);
  });
});
