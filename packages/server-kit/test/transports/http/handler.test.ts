// Routes of the HTTP handler: by path, method and era, after the checks of hosts, origins and tokens. And the end of the server.
import { afterEach, expect, test, vi } from "vitest";
import { bearerToken, type HttpOptions } from "../../../src/fetch.ts";
import { defineServer, tool, type Auth, type InteractiveContext } from "../../../src/index.ts";
import { HttpHandler } from "../../../src/transports/http/handler.ts";
import type { PublicPages } from "../../../src/transports/http/public-pages.ts";
import { initialize, READY } from "../../support/http-talk.ts";
import { RecordedExchange, type RecordedRequest } from "../../support/recorded-exchange.ts";
import { call, request } from "../../support/sample.ts";
import { asks, NEWEST, posting } from "../../support/stateless-message.ts";

const BOTH = "application/json, text/event-stream";
const JSON_BODY = { accept: BOTH, "content-type": "application/json" };

const handlers: HttpHandler[] = [];
afterEach(async () => {
  vi.useRealTimers();
  await Promise.all(handlers.splice(0).map((handler) => handler.close(0)));
});

/** A handler whose tool `work` ends when the test ends it. */
function serve(options: HttpOptions = {}) {
  const works: { ctx: InteractiveContext; done: (text: string) => void }[] = [];
  const work = tool({
    name: "work",
    run: (_input, ctx) =>
      new Promise<string>((done, fail) => {
        ctx.signal.addEventListener("abort", () => fail(ctx.signal.reason as Error)); // the kit's own
        works.push({ ctx, done });
      }),
  });
  const logged: string[] = [];
  const handler = new HttpHandler(defineServer({ name: "shop", version: "1.0.0", tools: [work] }), {
    log: (level, data) => void logged.push(`${level} ${String(data)}`),
    ...options,
  });
  handlers.push(handler);
  const begin = (sent: RecordedRequest): RecordedExchange => {
    const exchange = new RecordedExchange(sent);
    void handler.handle(exchange);
    return exchange;
  };
  const send = async (sent: RecordedRequest): Promise<RecordedExchange> => {
    const exchange = new RecordedExchange(sent);
    await handler.handle(exchange);
    return exchange;
  };
  const post = (body: unknown, headers: Record<string, string> = {}, target?: string) =>
    send({ headers: { ...JSON_BODY, ...headers }, body, ...(target !== undefined && { target }) });
  const open = async (): Promise<Record<string, string>> => {
    const { response } = await post(initialize());
    const session = { "mcp-session-id": response?.[1][response[1].indexOf("Mcp-Session-Id") + 1] ?? "" };
    await post(READY, session);
    return session;
  };
  return { handler, works, logged, begin, send, post, open };
}

const stateless = (message: ReturnType<typeof asks>): RecordedRequest => {
  const { headers, body } = posting(message);
  return { headers: headers as Record<string, string>, body };
};
const PING = request("ping", "ping");
const statusOf = ({ response }: RecordedExchange): unknown => response?.[0];
const messageOf = ({ response }: RecordedExchange): unknown =>
  (JSON.parse(response?.[2] ?? "{}") as { error?: { message: string } }).error?.message;

test("serves the methods of each era", async () => {
  const { send, post, open } = serve();
  const session = await open();
  expect(statusOf(await post(PING, session))).toBe(200);
  expect((await send({ method: "GET", headers: { accept: BOTH, ...session } })).state).toBe("open");
  expect(statusOf(await send({ method: "DELETE", headers: session }))).toBe(204);
  expect(statusOf(await send(stateless(asks("tools/list"))))).toBe(200);
  const put = await send({ method: "PUT", headers: session });
  expect(put.response?.slice(0, 2)).toEqual([405, ["Content-Type", "application/json", "Allow", "GET, POST, DELETE"]]);
  expect(messageOf(put)).toBe("Method not allowed: expected GET, POST, DELETE.");
  const get = await send({ method: "GET", headers: { accept: BOTH, "mcp-protocol-version": NEWEST } });
  expect(get.response?.slice(0, 2)).toEqual([405, ["Content-Type", "application/json", "Allow", "POST"]]);
  const upgrade = await send({ method: "GET", headers: { accept: BOTH, upgrade: "WebSocket", ...session } });
  expect(statusOf(upgrade)).toBe(405);
});

test("recognizes a stateless message without a version header, and answers in its era", async () => {
  const { send, post } = serve();
  const { body } = stateless(asks("tools/list"));
  expect(messageOf(await post(body))).toContain("MCP-Protocol-Version");
  expect(statusOf(await send({ ...stateless(asks("tools/list")), headers: { ...JSON_BODY, "mcp-protocol-version": NEWEST } }))).toBe(400);
});

