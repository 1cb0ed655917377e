/** What a request makes on its way that is answered in the same turn: no promise, no timer, no controller, and not many bytes. */
import { describe, expect, test } from "vitest";
import { CONVERSATIONS, HANDSHAKE } from "../src/conversations.ts";
import type { Told } from "../src/count-path.ts";
import { forked, said } from "../src/forked.ts";
import { built } from "../src/places.ts";
import { Posts } from "../src/posts.ts";

/** Nothing is collected while bytes are counted. */
const HEAP = ["--expose-gc", "--min-semi-space-size=64", "--max-semi-space-size=64"];

describe("over stdio", async () => {
  const child = forked("count-path.ts", [built("tooling/bench/dist/echo-stdio.js")], HEAP);
  const { rounds, counted, control } = await said<Told>(child);
  child.disconnect();

  test.each(Object.entries(CONVERSATIONS))("%s: nothing but its own objects", (name) => {
    expect(counted[name]?.made).toEqual({});
  });

  test.each(Object.entries(CONVERSATIONS))("%s: few bytes", (name, { bytes }) => {
    expect(counted[name]?.bytes).toBeLessThan(bytes);
    expect(counted[name]?.bytes).toBeGreaterThan(bytes / 2); // else the budget guards nothing
  });

  test.each(Object.keys(CONVERSATIONS))("%s: next to nothing outlives a collection", (name) => {
    expect(counted[name]?.outlive).toBeLessThan(12); // the text of an id is some 30
  });

  test("what would be made is seen", () => {
    expect(control).toMatchObject({ Timeout: rounds, Immediate: rounds, Microtask: rounds, AbortController: rounds });
    expect(control["PROMISE"]).toBeGreaterThanOrEqual(rounds);
  });
});

describe("over HTTP, beside bare node:http", async () => {
  const REQUESTS = 400;
  const KEY = "io.modelcontextprotocol/";
  const echo = { name: "echo", arguments: { message: "hello" } };
  const call = (params: object): string => JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
  const child = forked("count-http.ts");
  const urls = await said<{ kit: string; floor: string }>(child);
  using posts = new Posts();

  /** How many of each kind, for all requests. */
  async function made(url: string, body: string, headers?: Record<string, string>): Promise<Record<string, number>> {
    for (let at = 0; at < 20; at++) expect((await posts.send(url, body, headers)).text).toContain("hello");
    child.send("begin");
    await said(child);
    for (let at = 0; at < REQUESTS; at++) await posts.send(url, body, headers);
    child.send("end");
    return (await said<{ made: Record<string, number> }>(child)).made;
  }

  const opened = await posts.send(urls.kit, JSON.stringify(HANDSHAKE[0]));
  const session = { "mcp-session-id": String(opened.headers["mcp-session-id"]), "mcp-protocol-version": "2025-11-25" };
  await posts.send(urls.kit, JSON.stringify(HANDSHAKE[1]), session);
  const envelope = { [`${KEY}protocolVersion`]: "2026-07-28", [`${KEY}clientCapabilities`]: {} };
  const alone = { "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call", "mcp-name": "echo" };
  const floor = await made(urls.floor, call(echo));
  const all = {
    "with a session": await made(urls.kit, call(echo), session),
    "without sessions": await made(urls.kit, call({ ...echo, _meta: envelope }), alone),
  };
  child.disconnect();

  test.each(Object.entries(all))("%s: nothing that Node does not make by itself", (_name, counts) => {
    // Clocks tick meanwhile, a few times in all.
    const more = Object.entries(counts).filter(([type, count]) => count > (floor[type] ?? 0) + REQUESTS / 10);
    expect(more).toEqual([]);
  });

  test("what Node makes by itself is seen", () => {
    expect(floor["TickObject"]).toBeGreaterThan(REQUESTS);
  });
});
