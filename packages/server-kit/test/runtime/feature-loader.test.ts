// Features that load late: `initialize` is answered at once, and no client sees a server without its lists.
import { describe, expect, test, vi } from "vitest";
import { Connection } from "../../src/runtime/connection.ts";
import { Runtime } from "../../src/runtime/runtime.ts";
import { defineServer, tool, type LazyFeatures, type Server } from "../../src/index.ts";
import { serveHttp } from "../../src/node.ts";
import type { Json } from "../../src/wire/json-rpc.ts";

const TOOLS = { tools: { listChanged: true } };
const hello = tool({ name: "hello", hints: { readOnly: true }, run: () => "Hello" });
const slow = tool({
  name: "slow",
  run: (_, { signal }) => new Promise<string>((_resolve, reject) => signal.addEventListener("abort", () => reject(new Error("stopped")))),
});

const serverOf = (load: LazyFeatures["load"], capabilities: LazyFeatures["capabilities"] = TOOLS): Server =>
  defineServer({ name: "late", version: "1.0.0", lazy: { capabilities, load } });

function client(endpoint: Runtime) {
  const came: Json[] = [];
  const keep = (text: string | undefined): void => void (text !== undefined && came.push(JSON.parse(text)));
  const connection = new Connection(endpoint, { complete: keep, notify: keep, refuse: (error) => came.push({ error }) });
  const send = (...messages: Json[]): void =>
    messages.forEach((message) => connection.receive(JSON.stringify({ jsonrpc: "2.0", ...message })));
  return { came, send, connection };
}

