import type { ServerResponse } from "node:http";
import { describe, expect, test } from "vitest";
import type { Json } from "@oarlock/server-kit/protocol";
import { ConnectionClosedError, NegotiationError, HttpStatusError, RequestTimeoutError } from "@oarlock/client";
import { failure } from "../../support/scripted-peer.ts";
import { event, events, ScriptedHttpServer, type Seen } from "../../support/scripted-http-server.ts";
import { connect } from "../../support/connect-session.ts";

const ENDPOINT = "event: endpoint\ndata: /messages?session=id-that-is-secret\n\n";

interface Pair extends AsyncDisposable {
  server: ScriptedHttpServer;
  /** The stream, once it is open. */
  stream(): ServerResponse;
}

/** An old server: POST to its address is refused; GET begins with `hello`; answers to what is posted come on the stream. */
async function pair(hello: string, answer: (seen: Seen, response: ServerResponse) => boolean = () => false): Promise<Pair> {
  let open: ServerResponse | undefined;
  const server = await ScriptedHttpServer.start((seen, response) => {
    const { http, path, message } = seen;
    if (http === "GET") open = events(response, hello);
    else if (!path.startsWith("/messages")) response.writeHead(405).end("Method Not Allowed");
    else if (!answer(seen, response)) {
      response.writeHead(202).end("Accepted");
      const { protocolVersion } = (message.params ?? {}) as Json;
      const result =
        message.method === "initialize"
          ? { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "old", version: "1" } }
          : { content: [] };
      if (message.id !== undefined) open?.write(event({ id: message.id, result }));
    }
    return true;
  });
  return { server, stream: () => open!, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

describe("HTTP-55: the older pair", () => {
  test("SSE-LEGACY-03: sends POST first, then GET, then every message to the URL of the first event", async () => {
    await using old = await pair(`: hello\nevent: other\ndata: /nowhere\n\n${ENDPOINT}event: endpoint\ndata: /moved\n\n`);
    const log: string[] = [];
    const client = await connect(
      { url: old.server.url, token: "secret-token", headers: { "x-mine": "1" } },
      { roots: [], onWire: (direction, text) => log.push(`${direction} ${text}`) },
    );
    expect(client.revision).toBe("2024-11-05");
    await client.call("x");
    client.setRoots([{ uri: "file:///a" }]);
    await client.close();
    const at = "/messages?session=id-that-is-secret";
    expect(old.server.seen.map(({ http, path, message }) => [http, path, message.method])).toEqual([
      ["POST", "/mcp", "initialize"],
      ["GET", "/mcp", undefined],
      ["POST", at, "initialize"],
      ["POST", at, "notifications/initialized"],
      ["POST", at, "tools/call"],
      ["POST", at, "notifications/roots/list_changed"],
    ]);
    const [first, , second] = old.server.seen.map(({ message }) => (message.params as Json | undefined)?.protocolVersion);
    expect([first, second]).toEqual(["2025-11-25", "2024-11-05"]);
    for (const { headers } of old.server.seen) {
      expect(headers).toMatchObject({ authorization: "Bearer secret-token", "x-mine": "1" });
      expect(Object.keys(headers).filter((name) => name.startsWith("mcp-"))).toEqual([]);
    }
    expect(log.filter((line) => line.includes('"initialize"'))).toHaveLength(2);
    expect(log.join("\n")).not.toContain("that-is-secret");
  });

  test("ends the connection with the stream", async () => {
    await using old = await pair(ENDPOINT, ({ message }) => (message.method === "tools/call" ? (old.stream().end(), true) : false));
    const client = await connect(old.server);
    expect(await failure(client.call("x"))).toEqual(new ConnectionClosedError("The server's stream ended"));
    expect(await client.closed).toBeInstanceOf(ConnectionClosedError);
  });

  test("sends nothing to a URL of another origin", async () => {
    await using other = await ScriptedHttpServer.start();
    await using old = await pair(`event: endpoint\ndata: ${other.url}\n\n`);
    const error = await failure(connect({ url: old.server.url, token: "secret-token" }));
    expect(error).toEqual(new NegotiationError("Invalid URL to post to: expected one with the origin of the server"));
    expect(other.seen).toEqual([]);
  });

  test("fails the request at a refusal, hides secrets, and keeps the connection", async () => {
    await using old = await pair(ENDPOINT, ({ message, path }, response) => {
      if (message.method !== "tools/call" && message.method !== "notifications/roots/list_changed") return false;
      response.writeHead(403).end(`not at ${path}`);
      return true;
    });
    const faults: string[] = [];
    await using client = await connect(old.server, { roots: [], onFault: (what) => faults.push(what) });
    expect(await failure(client.call("x"))).toEqual(new HttpStatusError("POST", 403, { body: "not at /messages?session=[hidden]" }));
    client.setRoots([]);
    await client.ping();
    expect(faults).toEqual([
      "notifications/roots/list_changed failed: The server rejected POST with HTTP status 403: not at /messages?session=[hidden]",
    ]);
  });

  test("sends an error in place of a response that is too large for the server", async () => {
    const answers: Json[] = [];
    await using old = await pair(ENDPOINT, ({ message }, response) => {
      if (message.id !== "q-1") return false;
      response.writeHead(answers.push(message) === 1 ? 413 : 202).end();
      return true;
    });
    await using client = await connect(old.server, { roots: [], onFault: () => undefined });
    await client.call("x");
    old.stream().write(event({ id: "q-1", method: "roots/list" }));
    await expect.poll(() => answers).toMatchObject([{ result: { roots: [] } }, { id: "q-1", error: { code: -32603 } }]);
  });

  test("does not send a queued request that was cancelled", async () => {
    const pending = Promise.withResolvers<ServerResponse>();
    await using old = await pair(ENDPOINT, ({ message }, response) => {
      if (message.method === "notifications/roots/list_changed") pending.resolve(response);
      return message.method === "notifications/roots/list_changed";
    });
    await using client = await connect(old.server, { roots: [] });
    client.setRoots([{ uri: "file:///a" }]);
    const response = await pending.promise;
    expect(await failure(client.call("x", {}, { timeoutMs: 20 }))).toBeInstanceOf(RequestTimeoutError);
    response.writeHead(202).end();
    await client.ping();
    await client.ping(); // the first one could overtake the request on another connection
    expect(old.server.of("tools/call")).toEqual([]);
  });

  test("times out at a stream without a URL, and reports the refusal of the POST", async () => {
    await using old = await pair(": nothing\n\n");
    expect(await failure(connect(old.server, { timeoutMs: 1000 }))).toEqual(
      new HttpStatusError("POST", 405, { body: "Method Not Allowed" }),
    );
  });

  test("times out at a handshake without a response", async () => {
    await using old = await pair(ENDPOINT, (_, response) => (response.writeHead(202).end(), true));
    expect(await failure(connect(old.server, { timeoutMs: 1000 }))).toEqual(new RequestTimeoutError("initialize", 1000, false));
  });

  test("aborts during detection", async () => {
    await using old = await pair(": nothing\n\n");
    const abort = new AbortController();
    const failed = failure(connect(old.server, { signal: abort.signal }));
    await expect.poll(() => old.server.of("GET")).toHaveLength(1);
    abort.abort(new Error("enough"));
    expect((await failed).message).toBe("enough");
  });
});

describe("HTTP-55: failures that do not depend on the age of a server", () => {
  test.each([401, 403, 413, 429, 500, 503])("keeps the current transport on status %i", async (status) => {
    await using server = await ScriptedHttpServer.start((_, response) => (response.writeHead(status).end("no"), true));
    expect(await failure(connect(server))).toEqual(new HttpStatusError("POST", status, { body: "no" }));
    expect(server.seen).toHaveLength(1);
  });

  test.each<[string, (response: ServerResponse) => void]>([
    ["refuses the GET too", (response) => void response.writeHead(404).end()],
    ["has a page there", (response) => void response.writeHead(200, { "content-type": "text/html" }).end("<p>hello")],
    ["ends its stream at once", (response) => void events(response).end()],
  ])("reports the first refusal of a server that %s", async (_, get) => {
    await using server = await ScriptedHttpServer.start(({ http }, response) => {
      if (http === "GET") get(response);
      else response.writeHead(404).end("Not Found");
      return true;
    });
    expect(await failure(connect(server))).toEqual(new HttpStatusError("POST", 404, { body: "Not Found" }));
    expect(server.seen.map(({ http }) => http)).toEqual(["POST", "GET"]);
  });
});
