import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import type { Json } from "@oarlock/server-kit/protocol";
import {
  InvalidResponseError,
  ConnectionClosedError,
  HttpStatusError,
  InterruptedError,
  type Client,
  type ConnectOptions,
} from "@oarlock/client";
import { failure } from "../../support/scripted-peer.ts";
import type { ServerResponse } from "node:http";
import { event, events, json, ScriptedHttpServer, SESSION, type Seen } from "../../support/scripted-http-server.ts";
import { connect } from "../../support/connect-session.ts";

const RESULT = { content: [] };

type Act = (seen: Seen, response: ServerResponse, it: Forgetful) => boolean;

/** A server that can drop its sessions; each new session has a new id. */
class Forgetful {
  readonly server: ScriptedHttpServer;
  /** How many sessions were begun. */
  begun = 0;
  revision: string | undefined;
  #known: string | undefined;

  private constructor(server: ScriptedHttpServer) {
    this.server = server;
  }

  static async start(act: Act = () => false): Promise<Forgetful> {
    const server = await ScriptedHttpServer.start(async (seen, response) => {
      const { message, headers } = seen;
      if (message.method === "initialize") {
        forgetful.#known = `${SESSION}-${++forgetful.begun}`;
        response.setHeader("Mcp-Session-Id", forgetful.#known);
        const { protocolVersion } = message.params as Json;
        const capabilities = { tools: {}, resources: { subscribe: true }, logging: {} };
        const result = { protocolVersion: forgetful.revision ?? protocolVersion, capabilities, serverInfo: { name: "f", version: "1" } };
        if (!act(seen, response, forgetful)) json(response, { id: message.id, result });
        return true;
      }
      if (headers["mcp-session-id"] === forgetful.#known) return act(seen, response, forgetful);
      response.writeHead(404).end(`no session ${String(headers["mcp-session-id"])}`);
      return true;
    });
    const forgetful = new Forgetful(server);
    return forgetful;
  }

  forget(): void {
    this.#known = undefined;
  }

  /** What was asked, as "2 tools/call": in the second session. */
  get asked(): string[] {
    return this.server.of("POST").map(({ headers, message }) => {
      const session = /\d+$/.exec(String(headers["mcp-session-id"]))?.[0] ?? "-";
      return `${session} ${String(message.method ?? "answer")}`;
    });
  }
}

async function met(act?: Act, options?: ConnectOptions): Promise<{ it: Forgetful; client: Client; faults: string[] } & AsyncDisposable> {
  const it = await Forgetful.start(act);
  const faults: string[] = [];
  const client = await connect(it.server, { onFault: (what) => faults.push(what), ...options });
  return {
    it,
    client,
    faults,
    async [Symbol.asyncDispose]() {
      await client.close();
      await it.server[Symbol.asyncDispose]();
    },
  };
}

describe("SESS-08: after the server dropped the session", () => {
  test("starts a new session for a request and sends it again there", async () => {
    await using peer = await met();
    const { it, client } = peer;
    let closed = false;
    void client.closed.then(() => (closed = true));
    await client.ping();
    it.forget();
    expect(await client.call("x")).toMatchObject(RESULT);
    expect(it.asked).toEqual([
      ...["- initialize", "1 notifications/initialized", "1 ping"],
      ...["1 tools/call", "- initialize", "2 notifications/initialized", "2 tools/call"],
    ]);
    const versions = it.server.of("POST").map(({ headers }) => headers["mcp-protocol-version"] ?? "-");
    expect(versions).toEqual(["-", ...Array(3).fill("2025-11-25"), "-", "2025-11-25", "2025-11-25"]);
    expect([closed, peer.faults]).toEqual([false, []]);
  });

  test.each([
    ["Bad Request: No valid session ID provided", 2],
    ['{"jsonrpc":"2.0","error":{"code":-32000,"message":"Session not found"},"id":null}', 2],
    ["Unknown session.", 2],
    ["Wrong MCP-Protocol-Version header: expected the version negotiated for this session.", 1],
    ["Bad Request", 1],
  ])("starts %s after status 400 with a new session only if it names one: %s", async (words, begun) => {
    let isForgetful = true;
    await using peer = await met(({ message }, response) => {
      if (message.method !== "tools/call" || !isForgetful) return false;
      isForgetful = false;
      response.writeHead(400).end(words);
      return true;
    });
    const called = peer.client.call("x");
    if (begun === 2) expect(await called).toMatchObject(RESULT);
    else await expect(called).rejects.toMatchObject({ name: "HttpStatusError", status: 400 });
    expect(peer.it.begun).toBe(begun);
  });

  test("shares the new session among parallel requests", async () => {
    await using peer = await met();
    const { it, client } = peer;
    it.forget();
    await Promise.all(Array.from({ length: 20 }, () => client.call("x")));
    expect(it.begun).toBe(2);
    expect(it.asked.filter((one) => one === "2 tools/call")).toHaveLength(20);
    it.forget();
    await client.call("x");
    expect(it.begun).toBe(3);
    expect(peer.faults).toEqual([]);
  });

  test("makes a request wait for a session that is being started", async () => {
    let asked: Promise<unknown> | undefined;
    await using peer = await met(({ message }, _, { begun }) => {
      if (message.method === "initialize" && begun === 2) asked = peer.client.call("y");
      return false;
    });
    const { it, client } = peer;
    await client.ping();
    it.forget();
    await client.call("x");
    await asked;
    expect(it.asked.slice(3)).toEqual(["1 tools/call", "- initialize", "2 notifications/initialized", "2 tools/call", "2 tools/call"]);
  });

  test("starts a new session for a notification and sends it again", async () => {
    await using peer = await met(undefined, { roots: [] });
    const { it, client } = peer;
    await client.ping();
    it.forget();
    client.setRoots([{ uri: "file:///a" }]);
    const roots = "notifications/roots/list_changed";
    await expect.poll(() => it.asked.slice(3)).toEqual([`1 ${roots}`, "- initialize", "2 notifications/initialized", `2 ${roots}`]);
  });

  test("starts a new session before the first one is ready", async () => {
    await using peer = await met(({ message }, _, it) => {
      if (message.method === "initialize" && it.begun === 1) setImmediate(() => it.forget());
      return false;
    });
    const { it, client } = peer;
    await client.ping();
    expect(it.asked.filter((one) => one.startsWith("2"))).toEqual(["2 notifications/initialized", "2 ping"]);
  });

  test("starts a new session for the standalone stream and reopens it", async () => {
    let streams = 0;
    await using peer = await met(({ http }, response, it) => {
      if (http !== "GET") return false;
      if (++streams === 1) it.forget();
      events(response, "retry: 10\nid: s-1\ndata: \n\n");
      if (streams === 1) response.end();
      return true;
    });
    await expect.poll(() => streams).toBe(2);
    const gets = peer.it.server.of("GET").map(({ headers }) => [headers["mcp-session-id"], headers["last-event-id"]]);
    expect(gets).toEqual([
      [`${SESSION}-1`, undefined],
      [`${SESSION}-1`, "s-1"],
      [`${SESSION}-2`, undefined],
    ]);
    expect(peer.faults).toEqual([]);
  });

  test("keeps the session of a server that answers GET with 404", async () => {
    await using peer = await met(({ http }, response) => {
      if (http === "GET") response.writeHead(404).end();
      return http === "GET";
    });
    await expect.poll(() => peer.it.server.of("GET").length).toBe(1);
    await peer.client.ping();
    await peer.client.ping();
    expect([peer.it.begun, peer.it.server.of("GET").length, peer.faults]).toEqual([1, 1, []]);
  });

  test("restores subscriptions and the log level", async () => {
    const heard: string[] = [];
    await using peer = await met();
    const { it, client } = peer;
    for (const uri of ["a://b", "c://d", "e://f"]) await client.subscribe(uri, (changed) => heard.push(changed));
    await client.unsubscribe("c://d");
    await client.setLevel("error");
    it.forget();
    await client.call("x");
    const again = it.server.of("POST").filter(({ headers, message }) => headers["mcp-session-id"] === `${SESSION}-2` && message.params);
    expect(again.map(({ message }) => message.params)).toEqual([
      { uri: "a://b" },
      { uri: "e://f" },
      { level: "error" },
      { name: "x", arguments: {} },
    ]);
    expect(peer.faults).toEqual([]);
  });

  test("reports subscriptions that cannot be restored and continues", async () => {
    await using peer = await met(({ message: { id, method } }, response, { begun }) => {
      if (method !== "resources/subscribe" || begun === 1) return false;
      json(response, { id, error: { code: -32002, message: "Resource not found" } });
      return true;
    });
    await peer.client.subscribe("a://b", () => undefined);
    peer.it.forget();
    await peer.client.call("x");
    expect(peer.faults).toEqual(["resources/subscribe failed in the new session: Resource not found"]);
  });

  test("fails a listener when the server is unavailable, and lists what the server accepts", async () => {
    let isAway = true;
    await using peer = await met(({ message: { id, method } }, response) => {
      if (method !== "resources/subscribe") return false;
      if (isAway) response.writeHead(503).end();
      else json(response, { id, error: { code: -32002, message: "Resource not found" } });
      return true;
    });
    const { client } = peer;
    const listening = client.listen({ uris: ["a://b"] });
    expect(await failure(listening.ready)).toMatchObject({ name: "HttpStatusError", status: 503 });
    expect(await failure(listening.next())).toMatchObject({ name: "HttpStatusError", status: 503 });
    isAway = false;
    expect(await client.listen({ uris: ["a://b"] }).ready).toEqual({});
  });

  test("fails a request whose stream cannot be resumed, because it may have run", async () => {
    await using peer = await met(({ message }, response, forgetful) => {
      if (message.method !== "tools/call") return false;
      forgetful.forget();
      events(response, "retry: 1\nid: 1\ndata: \n\n").end();
      return true;
    });
    const { it, client } = peer;
    expect(await failure(client.call("x"))).toEqual(new InterruptedError("The server has forgotten the session before its response"));
    await client.ping();
    expect(it.asked.slice(2)).toEqual(["1 tools/call", "- initialize", "2 notifications/initialized", "2 ping"]);
  });

  test("gives up on a server that drops every session", async () => {
    await using peer = await met(({ message }, _, forgetful) => {
      if (message.method === "notifications/initialized") queueMicrotask(() => forgetful.forget());
      return false;
    });
    const { it, client } = peer;
    const error = await failure(client.call("x"));
    expect(error).toMatchObject({ name: "HttpStatusError", status: 404, body: "no session [hidden]" });
    expect(it.begun).toBe(2);
  });

  test("recovers from a session that is lost during its restart", async () => {
    await using peer = await met(({ message }, _, forgetful) => {
      if (message.method === "notifications/initialized" && forgetful.begun === 2) queueMicrotask(() => forgetful.forget());
      return false;
    });
    const { it, client } = peer;
    await client.subscribe("a://b", () => undefined);
    it.forget();
    await client.call("x").catch(() => undefined);
    expect(peer.faults).toContain("resources/subscribe failed in the new session: The server has forgotten a new session immediately");
    await client.ping();
  });

  test("fails the request if a new session is refused; the next request tries again", async () => {
    let shut = false;
    await using peer = await met(({ message }, response) => {
      if (message.method !== "initialize" || !shut) return false;
      response.removeHeader("mcp-session-id");
      response.writeHead(503).end("full");
      return true;
    });
    const { it, client } = peer;
    it.forget();
    shut = true;
    expect(await failure(client.call("x"))).toEqual(new HttpStatusError("POST", 503, { body: "full" }));
    it.forget();
    shut = false;
    expect(await client.call("x")).toMatchObject(RESULT);
  });

  test("closes if the server now has another revision", async () => {
    await using peer = await met();
    const { it, client } = peer;
    it.forget();
    it.revision = "2025-06-18";
    const left = new ConnectionClosedError("The server has forgotten the session, and its new session has revision 2025-06-18");
    expect(await failure(client.call("x"))).toEqual(left);
    expect(await client.closed).toEqual(left);
  });

  test("treats 404 without a session as a refusal", async () => {
    await using server = await ScriptedHttpServer.start(
      ({ message }, response) => (message.method === "tools/call" ? (response.writeHead(404).end(), true) : false),
      { session: undefined },
    );
    await using client = await connect(server);
    expect(await failure(client.call("x"))).toEqual(new HttpStatusError("POST", 404, { body: "" }));
    expect(server.of("initialize")).toHaveLength(1);
  });
});

describe("SESS-11: secrets", () => {
  const TOKEN = "a-token-that-is-secret";

  test("stay out of every error, fault and message: session id, token and header of the client", async () => {
    const echo = ({ headers }: Seen) => `${String(headers["mcp-session-id"])} ${String(headers.authorization)} ${String(headers["x-key"])}`;
    await using server = await ScriptedHttpServer.start((seen, response) => {
      const { message, http } = seen;
      if (message.method === "initialize" || http === "DELETE") return false;
      response.writeHead(http === "GET" ? 403 : 401, { "www-authenticate": `Bearer realm="${echo(seen)}"` }).end(echo(seen));
      return true;
    });
    const collected: unknown[] = [];
    const tell = (...values: unknown[]): unknown => collected.push(...values);
    const to = { url: `${server.url}?key=a-query-that-is-secret`, token: TOKEN, headers: { "x-key": "a-header-that-is-secret" } };
    await using client = await connect(to, { onWire: tell, onFault: tell });
    const error = await failure(client.call("x"));
    expect(error).toMatchObject({
      status: 401,
      body: "[hidden] Bearer [hidden] [hidden]",
      wwwAuthenticate: 'Bearer realm="[hidden] Bearer [hidden] [hidden]"',
    });
    await expect
      .poll(() => collected.filter((thing) => String(thing).startsWith("Standalone stream")).length + collected.length)
      .toBeGreaterThan(5);
    collected.push(error, client, await failure(connect({ ...to, url: "http://127.0.0.1:9/?key=a-query-that-is-secret" })));
    expect(inspect(collected, { depth: 10, showHidden: true })).not.toMatch(/that-is-secret/);
  });

  test.each(["with blanks in it", "with-ä"])("refuses a session id that is not visible ASCII: %s", async (session) => {
    await using server = await ScriptedHttpServer.start(undefined, { session });
    expect(await failure(connect(server))).toEqual(new InvalidResponseError("Invalid session id: expected visible ASCII characters"));
  });

  test("follows no redirect", async () => {
    await using other = await ScriptedHttpServer.start();
    await using server = await ScriptedHttpServer.start((_, response) => (response.writeHead(307, { location: other.url }).end(), true));
    expect(await failure(connect({ url: server.url, token: TOKEN }))).toMatchObject({ name: "HttpStatusError", status: 307 });
    expect(other.seen).toEqual([]);
  });
});

test.each([502, 503, 504])("repeats a notification that a server temporarily refuses with %i, before the next request", async (status) => {
  let refusals = 2;
  await using peer = await met(({ message }, response) => {
    if (message.method !== "notifications/initialized" || refusals-- <= 0) return false;
    response.writeHead(status).end();
    return true;
  });
  await peer.client.ping();
  const methods = peer.it.server.of("POST").map(({ message }) => message.method);
  expect(methods).toEqual(["initialize", ...Array<string>(3).fill("notifications/initialized"), "ping"]);
});

test("aborts client requests of a lost session without a response", async () => {
  const aborted: unknown[] = [];
  await using peer = await met(
    ({ http }, response, { begun }) => {
      if (http !== "GET" || begun === 2) return false;
      events(response, event({ id: "q", method: "elicitation/create", params: { message: "?", requestedSchema: {} } }));
      return true;
    },
    {
      elicit: (_, signal) =>
        new Promise((resolve) =>
          signal.addEventListener("abort", () => {
            aborted.push(signal.reason);
            resolve({ action: "cancel" });
          }),
        ),
    },
  );
  const { it, client } = peer;
  await expect.poll(() => it.server.of("GET")).toHaveLength(1);
  it.forget();
  await client.ping();
  expect(aborted).toEqual([new Error("The server has forgotten the session")]);
  await client.ping();
  expect(it.asked.filter((one) => one.endsWith("answer"))).toEqual([]);
});