test.each(["mcp", "", "/mcp?a=1", "/m p", "http://localhost/mcp"])("refuses the path %j, which no request can have", (path) => {
  expect(() => serve({ path })).toThrow(`Invalid path "${path}": expected one that begins with a slash`);
});

test("serves only the path of the endpoint", async () => {
  const { send, post } = serve({ path: "/own" });
  expect(statusOf(await post(initialize(), {}, "/own"))).toBe(200);
  for (const target of ["/mcp", "/own/", "/", "/sse", "/messages", "/.well-known/oauth-protected-resource"]) {
    const exchange = await send({ method: "GET", target });
    expect([statusOf(exchange), messageOf(exchange)], target).toEqual([
      404,
      `Not found: ${target} is not the MCP endpoint, which is /own.`,
    ]);
  }
});

test("requires a JSON body with its type, and a client that accepts both forms of a response", async () => {
  const { send, post } = serve();
  expect(statusOf(await send({ headers: { accept: BOTH }, body: PING }))).toBe(415);
  expect(statusOf(await send({ headers: { ...JSON_BODY, accept: "application/json" }, body: PING }))).toBe(406);
  const broken = await post("{");
  expect([statusOf(broken), broken.response?.[2]]).toEqual([400, expect.stringContaining('"code":-32700')]);
});

test("checks hosts and origins first, and lets pages of allowed origins read responses", async () => {
  const { send, post } = serve({ allowedOrigins: ["https://app.example"] });
  expect(statusOf(await send({ headers: { host: "evil.example" }, body: PING }))).toBe(403);
  expect(statusOf(await post(initialize(), { origin: "https://evil.example" }))).toBe(403);
  expect((await post(initialize())).extraHeaders).toEqual([]);
  expect((await post(initialize(), { origin: "https://app.example" })).extraHeaders).toContain("https://app.example");
  const preflight = await send({
    method: "OPTIONS",
    headers: { origin: "https://app.example", "access-control-request-headers": "mcp-param-x" },
  });
  expect(preflight.response?.[0]).toBe(204);
  expect(preflight.response?.[1].slice(0, 2)).toEqual(["Allow", "GET, POST, DELETE"]);
  expect(preflight.response?.[1].join()).toContain("mcp-param-x");
  const plain = await send({ method: "OPTIONS" });
  expect(plain.response).toEqual([204, ["Allow", "GET, POST, DELETE"], undefined]);
});

test("requires a token if the server verifies tokens, and serves their metadata", async () => {
  const token = "t".repeat(32);
  const { post, send } = serve({ auth: bearerToken(token) });
  expect(statusOf(await post(initialize()))).toBe(401);
  expect(statusOf(await post(initialize(), { authorization: `Bearer ${token}` }))).toBe(200);
  for (const method of ["GET", "DELETE"]) expect(statusOf(await send({ method, headers: { accept: BOTH } }))).toBe(401);
});

test("serves the older transport if it is switched on", async () => {
  const { handler, send, post } = serve({ legacySse: true });
  const stream = await send({ method: "GET", target: "/sse", headers: { accept: "text/event-stream" } });
  const target = `/${/data: (.*)/.exec(stream.written[0] ?? "")?.[1]}`;
  expect(target).toMatch(/^\/messages\?sessionId=/);
  expect(statusOf(await post(initialize("2024-11-05"), {}, target))).toBe(202);
  expect(stream.written.at(-1)).toContain('"result"');
  expect(statusOf(await send({ headers: { accept: BOTH }, body: PING, target }))).toBe(415);
  expect(messageOf(await post(PING, {}, "/messages?sessionId=none"))).toBe("Session not found.");
  expect(statusOf(await post(PING, {}, "/messages"))).toBe(404);
  expect((await send({ target: "/sse" })).response?.[1]).toContain("GET");
  expect((await send({ method: "GET", target: "/messages" })).response?.[1]).toContain("POST");
  const plain = await send({ method: "GET", target: "/sse", headers: { accept: "application/json" } });
  expect([statusOf(plain), messageOf(plain)]).toEqual([406, "Accept header not supported: expected text/event-stream."]);
  expect(handler.counts()).toEqual({ sessions: 1, streams: 1, running: 0 });
  stream.close();
  expect(handler.counts().sessions).toBe(0);
  expect(statusOf(await post(PING, {}, target))).toBe(404);
});