const INITIALIZE = {
  id: 0,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "c", version: "1" } },
};
const ALONE = { "io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {} };
const call = (id: number, name: string): Json => ({ id, method: "tools/call", params: { name } });
const ids = (came: readonly Json[]): unknown[] => came.map(({ id }) => id);

describe("a late offer", () => {
  test("answers the handshake before anything is loaded, from the declaration", async () => {
    const load = vi.fn<LazyFeatures["load"]>(async () => ({ tools: [hello] }));
    const endpoint = new Runtime(serverOf(load));
    const { came, send } = client(endpoint);
    send(INITIALIZE);
    expect(came).toMatchObject([{ id: 0, result: { capabilities: TOOLS } }]);
    expect(load).not.toHaveBeenCalled();
    // It is loaded then without being asked for.
    await vi.waitFor(() => expect(endpoint.server.isLoading).toBe(false), 30_000);
    expect(load).toHaveBeenCalledTimes(1);
    await endpoint.close();
  });

  test("queues dependent messages in order: a list, a call, and the cancellation of the call", async () => {
    const gate = Promise.withResolvers<void>();
    const endpoint = new Runtime(serverOf(() => gate.promise.then(() => ({ tools: [hello, slow] }))));
    const { came, send } = client(endpoint);
    send(INITIALIZE, { method: "notifications/initialized" }, { id: 1, method: "tools/list" }, call(2, "slow"));
    send({ method: "notifications/cancelled", params: { requestId: 2 } }, call(3, "hello"), { id: 4, method: "ping" });
    expect(ids(came)).toEqual([0, 4]);
    gate.resolve();
    await vi.waitFor(() => expect(came).toHaveLength(4), 30_000);
    expect(ids(came)).toEqual([0, 4, 1, 3]);
    expect(came[2]).toMatchObject({ result: { tools: [{ name: "hello" }, { name: "slow" }] } });
    // No change is notified: no client has seen other lists.
    expect(came.filter(({ method }) => method !== undefined)).toEqual([]);
    await endpoint.close();
  });

  test("LIFE-19 refuses a request ahead of the handshake, also when the handshake follows before anything is loaded", async () => {
    const endpoint = new Runtime(serverOf(async () => ({ tools: [hello] })));
    const { came, send } = client(endpoint);
    send(call(1, "hello"), INITIALIZE, call(2, "hello"));
    expect(came).toMatchObject([{ id: 1, error: { code: -32602, message: expect.stringContaining("Not initialized") } }, { id: 0 }]);
    await vi.waitFor(() => expect(came).toHaveLength(3), 30_000);
    expect(came[2]).toMatchObject({ id: 2, result: { content: [{ text: "Hello" }] } });
    await endpoint.close();
  });

  test("answers discovery at once in the newest era, and a list once it is loaded", async () => {
    const endpoint = new Runtime(serverOf(async () => ({ tools: [hello] })));
    const { came, send } = client(endpoint);
    send({ id: 1, method: "server/discover", params: { _meta: ALONE } }, { id: 2, method: "tools/list", params: { _meta: ALONE } });
    expect(ids(came)).toEqual([1]);
    await vi.waitFor(() => expect(came).toHaveLength(2), 30_000);
    expect(came[1]).toMatchObject({ id: 2, result: { tools: [{ name: "hello" }] } });
    await endpoint.close();
  });

  test("keeps queued requests at the end of input", async () => {
    const endpoint = new Runtime(serverOf(async () => ({ tools: [hello] })));
    const { came, send, connection } = client(endpoint);
    send(INITIALIZE, call(1, "hello"));
    await connection.finish(1000);
    expect(came).toMatchObject([{ id: 0 }, { id: 1, result: { content: [{ text: "Hello" }] } }]);
    await endpoint.close();
  });

  test("loses nothing over HTTP", async () => {
    const served = await serveHttp(
      serverOf(async () => ({ tools: [hello] })),
      { port: 0 },
    );
    const headers = { "content-type": "application/json", accept: "application/json, text/event-stream", "mcp-method": "tools/list" };
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params: { _meta: ALONE } });
    const answer = await fetch(served.url, { method: "POST", body, headers: { ...headers, "mcp-protocol-version": "2026-07-28" } });
    expect(await answer.json()).toMatchObject({ id: 1, result: { tools: [{ name: "hello" }] } });
    await served.stop();
  });

  test("reports an error to each dependent request when it breaks its declaration or does not load, and keeps the server", async () => {
    for (const server of [
      serverOf(async () => ({ tools: [hello], prompts: [] })),
      serverOf(async () => {
        throw new Error("no such file");
      }),
    ]) {
      const log = vi.fn<(level: string, data: unknown) => void>();
      const endpoint = new Runtime(server, { log });
      const { came, send } = client(endpoint);
      send(INITIALIZE, { id: 1, method: "tools/list" }, { id: 2, method: "ping" });
      await vi.waitFor(() => expect(came).toHaveLength(3), 30_000);
      expect(came.find(({ id }) => id === 1)).toMatchObject({ error: { code: -32603 } });
      expect(String(log.mock.calls[0]?.[1])).toMatch(/no such file|declared as/);
      await endpoint.close();
    }
  });

  test("JSON-15 JSON-10 answers each request of a batch when it does not load, and no responses and notifications", async () => {
    const endpoint = new Runtime(
      serverOf(async () => {
        throw new Error("no such file");
      }),
    );
    const { came, send, connection } = client(endpoint);
    send({ ...INITIALIZE, params: { ...INITIALIZE.params, protocolVersion: "2025-03-26" } });
    const batch = [{ id: "a", method: "tools/list" }, { method: "notifications/x" }, { id: "b", method: "tools/list", params: 1 }];
    connection.receive(JSON.stringify(batch.map((message) => ({ jsonrpc: "2.0", ...message }))));
    send({ id: 77, result: {} }, { method: "notifications/x" }, { id: 5 }, { id: 6, method: "tools/list" });
    const error = { code: -32603, message: expect.any(String) };
    const failed = (id: unknown): Json => ({ jsonrpc: "2.0", id, error });
    await vi.waitFor(() => expect(came.slice(1)).toEqual([[failed("a"), failed("b")], failed(5), failed(6)]), 30_000);
    await endpoint.close();
  });

  test("closes what it opened with the server, if it loaded", async () => {
    const close = vi.fn<() => void>();
    const server = serverOf(async () => ({ tools: [], close }));
    await server.close();
    expect(close).not.toHaveBeenCalled();
    await server.ready();
    await server.close();
    expect(close).toHaveBeenCalledTimes(1);
  });

  test("closes it with the server even if it breaks its declaration", async () => {
    const close = vi.fn<() => void>();
    const server = serverOf(async () => ({ prompts: [], close }));
    await expect(server.ready()).rejects.toThrow("declared as");
    await server.close();
    expect(close).toHaveBeenCalledTimes(1);
  });

  test("assumes and requires all features without a declaration", async () => {
    const server = defineServer({ name: "late", version: "1.0.0", lazy: { load: async () => ({ tools: [hello] }) } });
    expect(server.capabilities).toMatchObject({ ...TOOLS, resources: { subscribe: true }, prompts: {}, completions: {} });
    await expect(server.ready()).rejects.toThrow("declared as");
  });

  test("gives a server its lists now or late", () => {
    expect(() => defineServer({ name: "x", version: "1", tools: [], lazy: { capabilities: {}, load: async () => ({}) } })).toThrow("lazy");
  });
});
