// Requests of the stateless era: what is refused, how calls are counted, and what the end of the server does.
import { afterEach, describe, expect, test, vi } from "vitest";
import type { HttpOptions } from "../../../../src/fetch.ts";
import { defineServer, tool, type InteractiveContext } from "../../../../src/index.ts";
import { HttpHandler } from "../../../../src/transports/http/handler.ts";
import { RecordedExchange } from "../../../support/recorded-exchange.ts";
import { note } from "../../../support/sample.ts";
import { asks, NEWEST, posting } from "../../../support/stateless-message.ts";

const handlers: HttpHandler[] = [];
afterEach(() => Promise.all(handlers.splice(0).map((handler) => handler.close(0))));

function serve(options: HttpOptions = {}) {
  const works: InteractiveContext[] = [];
  const work = tool({
    name: "work",
    run: (_input, ctx) =>
      new Promise<string>((_done, fail) => {
        ctx.signal.addEventListener("abort", () => fail(ctx.signal.reason as Error)); // the kit's own
        works.push(ctx);
      }),
  });
  const greet = tool({ name: "greet", run: () => "hello" });
  const handler = new HttpHandler(defineServer({ name: "shop", version: "1.0.0", tools: [work, greet] }), options);
  handlers.push(handler);
  const begin = (message: ReturnType<typeof asks>, more: Record<string, string> = {}): RecordedExchange => {
    const { headers, body } = posting(message);
    const exchange = new RecordedExchange({ headers: { ...(headers as Record<string, string>), ...more }, body });
    void handler.handle(exchange);
    return exchange;
  };
  const send = async (...sent: Parameters<typeof begin>): Promise<RecordedExchange> => {
    const exchange = begin(...sent);
    await vi.waitFor(() => expect(exchange.response ?? (exchange.state === "ended" || undefined)).toBeDefined(), {
      timeout: 30_000,
      interval: 1,
    });
    return exchange;
  };
  return { handler, works, begin, send };
}

const GREET = asks("tools/call", { name: "greet", arguments: {} });
const WORK = asks("tools/call", { name: "work", arguments: {} });
const LISTEN = asks("subscriptions/listen", { notifications: { toolsListChanged: true } });
const errorOf = ({ response }: RecordedExchange): unknown => {
  const { id, error } = JSON.parse(response?.[2] ?? "{}") as { id?: unknown; error?: { code: number; message: string } };
  return { status: response?.[0], id, code: error?.code, message: error?.message };
};

test("requires one request or notification with an object as its params", async () => {
  const { send } = serve();
  const raw = (body: unknown) => send(body as ReturnType<typeof asks>, { "mcp-method": "tools/list" });
  expect(errorOf(await raw({ jsonrpc: "2.0", id: 1, method: "tools/list", params: 7 }))).toEqual({
    status: 400,
    id: 1,
    code: -32_602,
    message: "Invalid params: expected an object.",
  });
  const single = { status: 400, id: undefined, code: -32_600, message: "Invalid Request: expected one request or notification." };
  for (const body of [[GREET], { jsonrpc: "2.0", id: 1, result: {} }, { jsonrpc: "2.0", method: 7 }])
    expect(errorOf(await raw(body))).toEqual(single);
  expect((await raw(note("notifications/cancelled", { requestId: 1 }))).response).toEqual([202, [], undefined]);
});

test("requires headers that repeat version and method of the body", async () => {
  const { send } = serve();
  expect(errorOf(await send(GREET, { "mcp-method": "tools/list" }))).toMatchObject({ status: 400, id: 1, code: -32_020 });
  expect(errorOf(await send(asks("tools/list", {}, { meta: { "io.modelcontextprotocol/protocolVersion": "2025-11-25" } })))).toMatchObject({
    status: 400,
    id: 1,
  });
  expect((await send(GREET, { "mcp-protocol-version": NEWEST })).response?.[0]).toBe(200);
});

describe("refuses calls beyond the rate", () => {
  const auth = { check: (token: string) => Promise.resolve({ principal: token, scopes: ["shop:read", "shop:write"], claims: {} }) };
  const statuses = async (send: ReturnType<typeof serve>["send"], count: number, headers = {}): Promise<unknown[]> => {
    const all: unknown[] = [];
    for (let at = 0; at < count; at += 1) all.push((await send(GREET, headers)).response?.[0]);
    return all;
  };

  test("for each principal", async () => {
    const { send } = serve({ auth, limits: { callsPerSecond: 0.001 } });
    for (const name of ["ann", "ben"]) {
      const all = await statuses(send, 3, { authorization: `Bearer ${name}` });
      expect([all[0], all.at(-1)]).toEqual([200, 429]);
    }
    expect(await statuses(send, 1, { authorization: "Bearer ann" })).toEqual([429]);
    expect((await send(asks("tools/list"), { authorization: "Bearer ann" })).response?.[0]).toBe(200);
  });

  test("for all clients without a token together", async () => {
    const { send } = serve({ limits: { callsPerSecond: 0.001 } });
    expect((await statuses(send, 3)).at(-1)).toBe(429);
  });
});

test("streams a subscription at once, until its client or the server ends it", async () => {
  const { handler, begin, send } = serve();
  const [left, stays] = [begin(LISTEN), begin(LISTEN)];
  await expect.poll(() => [left.state, stays.state]).toEqual(["open", "open"]);
  await send(GREET);
  expect(handler.counts().streams).toBe(2);
  left.close();
  expect(handler.counts().streams).toBe(1);
  await handler.close(0);
  expect([stays.state, handler.counts().streams]).toEqual(["ended", 0]);
});

test("cancels the request of a client that disconnects, and names it as the reason", async () => {
  const { handler, begin, works } = serve();
  const exchange = begin(WORK);
  await expect.poll(() => works).toHaveLength(1);
  exchange.close();
  await expect.poll(() => handler.counts().running).toBe(0);
  expect(String(works[0]?.signal.reason)).toContain("the client closed the stream");
});

test("cancels slow work at the end of the server", async () => {
  const { handler, begin, works } = serve();
  begin(WORK);
  await expect.poll(() => works).toHaveLength(1);
  expect(handler.counts()).toEqual({ sessions: 0, streams: 0, running: 1 });
  await handler.close(0);
  expect([works[0]?.signal.aborted, String(works[0]?.signal.reason)]).toEqual([
    true,
    expect.stringContaining("the server is shutting down"),
  ]);
});