test("limits clients of the older transport, and closes them at the end of the server", async () => {
  const { handler, send, post, works } = serve({ legacySse: true, http: { sessions: 1 } });
  const stream = await send({ method: "GET", target: "/sse", headers: { accept: "text/event-stream" } });
  const target = `/${/data: (.*)/.exec(stream.written[0] ?? "")?.[1]}`;
  const full = await send({ method: "GET", target: "/sse", headers: { accept: "text/event-stream" } });
  expect([statusOf(full), messageOf(full)]).toEqual([503, "Server busy: too many connections. Retry later."]);
  await post(initialize("2024-11-05"), {}, target);
  await post(READY, {}, target);
  await post(call(1, "work"), {}, target);
  await vi.waitFor(() => expect(works).toHaveLength(1), 30_000);
  expect(handler.counts().running).toBe(1);
  const closed = handler.close(60_000);
  works[0]?.done("finished");
  await closed;
  expect([stream.written.at(-1), stream.state, handler.counts().sessions]).toEqual([expect.stringContaining("finished"), "ended", 0]);
});

test("counts sessions and stateless requests together", async () => {
  const { handler, begin, send, open, works } = serve();
  const session = await open();
  await send({ method: "GET", headers: { accept: BOTH, ...session } });
  const [, , answered] = [
    begin({ headers: { ...JSON_BODY, ...session }, body: call(1, "work") }),
    begin(stateless(asks("tools/call", { name: "work", arguments: {} }))),
    await send(stateless(asks("tools/list"))),
  ];
  expect(statusOf(answered)).toBe(200);
  await vi.waitFor(() => expect(works).toHaveLength(2), 30_000);
  expect(handler.counts()).toEqual({ sessions: 1, streams: 1, running: 2 });
});

test("cancels a stateless request whose client disconnects", async () => {
  const { handler, begin, works } = serve();
  const exchange = begin(stateless(asks("tools/call", { name: "work", arguments: {} })));
  await vi.waitFor(() => expect(works).toHaveLength(1), 30_000);
  exchange.close();
  await vi.waitFor(() => expect([works[0]?.ctx.signal.aborted, handler.counts().running]).toEqual([true, 0]), 30_000);
});

test("starts streams for slow responses in both eras", async () => {
  vi.useFakeTimers({ toFake: ["performance", "setInterval", "clearInterval"] });
  const { begin, open, works, handler } = serve({ http: { silentMs: 1000 } });
  const session = await open();
  const both = [
    begin({ headers: { ...JSON_BODY, ...session }, body: call(1, "work") }),
    begin(stateless(asks("tools/call", { name: "work", arguments: {} }))),
  ];
  await vi.waitFor(() => expect(works).toHaveLength(2), 30_000);
  vi.advanceTimersByTime(999);
  expect(both.map(({ state }) => state)).toEqual(["none", "none"]);
  vi.advanceTimersByTime(250);
  expect(both.map(({ state }) => state)).toEqual(["open", "open"]);
  await handler.close(0);
  expect(vi.getTimerCount()).toBe(0);
});

test("finishes requests of a closing server and refuses new ones", async () => {
  const { handler, begin, post, open, works } = serve();
  const session = await open();
  const both = [
    begin({ headers: { ...JSON_BODY, ...session }, body: call(1, "work") }),
    begin(stateless(asks("tools/call", { name: "work", arguments: {} }))),
  ];
  await vi.waitFor(() => expect(works).toHaveLength(2), 30_000);
  const closed = handler.close(60_000);
  const late = await post(initialize());
  expect([late.response?.[0], late.response?.[1].slice(-4), messageOf(late)]).toEqual([
    503,
    ["Retry-After", "1", "Connection", "close"],
    "Server is shutting down. Retry shortly.",
  ]);
  for (const { done } of works) done("finished");
  await closed;
  expect(both.map(({ response }) => response?.[2]?.includes("finished"))).toEqual([true, true]);
});

test.each([
  ["initialize", { headers: JSON_BODY, body: initialize() }],
  ["server/discover", stateless(asks("server/discover"))],
])("refuses %s whose token is checked while the server closes", async (_method, request) => {
  const { promise, resolve } = Promise.withResolvers<Auth>();
  const { handler, begin } = serve({ auth: { check: () => promise } });
  const arriving = begin({ ...request, headers: { ...request.headers, authorization: "Bearer x" } });
  const closed = handler.close(0);
  resolve({ principal: "ada", scopes: ["*"], claims: {} });
  await closed;
  await vi.waitFor(() => expect(arriving.response?.[0]).toBe(503));
  expect(arriving.response?.[1]).toEqual(expect.arrayContaining(["Retry-After", "1"]));
});

test("refuses a request that fails because the server closes, without an internal error", async () => {
  const { handler, logged } = serve();
  const exchange = new BrokenExchange({ headers: JSON_BODY, body: initialize() });
  const handling = handler.handle(exchange);
  await handler.close(0);
  await handling;
  expect([statusOf(exchange), messageOf(exchange)]).toEqual([503, "Server is shutting down. Retry shortly."]);
  expect(logged).toEqual([expect.stringMatching(/^warning HTTP, at the end: .*secret/)]);
});

