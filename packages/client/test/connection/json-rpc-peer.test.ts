import { describe, expect, test, vi } from "vitest";
import { McpError, type Json } from "@oarlock/server-kit/protocol";
import { InvalidResponseError, ConnectionClosedError, RequestTimeoutError, type Progress } from "@oarlock/client";
import { failure, connectSession } from "../support/scripted-peer.ts";

describe("requests", () => {
  test("JSON-01 JSON-03 JSON-04 JSON-09: sends JSON-RPC 2.0 with unique integer ids", async () => {
    const { peer, client } = await connectSession();
    for (let round = 0; round < 50; round++) {
      const pinging = client.ping();
      await peer.answer("ping", {});
      await pinging;
      client.notify("notifications/made/up", { round });
      await peer.next();
    }
    expect(peer.received.every(({ jsonrpc }) => jsonrpc === "2.0")).toBe(true);
    const ids = peer.received.filter(({ method }) => !String(method).startsWith("notifications/")).map(({ id }) => id);
    expect(ids).toHaveLength(51);
    expect(ids.every(Number.isInteger)).toBe(true);
    expect(new Set(ids).size).toBe(ids.length);
    expect(peer.received.filter(({ method }) => String(method).startsWith("notifications/")).every((message) => !("id" in message))).toBe(
      true,
    );
  });

  test("throws an error as McpError with code, message and data", async () => {
    const { peer, client } = await connectSession();
    const failed = failure(client.request("tools/call", { name: "x" }));
    const { id } = await peer.next();
    peer.send({ id, error: { code: -32602, message: "Unknown tool: x", data: { hint: 1 } } });
    expect(await failed).toEqual(new McpError(-32602, "Unknown tool: x", { hint: 1 }));
  });

  test("JSON-06: names a response with the id as a string, and does not take it", async () => {
    const { peer, client } = await connectSession();
    const failed = failure(client.request("x"));
    const { id } = await peer.next();
    peer.send({ id: String(id), result: { wrong: true } });
    expect(await failed).toEqual(
      new InvalidResponseError(`Invalid response: the server has turned the id ${String(id)} of the request into text`),
    );
  });

  test.each([[[]], ["text"], [null]])("refuses the result %j", async (result) => {
    const { peer, client } = await connectSession();
    const failed = failure(client.request("x"));
    const { id } = await peer.next();
    peer.send({ id, result });
    expect(await failed).toBeInstanceOf(InvalidResponseError);
  });

  test.each<Json>([
    { error: "text" },
    { error: { code: -32000, message: "no" }, result: null },
    { jsonrpc: "1.0", result: {} },
    { jsonrpc: undefined, result: {} },
    {},
  ])("JSON-06: ends the request at the invalid response %j", async (members) => {
    const { peer, client } = await connectSession();
    const failed = failure(client.request("x"));
    const { id } = await peer.next();
    peer.send({ id, ...members });
    expect(await failed).toBeInstanceOf(InvalidResponseError);
    expect((await failed).message).toMatch(/^Invalid response: expected "jsonrpc":"2\.0" and either .*, got \{/);
  });

  test("reports a callback that throws, and goes on", async () => {
    const faults: string[] = [];
    const fail = (): never => {
      throw new Error("no");
    };
    const { peer, client } = await connectSession({ onNotification: fail, onFault: (fault) => faults.push(fault) });
    const asked = client.call("x", {}, { onProgress: fail });
    const { id } = await peer.next();
    peer.send({ method: "notifications/progress", params: { progressToken: id, progress: 1 } });
    peer.send({ method: "notifications/x" });
    peer.send({ id, result: { content: [] } });
    expect(await asked).toEqual({ content: [] });
    expect(faults).toEqual(["progress", "x"].map((name) => `The client's handler of notifications/${name} failed: no`));
  });

  test("ends the request at an error without an integer code", async () => {
    const { peer, client } = await connectSession();
    const failed = failure(client.request("x"));
    const { id } = await peer.next();
    peer.send({ id, error: { code: "E1" } });
    expect(await failed).toEqual(new McpError(-32603, "No message"));
  });

  test("JSON-21: ignores unknown members", async () => {
    const { peer, client } = await connectSession();
    const asked = client.call("x");
    const { id } = await peer.next();
    peer.send({ id, more: 1, result: { content: [], also: true } });
    expect(await asked).toEqual({ content: [], also: true });
  });
});

describe("cancelling", () => {
  test.each(["2024-11-05", "2025-11-25"])(
    "CANCEL-01 CANCEL-13 CANCEL-14: sends the id and the reason when aborted — %s",
    async (revision) => {
      const { peer, client } = await connectSession({ revision });
      const abort = new AbortController();
      const failed = failure(client.call("slow", {}, { signal: abort.signal }));
      const { id } = await peer.next();
      abort.abort(new Error("changed my mind"));
      expect((await failed).message).toBe("changed my mind");
      expect(await peer.next()).toEqual({
        jsonrpc: "2.0",
        method: "notifications/cancelled",
        params: { requestId: id, reason: "changed my mind" },
      });
    },
  );

  test("CANCEL-05: ignores a late response", async () => {
    const { peer, client } = await connectSession();
    const abort = new AbortController();
    const failed = failure(client.call("slow", {}, { signal: abort.signal }));
    const { id } = await peer.next();
    abort.abort();
    expect(await failed).toBeInstanceOf(Error);
    peer.send({ id, result: { content: [] } });
    peer.send({ id, error: { code: 1, message: "late" } });
    const pinging = client.ping();
    await peer.next();
    await peer.answer("ping", {});
    await pinging;
  });

  test("CANCEL-06: accepts the first of response and abort in one tick and cancels nothing afterwards", async () => {
    const { peer, client } = await connectSession();
    const abort = new AbortController();
    const asked = client.call("quick", {}, { signal: abort.signal });
    const { id } = await peer.next();
    const before = peer.received.length;
    peer.send({ id, result: { content: [] } });
    abort.abort();
    expect(await asked).toEqual({ content: [] });
    expect(peer.received).toHaveLength(before);
  });

  test("CANCEL-01: sends nothing for an aborted signal", async () => {
    const { peer, client } = await connectSession();
    const before = peer.received.length;
    await expect(client.ping({ signal: AbortSignal.abort() })).rejects.toThrow("aborted");
    expect(peer.received).toHaveLength(before);
  });
});

describe("time limits", () => {
  test("TIME-01 TIME-02 TIME-03: cancels each request at its own limit", async () => {
    const { peer, client } = await connectSession({ timeoutMs: 60_000 });
    const failed = failure(client.ping({ timeoutMs: 10 }));
    const longer = client.request("patient");
    const { id } = await peer.next();
    const patient = await peer.next();
    expect(await failed).toEqual(new RequestTimeoutError("ping", 10, false));
    expect(await peer.next()).toMatchObject({ method: "notifications/cancelled", params: { requestId: id } });
    peer.send({ id: patient.id, result: {} });
    expect(await longer).toEqual({});
  });

  describe("with a fake clock", () => {
    test("TIME-04 TIME-05: restarts the timeout on progress, up to the total limit", async () => {
      const { peer, client } = await connectSession();
      vi.useFakeTimers();
      try {
        let error: unknown;
        const asked = client.call("slow", {}, { timeoutMs: 100, maxTotalMs: 250, onProgress: () => undefined });
        asked.catch((reason: unknown) => (error = reason));
        const { id } = await peer.next();
        for (let step = 1; step <= 3; step++) {
          await vi.advanceTimersByTimeAsync(80);
          peer.send({ method: "notifications/progress", params: { progressToken: id, progress: step } });
        }
        expect(error).toBeUndefined();
        await vi.advanceTimersByTimeAsync(20);
        expect(error).toEqual(new RequestTimeoutError("tools/call", 250, true));
      } finally {
        vi.useRealTimers();
      }
    });

    test("TIME-01: pauses the timeout during an elicitation", async () => {
      const answered = Promise.withResolvers<void>();
      const { peer, client } = await connectSession({ elicit: () => answered.promise.then(() => ({ action: "decline" })) });
      vi.useFakeTimers();
      try {
        let error: unknown;
        client.call("asks", {}, { timeoutMs: 100 }).catch((reason: unknown) => (error = reason));
        await peer.next();
        const params = { message: "Sure?", requestedSchema: { type: "object", properties: {} } };
        peer.send({ id: "q", method: "elicitation/create", params });
        await vi.advanceTimersByTimeAsync(1000);
        expect(error).toBeUndefined();
        answered.resolve();
        expect(await peer.next()).toMatchObject({ id: "q", result: { action: "decline" } });
        await vi.advanceTimersByTimeAsync(100);
        expect(error).toEqual(new RequestTimeoutError("tools/call", 100, false));
      } finally {
        vi.useRealTimers();
      }
    });

    test("TIME-03: allows requests without a limit", async () => {
      const { peer, client } = await connectSession();
      vi.useFakeTimers();
      try {
        const asked = client.request("x", {}, { timeoutMs: Infinity, maxTotalMs: Infinity });
        const { id } = await peer.next();
        await vi.advanceTimersByTimeAsync(10 ** 9);
        peer.send({ id, result: { at: "last" } });
        expect(await asked).toEqual({ at: "last" });
      } finally {
        vi.useRealTimers();
      }
    });

    test("PING-02 PING-03: pings at the configured rate and closes after an unanswered ping", async () => {
      vi.useFakeTimers();
      try {
        const faults: string[] = [];
        const { peer, client } = await connectSession({ pingEveryMs: 1000, onFault: (what) => faults.push(what) });
        const before = peer.received.length;
        await vi.advanceTimersByTimeAsync(1000);
        await peer.answer("ping", {});
        await vi.advanceTimersByTimeAsync(1000);
        expect(peer.received).toHaveLength(before + 2);
        await vi.advanceTimersByTimeAsync(1000);
        expect(await client.closed).toEqual(new ConnectionClosedError("The server does not answer pings"));
        expect(peer.closed).toBe(true);
        expect(faults).toEqual(["Ping failed: Request ping timed out: no response within 1000 ms"]);
      } finally {
        vi.useRealTimers();
      }
    });
  });
});

describe("progress", () => {
  test("PROG-01 PROG-02 PROG-06 PROG-07: delivers progress by unique tokens", async () => {
    const { peer, client } = await connectSession();
    const heard: Record<string, Progress[]> = { a: [], b: [] };
    const both = [
      client.call("a", {}, { onProgress: (progress) => heard.a!.push(progress) }),
      client.request("b", { _meta: { "com.example/kept": 1 } }, { onProgress: (progress) => heard.b!.push(progress) }),
    ];
    const [a, b] = [await peer.next(), await peer.next()];
    const tokens = [a, b].map(({ params }) => (params as { _meta: { progressToken: unknown } })._meta.progressToken);
    expect(tokens.every(Number.isInteger)).toBe(true);
    expect(tokens[0]).not.toBe(tokens[1]);
    expect(b.params).toEqual({ _meta: { progressToken: tokens[1], "com.example/kept": 1 } });
    peer.send({ method: "notifications/progress", params: { progressToken: tokens[1], progress: 0.25, total: 0.5, message: "half" } });
    peer.send({ method: "notifications/progress", params: { progressToken: tokens[0], progress: 1 } });
    peer.send({ method: "notifications/progress", params: { progressToken: String(tokens[0]), progress: 2 } });
    peer.send({ method: "notifications/progress", params: { progressToken: tokens[0], progress: "3" } });
    for (const { id } of [a, b]) peer.send({ id, result: { content: [] } });
    await Promise.all(both);
    peer.send({ method: "notifications/progress", params: { progressToken: tokens[0], progress: 4 } });
    expect(heard).toEqual({ a: [{ progress: 1 }], b: [{ progress: 0.25, total: 0.5, message: "half" }] });
  });

  test("PROG-03: sends no token without a listener", async () => {
    const { peer, client } = await connectSession();
    void client.call("a", { x: 1 }).catch(() => undefined);
    expect((await peer.next()).params).toEqual({ name: "a", arguments: { x: 1 } });
  });
});

describe("incoming messages", () => {
  test("PING-01 JSON-06: answers a ping with its id, string or number", async () => {
    const { peer } = await connectSession();
    expect(await peer.request("1", "ping")).toEqual({ jsonrpc: "2.0", id: "1", result: {} });
    expect(await peer.request(1, "ping")).toEqual({ jsonrpc: "2.0", id: 1, result: {} });
  });

  test("takes null for the params of requests and notifications", async () => {
    const seen: unknown[] = [];
    const { peer } = await connectSession({
      onNotification: (method, params) => seen.push([method, params]),
      onFault: (what) => seen.push(what),
    });
    peer.send({ method: "notifications/tools/list_changed", params: null });
    peer.send({ id: "p", method: "ping", params: null });
    expect(await peer.next()).toEqual({ jsonrpc: "2.0", id: "p", result: {} });
    expect(seen).toEqual([["notifications/tools/list_changed", {}]]);
  });

  test.each([
    ["text that is not JSON", "Server ready!"],
    ["JSON without a message", "7"],
    ["another version", '{"jsonrpc":"1.0","method":"x"}'],
    ["an error without an id", '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}'],
    ["an answer to nothing", '{"jsonrpc":"2.0","id":99,"result":{}}'],
    ["an array (JSON-19)", '[{"jsonrpc":"2.0","id":1,"method":"ping"}]'],
  ])("LIFE-18 STDIO-04: reports %s to onFault and continues", async (_, text) => {
    const faults: string[] = [];
    const { peer, client } = await connectSession({ onFault: (what) => faults.push(what) });
    const before = peer.received.length;
    peer.send(text);
    expect(faults).toHaveLength(1);
    expect(peer.received).toHaveLength(before);
    const pinging = client.ping();
    await peer.answer("ping", {});
    await pinging;
  });

  test("JSON-10: answers no notification", async () => {
    const seen: string[] = [];
    const { peer } = await connectSession({ onNotification: (method) => seen.push(method) });
    const before = peer.received.length;
    for (const method of ["notifications/unknown", "notifications/progress", "notifications/cancelled", "constructor"])
      peer.send({ method });
    peer.send('{"jsonrpc":"2.0","method":"notifications/message","params":[]}');
    expect(await peer.request(1, "ping")).toEqual({ jsonrpc: "2.0", id: 1, result: {} });
    expect(peer.received).toHaveLength(before + 1);
    expect(seen).toEqual(["notifications/unknown", "notifications/progress", "notifications/cancelled", "constructor"]);
  });

  test("ERR-03 ERR-04: refuses unknown methods and params that are not an object", async () => {
    const { peer } = await connectSession();
    expect(await peer.request(1, "tools/list")).toEqual({ jsonrpc: "2.0", id: 1, error: { code: -32601, message: "Method not found" } });
    peer.send('{"jsonrpc":"2.0","id":2,"method":"ping","params":[]}');
    expect(await peer.next()).toEqual({ jsonrpc: "2.0", id: 2, error: { code: -32602, message: "params: expected an object" } });
  });

  test("handles at most a hundred requests at the same time", async () => {
    const { peer } = await connectSession({ roots: () => new Promise(() => undefined) });
    for (let id = 0; id < 100; id++) peer.send({ id, method: "roots/list" });
    expect(await peer.request(100, "roots/list")).toMatchObject({ id: 100, error: { code: -32603 } });
    expect(await peer.request(5, "roots/list")).toMatchObject({ id: 5, error: { code: -32600 } });
  });
});

describe("batches", () => {
  test("JSON-13 JSON-15: handles each message of an array and responds with one array — 2025-03-26", async () => {
    const logged: unknown[] = [];
    const { peer, client } = await connectSession({
      revision: "2025-03-26",
      roots: [{ uri: "file:///a" }],
      onLog: (entry) => logged.push(entry.data),
    });
    const asked = client.request("x");
    const { id } = await peer.next();
    peer.send(
      JSON.stringify([
        { jsonrpc: "2.0", id: 1, method: "ping" },
        { jsonrpc: "2.0", method: "notifications/message", params: { level: "info", data: "hello" } },
        { jsonrpc: "2.0", id: "r", method: "roots/list" },
        { jsonrpc: "2.0", id, result: { ok: true } },
      ]),
    );
    expect(await peer.next()).toEqual([
      { jsonrpc: "2.0", id: 1, result: {} },
      { jsonrpc: "2.0", id: "r", result: { roots: [{ uri: "file:///a" }] } },
    ]);
    expect(await asked).toEqual({ ok: true });
    expect(logged).toEqual(["hello"]);
  });

  test("JSON-15 JSON-16: sends nothing for an array without requests, one error for an empty one — 2025-03-26", async () => {
    const { peer } = await connectSession({ revision: "2025-03-26" });
    peer.send('[{"jsonrpc":"2.0","method":"notifications/x"}]');
    peer.send("[]");
    expect(await peer.next()).toEqual({
      jsonrpc: "2.0",
      id: null,
      error: { code: -32600, message: "Invalid Request: the batch is empty." },
    });
  });
});

describe("closing", () => {
  test("rejects pending and later requests when the connection ends", async () => {
    const { peer, client } = await connectSession();
    const waiting = [client.ping(), client.call("x"), client.tools().all()].map((asked) =>
      expect(asked).rejects.toThrow(new ConnectionClosedError("the pipe broke")),
    );
    await peer.next();
    peer.wire.onClose?.(new Error("the pipe broke"));
    await Promise.all(waiting);
    expect(await client.closed).toEqual(new ConnectionClosedError("the pipe broke"));
    await expect(client.ping()).rejects.toThrow(new ConnectionClosedError("the pipe broke"));
    const before = peer.received.length;
    client.notify("notifications/x");
    expect(peer.received).toHaveLength(before);
  });

  test("rejects pending requests, aborts requests of the server, and may run twice", async () => {
    const stopped = Promise.withResolvers<unknown>();
    const { peer, client } = await connectSession({
      elicit: (_, signal) =>
        new Promise((_, reject) => {
          signal.addEventListener("abort", () => (stopped.resolve(signal.reason), reject(new Error("stopped"))));
        }),
    });
    const failed = failure(client.ping());
    peer.send({ id: 1, method: "elicitation/create", params: { message: "?", requestedSchema: { type: "object", properties: {} } } });
    await Promise.resolve();
    await client.close();
    await client.close();
    expect(await failed).toEqual(new ConnectionClosedError("The client closed the connection"));
    expect(await stopped.promise).toEqual(new ConnectionClosedError("The client closed the connection"));
    expect(peer.closed).toBe(true);
  });
});
