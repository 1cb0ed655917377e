// One running server with several connections.
import { describe, expect, test, vi } from "vitest";
import { Connection } from "../../src/runtime/connection.ts";
import { Runtime } from "../../src/runtime/runtime.ts";
import { defineServer, resource, tool } from "../../src/index.ts";
import type { Json } from "../../src/wire/json-rpc.ts";
import { sampleServer } from "../fixtures/sample-server.ts";

interface Client {
  connection: Connection;
  /** All that came, without the answer to initialize. */
  came: Json[];
  send(message: Json): void;
}

function join(endpoint: Runtime, revision = "2025-11-25"): Client {
  const came: Json[] = [];
  const keep = (text: string | undefined): void => void (text !== undefined && came.push(JSON.parse(text)));
  const connection = new Connection(endpoint, { complete: keep, notify: keep, refuse: (error) => came.push({ error }) });
  const send = (message: Json): void => connection.receive(JSON.stringify({ jsonrpc: "2.0", ...message }));
  send({ id: 0, method: "initialize", params: { protocolVersion: revision, capabilities: {}, clientInfo: { name: "c", version: "1" } } });
  send({ method: "notifications/initialized" });
  came.length = 0;
  return { connection, came, send };
}

const call = (name: string, args: Json = {}): Json => ({ id: 1, method: "tools/call", params: { name, arguments: args } });

describe("KIT-11 LOG-16 SUB-02 G5 isolates connections", () => {
  test("with their own levels, subscriptions, ids and revisions", async () => {
    const endpoint = new Runtime(sampleServer());
    const [a, b] = [join(endpoint), join(endpoint, "2024-11-05")];
    a.send({ id: 1, method: "logging/setLevel", params: { level: "error" } });
    a.send({ id: 2, method: "resources/subscribe", params: { uri: "sample://text" } });
    await vi.waitFor(() => expect(a.came).toHaveLength(2), 30_000);
    a.came.length = 0;
    b.send(call("touch", { uri: "sample://text" }));
    b.send(call("log", { data: "x" }));
    a.send(call("log", { data: "x" }));
    expect(b.came.filter(({ method }) => method === "notifications/message")).toHaveLength(4);
    expect(b.came.filter(({ method }) => method === "notifications/resources/updated")).toEqual([]);
    expect(a.came.filter(({ method }) => method === "notifications/message")).toHaveLength(1);
    expect(a.came.filter(({ method }) => method === "notifications/resources/updated")).toHaveLength(1);

    // The same id is in use on both, and a cancel reaches one's own only.
    for (const one of [a, b]) {
      one.came.length = 0;
      one.send({ id: "slow", method: "tools/call", params: { name: "slow", arguments: { ms: 30 } } });
    }
    a.send({ method: "notifications/cancelled", params: { requestId: "slow" } });
    await vi.waitFor(() => expect(b.came).toHaveLength(1), 30_000);
    expect(a.came).toEqual([]);

    const titled = (one: Client): boolean => {
      one.came.length = 0;
      one.send({ id: "list", method: "tools/list" });
      return JSON.stringify(one.came).includes('"title":"Echo"');
    };
    expect([titled(a), titled(b), titled(a)]).toEqual([true, false, true]);
    await endpoint.close();
  });

  test("and notifies all ready ones of a changed list", async () => {
    const server = sampleServer();
    const endpoint = new Runtime(server);
    const clients = [join(endpoint), join(endpoint)];
    server.tools.add(tool({ name: "new", run: () => "" }));
    server.resources.add(resource({ uri: "a:b", name: "b", read: () => "" }));
    for (const { came } of clients)
      expect(came.map(({ method }) => method)).toEqual(["notifications/tools/list_changed", "notifications/resources/list_changed"]);
    await endpoint.close();
    server.tools.add(tool({ name: "newer", run: () => "" }));
    for (const { came } of clients) expect(came).toHaveLength(2);
  });
});

test("and encodes a list once for each revision, until it changes", () => {
  let listed = 0;
  const one = tool({ name: "t", run: () => "" });
  const counting = { ...one, listing: () => (listed++, one.listing()) };
  const server = defineServer({ name: "x", version: "1", tools: [counting] });
  const endpoint = new Runtime(server);
  const a = join(endpoint);
  const list = (client: Client): void => client.send({ id: 1, method: "tools/list" });
  for (let time = 0; time < 5; time++) list(a);
  list(join(endpoint));
  expect(listed).toBe(1);
  list(join(endpoint, "2025-06-18"));
  expect(listed).toBe(2);
  server.tools.add(tool({ name: "u", run: () => "" }));
  list(a);
  expect(listed).toBe(3);
});

describe("the end", () => {
  test("closes the server once, aborts running requests, and lets the server be served again", async () => {
    const close = vi.fn<() => void>();
    const ended: unknown[] = [];
    const hang = tool({
      name: "hang",
      run: (_input, { signal }) =>
        new Promise<string>(() => signal.addEventListener("abort", () => ended.push((signal.reason as Error).message))),
    });
    const server = defineServer({ name: "x", version: "1", tools: [hang], close });
    const endpoint = new Runtime(server);
    const client = join(endpoint);
    client.send(call("hang"));
    expect(client.connection.running).toBe(1);
    expect(() => new Runtime(server)).toThrow("served already");
    await endpoint.close();
    expect(close).toHaveBeenCalledTimes(1);
    expect(ended).toEqual(["the server is shutting down"]);
    expect(client.came).toMatchObject([{ id: 1, result: { isError: true } }]);
    expect(client.connection.running).toBe(0);
    await new Runtime(server).close();
  });

  test("lets requests in flight finish within the grace time, and ends client requests at once", async () => {
    const endpoint = new Runtime(sampleServer());
    const client = join(endpoint);
    client.send(call("slow", { ms: 20 }));
    await client.connection.finish(5000);
    expect(client.came).toMatchObject([{ id: 1, result: { content: [{ text: "slow waited" }] } }]);
    await endpoint.close();
  });
});

test("KIT-12 K3 leaves nothing behind after 200 connections", async () => {
  const timers = (): number => process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;
  const endpoint = new Runtime(sampleServer());
  const base = timers();
  for (let at = 0; at < 200; at++) {
    const { connection, send } = join(endpoint);
    send({ id: 1, method: "resources/subscribe", params: { uri: "sample://text" } });
    send({ id: 2, method: "tools/call", params: { name: "slow" } });
    await connection.finish(0);
  }
  await endpoint.close();
  expect(timers()).toBeLessThanOrEqual(base);
});

test("notifies of hundreds of changes in one turn once for each list", async () => {
  const endpoint = new Runtime(sampleServer());
  const { came } = join(endpoint);
  const { tools, resources } = endpoint.server;
  for (let at = 0; at < 300; at++) {
    tools.add(tool({ name: `more_${at}`, run: () => "" }));
    resources.add(resource({ uri: `more://${at}`, name: `more ${at}`, read: () => "" }));
  }
  expect(came.map(({ method }) => method)).toEqual(["notifications/tools/list_changed", "notifications/resources/list_changed"]);
  await Promise.resolve();
  tools.remove("more_0");
  expect(came.at(-1)).toEqual({ jsonrpc: "2.0", method: "notifications/tools/list_changed" });
  expect(came).toHaveLength(3);
});