test("treats a page on the same port of this machine as its own", async () => {
  const { send } = serve();
  const sent = (port: number): RecordedRequest => ({
    headers: { ...JSON_BODY, origin: "http://localhost:3920" },
    body: initialize(),
    port,
  });
  expect([statusOf(await send(sent(3920))), statusOf(await send(sent(3921)))]).toEqual([200, 403]);
});

test("refuses a request target that is not a path", async () => {
  const { handler } = serve();
  const exchange = new RecordedExchange({ headers: JSON_BODY, body: PING });
  Object.defineProperty(exchange, "path", { value: undefined });
  await handler.handle(exchange);
  expect([statusOf(exchange), messageOf(exchange)]).toEqual([400, "Request target does not match this host."]);
});

test("checks scopes for each method, in both transports", async () => {
  const check = (token: string) => Promise.resolve({ principal: token, scopes: token.split(","), claims: {} });
  const { send, post } = serve({ auth: { check }, legacySse: true });
  const as = (scopes: string) => ({ authorization: `Bearer ${scopes}` });
  const CALL = call(1, "work");
  const reader = await post(initialize(), as("shop:read"));
  expect(statusOf(reader)).toBe(200);
  const session = { "mcp-session-id": reader.response?.[1][reader.response[1].indexOf("Mcp-Session-Id") + 1] ?? "", ...as("shop:read") };
  expect(messageOf(await post(CALL, session))).toBe("Insufficient scope: expected shop:write.");
  for (const method of ["GET", "DELETE"]) {
    const refused = await send({ method, headers: { accept: BOTH, ...session, ...as("other") } });
    expect([statusOf(refused), messageOf(refused)]).toEqual([403, "Insufficient scope: expected shop:read."]);
  }
  expect(statusOf(await send({ method: "GET", target: "/sse", headers: { accept: BOTH, ...as("other") } }))).toBe(403);
  expect(statusOf(await send({ method: "GET", target: "/sse", headers: { accept: BOTH } }))).toBe(401);
  const stream = await send({ method: "GET", target: "/sse", headers: { accept: BOTH, ...as("shop:read") } });
  const target = `/${/data: (.*)/.exec(stream.written[0] ?? "")?.[1]}`;
  expect(statusOf(await post(CALL, as("shop:read"), target))).toBe(403);
  expect(messageOf(await post(initialize("2024-11-05"), as("shop:read,more"), target))).toBe("Session not found.");
  expect(statusOf(await post(initialize("2024-11-05"), as("shop:read"), target))).toBe(202);
});

test("serves authorization metadata and public pages to everybody", async () => {
  const metadata = { authorization_servers: ["https://login.example"], resource: "https://shop.example/mcp" };
  const auth = { check: () => Promise.resolve({ denied: "no" }), metadata };
  const pages: PublicPages = {
    has: (path, endpoint) => path === `${endpoint}/about`,
    respond: (exchange, endpoint) => exchange.respond(200, [], JSON.stringify(endpoint)),
  };
  const { send } = serve({
    auth,
    pages,
    allowedHosts: ["shop.example"],
  });
  const described = await send({ method: "GET", target: "/.well-known/oauth-protected-resource/mcp" });
  expect([statusOf(described), described.response?.[2]]).toEqual([200, expect.stringContaining("https://login.example")]);
  expect((await send({ method: "POST", target: "/.well-known/oauth-protected-resource/mcp" })).response?.[1]).toContain("GET");
  const page = { method: "GET", target: "/mcp/about", headers: { host: "shop.example", origin: "https://any.example" } };
  expect((await send(page)).response?.[2]).toBe('{"address":"https://shop.example/mcp","needsFixedToken":false}');
  const foreign = await send({ ...page, headers: { host: "evil.example" } });
  expect(foreign.response?.[2]).toBe('{"needsFixedToken":false}');
  const fixed = serve({ auth: bearerToken("t".repeat(32)), pages });
  expect((await fixed.send({ method: "GET", target: "/mcp/about" })).response?.[2]).toContain('"needsFixedToken":true');
});

/** A platform that fails to read. */
class BrokenExchange extends RecordedExchange {
  override readBody(): Promise<string> {
    return Promise.reject(new Error("secret"));
  }
}

test("logs an unexpected error, and does not send its text", async () => {
  const { handler, logged } = serve();
  const exchange = new BrokenExchange({ headers: JSON_BODY });
  await handler.handle(exchange);
  expect([statusOf(exchange), messageOf(exchange), exchange.response?.[2]]).toEqual([
    500,
    "Internal error",
    expect.stringContaining("-32603"),
  ]);
  expect(logged).toEqual([expect.stringMatching(/^error HTTP: .*secret/)]);
});
