// Stateless streams: closing one cancels, a broken one is not resumed, and requests of the server get no response.
import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { describe, expect, test } from "vitest";
import type { Json } from "@oarlock/server-kit/protocol";
import {
  InvalidResponseError,
  connect,
  HttpStatusError,
  InterruptedError,
  RequestTimeoutError,
  type Client,
  type ConnectOptions,
  type Progress,
} from "@oarlock/client";
import { event, events, json, type Act, type ScriptedHttpServer, type Seen } from "../support/scripted-http-server.ts";
import { failure } from "../support/scripted-peer.ts";
import { give, connectStateless, NEWEST, serveStateless, refuse, subscriptionId } from "../support/stateless-peers.ts";

async function connectSession(
  act: Act,
  options: ConnectOptions = {},
): Promise<{ server: ScriptedHttpServer; client: Client; faults: string[] } & AsyncDisposable> {
  const server = await serveStateless(act);
  const faults: string[] = [];
  const client = await connect(server, { revision: NEWEST, onFault: (what) => faults.push(what), ...options });
  return {
    server,
    client,
    faults,
    async [Symbol.asyncDispose]() {
      await client.close();
      await server[Symbol.asyncDispose]();
    },
  };
}

const on =
  (method: string, act: Act): Act =>
  (seen, response) =>
    seen.message.method === method ? act(seen, response) : false;

describe("CANCEL-10 cancelling a request", () => {
  test.each<[string, ConnectOptions["timeoutMs"]]>([
    ["by its signal", 10_000],
    ["by its time", 400],
  ])("CANCEL-10 %s closes its stream and posts nothing", async (_, timeoutMs) => {
    const closed = Promise.withResolvers<void>();
    await using it = await connectSession(
      on("tools/call", async (__, response) => {
        void once(events(response, ":\n\n"), "close").then(() => closed.resolve());
      }),
    );
    const abort = new AbortController();
    const failed = failure(it.client.call("x", {}, { signal: abort.signal, ...(timeoutMs !== undefined && { timeoutMs }) }));
    await expect.poll(() => it.server.of("tools/call")).toHaveLength(1);
    if (timeoutMs !== 400) abort.abort(new Error("enough"));
    expect((await failed).message).toBe(timeoutMs === 400 ? new RequestTimeoutError("tools/call", 400, false).message : "enough");
    await closed.promise;
    expect(it.server.seen.map(({ message }) => message.method)).toEqual(["server/discover", "tools/call"]);
    expect(it.faults).toEqual([]);
  });
});

describe("HTTP-54 a stream that breaks before its response", () => {
  const broken = (how: string, { message }: Seen, response: ServerResponse): void => {
    if (how === "is cut")
      events(response, event({ method: "notifications/message", params: { level: "info", data: 1 } }, "7"), "").flushHeaders();
    if (how === "is cut") return void setImmediate(() => response.destroy());
    if (how === "ends") return void events(response, "id: 7\ndata:\n\n").end();
    response.writeHead(200, { "content-type": "application/json", "content-length": "100" }).write(`{"id":${Number(message.id)},`);
    setImmediate(() => response.destroy());
  };

  test.each(["is cut", "ends", "is cut in its JSON"])("HTTP-54 JSON-05 repeats a reading request with a new id when it %s", async (how) => {
    let times = 0;
    await using it = await connectSession(
      on("resources/read", (seen, response) => (times++ === 0 ? broken(how, seen, response) : give(seen, response, { contents: [] }))),
    );
    expect(await it.client.read("a://b")).toEqual({ contents: [] });
    const [first, second] = it.server.of("resources/read");
    expect(second?.message.id).not.toBe(first?.message.id);
    expect({ ...second?.message, id: 0 }).toEqual({ ...first?.message, id: 0 });
    for (const { http, headers } of it.server.seen) {
      expect(http).toBe("POST");
      expect(headers).not.toHaveProperty("last-event-id");
    }
  });

  test.each(["is cut", "ends"])("HTTP-54 does not call a tool again when it %s", async (how) => {
    await using it = await connectSession(on("tools/call", (seen, response) => broken(how, seen, response)));
    expect(await failure(it.client.call("x"))).toBeInstanceOf(InterruptedError);
    expect(it.server.of("tools/call")).toHaveLength(1);
  });

  test("HTTP-54 repeats a request only once", async () => {
    await using it = await connectSession(on("tools/list", (seen, response) => broken("ends", seen, response)));
    expect(await failure(it.client.tools().all())).toBeInstanceOf(InterruptedError);
    expect(it.server.of("tools/list")).toHaveLength(2);
  });
});

describe("SUB-20 a subscription whose stream breaks", () => {
  test("SUB-20 SUB-16 reopens and gets the notifications that it may have missed, also after the server ended it", async () => {
    const streams: ServerResponse[] = [];
    await using it = await connectSession(
      on("subscriptions/listen", ({ message }, response) => {
        const { notifications } = message.params as Json;
        streams.push(
          events(
            response,
            event({ method: "notifications/subscriptions/acknowledged", params: { notifications, ...subscriptionId(message.id) } }),
          ),
        );
      }),
    );
    const listening = it.client.listen({ tools: true, uris: ["a://b"] });
    await listening.ready;
    streams[0]?.destroy();
    expect([await listening.next(), await listening.next()].map(({ value }) => value)).toEqual([
      { kind: "tools" },
      { kind: "updated", uri: "a://b" },
    ]);
    const [first, second] = it.server.of("subscriptions/listen");
    expect(second?.message.params).toEqual(first?.message.params);
    expect(second?.message.id).not.toBe(first?.message.id);
    streams[1]?.end(event({ id: second?.message.id, result: { resultType: "complete" } }));
    expect(await listening.next()).toEqual({ value: { kind: "tools" }, done: false });
    expect(it.server.of("subscriptions/listen")).toHaveLength(3);
    expect(it.faults).toEqual([]);
  });

  test("SUB-20 ends without an error when the server has ended it and refuses to open it again", async () => {
    let count = 0;
    await using it = await connectSession(
      on("subscriptions/listen", ({ message }, response) => {
        if (++count > 1) return void response.writeHead(403).end();
        const acknowledged = { notifications: { toolsListChanged: true }, ...subscriptionId(message.id) };
        const stream = events(response, event({ method: "notifications/subscriptions/acknowledged", params: acknowledged }));
        stream.end(event({ id: message.id, result: { resultType: "complete" } }));
      }),
    );
    const listening = it.client.listen({ tools: true });
    expect(await listening.next()).toEqual({ value: undefined, done: true });
    expect(count).toBe(2);
  });

  test("SUB-16 subscribes to the resources again, also after the server ended it", async () => {
    const streams: [ServerResponse, unknown][] = [];
    await using it = await connectSession(
      on("subscriptions/listen", ({ message }, response) => {
        const { notifications } = message.params as Json;
        streams.push([
          events(
            response,
            event({ method: "notifications/subscriptions/acknowledged", params: { notifications, ...subscriptionId(message.id) } }),
          ),
          message.id,
        ]);
      }),
    );
    const heard: string[] = [];
    await it.client.subscribe("a://b", (uri) => heard.push(uri));
    const [stream, id] = streams[0]!;
    stream.end(event({ id, result: {} }));
    await expect.poll(() => heard, { timeout: 20_000 }).toEqual(["a://b"]);
    expect(streams).toHaveLength(2);
  });
});

describe("messages on a stream", () => {
  test("deliver progress and log entries before the response, and restart the timeout on progress", async () => {
    const entries: unknown[] = [];
    await using it = await connectSession(
      on("tools/call", async ({ message }, response) => {
        const { progressToken } = (message.params as { _meta: Json })._meta;
        const stream = events(response, event({ method: "notifications/message", params: { level: "info", data: "x" } }));
        for (const progress of [1, 2, 3]) {
          await new Promise((resolve) => setTimeout(resolve, 450));
          stream.write(event({ method: "notifications/progress", params: { progressToken, progress } }));
        }
        stream.end(event({ id: message.id, result: { content: [] } }));
      }),
      { onLog: (entry) => entries.push(entry) },
    );
    const heard: Progress[] = [];
    await it.client.call("x", {}, { timeoutMs: 1200, onProgress: (progress) => heard.push(progress) });
    expect(heard).toEqual([{ progress: 1 }, { progress: 2 }, { progress: 3 }]);
    expect(entries).toEqual([{ level: "info", data: "x" }]);
  });

  test("JSON-25 PROG-12 report a request of the server as a fault without a response", async () => {
    const { peer, client } = await connectStateless({ roots: [], elicit: () => ({ action: "accept" }) });
    for (const method of ["ping", "roots/list", "elicitation/create"]) peer.send({ id: method, method, params: {} });
    peer.send({ id: 9, method: "roots/list", params: [] });
    client.setRoots([{ uri: "file:///b" }]);
    const called = client.call("x");
    await peer.answer("tools/call", { content: [] });
    await called;
    expect(peer.received.map(({ method }) => method)).toEqual(["server/discover", "tools/call"]);
  });

  test("reports a server without a response, and one that refuses access", async () => {
    await using it = await connectSession((seen, response) => {
      const { method, params } = seen.message;
      if (method !== "tools/call") return false;
      const { name } = params as Json;
      if (name === "accepted") return void response.writeHead(202).end();
      if (name === "another") return json(response, { id: 99, result: { content: [] } });
      if (name === "busy") return refuse(seen, response, 429, 429);
      if (name === "missing") return refuse(seen, response, -32_601, 404);
      response.writeHead(name === "locked" ? 401 : 503, { "www-authenticate": "Bearer" }).end();
    });
    expect(await failure(it.client.call("accepted"))).toEqual(
      new InvalidResponseError("The server accepted tools/call with HTTP status 202, but sent no response"),
    );
    expect(await failure(it.client.call("another"))).toBeInstanceOf(InvalidResponseError);
    expect(await failure(it.client.call("busy"))).toMatchObject({ name: "McpError", code: 429 });
    expect(await failure(it.client.call("missing"))).toMatchObject({ name: "McpError", code: -32_601 });
    for (const name of ["locked", "down"]) expect(await failure(it.client.call(name))).toBeInstanceOf(HttpStatusError);
    expect(it.faults).toEqual(["Unexpected response: no pending request has id 99"]);
  });
});
