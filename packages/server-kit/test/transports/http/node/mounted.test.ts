// A server inside an app: a body that was read before, a prefix that was removed, the app's own login, and headers that a middleware changed.
import { createServer, request as send, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, test } from "vitest";
import { defineServer, tool, type InteractiveContext } from "../../../../src/index.ts";
import { toFetch } from "../../../../src/fetch.ts";
import { toNodeHandler, type NodeHandler } from "../../../../src/node.ts";
import { NEWEST_HANDSHAKE, type Json } from "../../../../src/protocol.ts";
import { BOTH, post } from "../../../support/http-faces.ts";
import { initialize } from "../../../support/http-talk.ts";
import { asks, posting } from "../../../support/stateless-message.ts";

type Options = NonNullable<Parameters<typeof toNodeHandler>[1]>;
type AppRequest = IncomingMessage & { body?: unknown; originalUrl?: string };

/** Tells what its handler sees of the caller. */
const whoami = tool({
  name: "whoami",
  hints: { readOnly: true },
  run: (_input, { auth, http }: InteractiveContext) => JSON.stringify({ auth, headers: http?.headers, query: http?.query.toString() }),
});
const notes = () => defineServer({ name: "notes", version: "1", tools: [whoami, tool({ name: "write", run: () => "written" })] });

interface App extends AsyncDisposable {
  post(path: string, message: unknown, headers?: Record<string, string>): Promise<{ status: number; text: string; json: Json }>;
}

/** An app that passes requests to the handler as `before` says. */
async function startApp(
  before: (request: AppRequest, mcp: NodeHandler, response: ServerResponse) => unknown,
  options: Options = {},
): Promise<App> {
  const mcp = toNodeHandler(notes(), options);
  const app: Server = createServer((request, response) => void before(request, mcp, response));
  await new Promise<void>((resolve) => app.listen(0, "127.0.0.1", resolve));
  const { port } = app.address() as AddressInfo;
  return {
    async post(path, message, headers = {}) {
      const { headers: usual, body } = post(message, headers);
      const response = await fetch(`http://127.0.0.1:${port}${path}`, {
        method: "POST",
        headers: usual as Record<string, string>,
        body: String(body),
      });
      const text = await response.text();
      return { status: response.status, text, json: text === "" ? {} : (JSON.parse(text) as Json) };
    },
    async [Symbol.asyncDispose]() {
      await mcp.close(0);
      app.closeAllConnections();
      await new Promise((resolve) => app.close(resolve));
    },
  };
}

async function bytesOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

const modernCall = Object.assign((name: string): Json => asks("tools/call", { name, arguments: {} }), {
  headers: (name: string) => posting(modernCall(name)).headers as Record<string, string>,
});

const hello = initialize(NEWEST_HANDSHAKE);
const greeted = { status: 200, json: { result: { serverInfo: { name: "notes" } } } };

describe("a body that the app has read", () => {
  const reads: [title: string, put: (bytes: Buffer) => unknown][] = [
    ["an object, as of express.json()", (bytes) => JSON.parse(String(bytes)) as unknown],
    ["text, as of express.text()", String],
    ["bytes, as of express.raw()", (bytes) => bytes],
  ];

  test.each(reads)("is used as %s, from the request or as an argument", async (_title, put) => {
    await using asMember = await startApp(async (request, mcp, response) => {
      request.body = put(await bytesOf(request));
      mcp(request, response, () => undefined);
    });
    expect(await asMember.post("/mcp", hello)).toMatchObject(greeted);
    await using asArgument = await startApp(async (request, mcp, response) => mcp(request, response, put(await bytesOf(request))));
    expect(await asArgument.post("/mcp", hello)).toMatchObject(greeted);
  });

  test("is taken where the app has decompressed it", async () => {
    const content = { "content-encoding": "gzip" };
    await using app = await startApp(async (request, mcp, response) => mcp(request, response, await bytesOf(request)));
    expect(await app.post("/mcp", hello, content)).toMatchObject(greeted);
    await using unread = await startApp((request, mcp, response) => mcp(request, response));
    expect((await unread.post("/mcp", hello, content)).status).toBe(415);
  });

  test("is answered at once with the cause where it is lost", async () => {
    await using app = await startApp(async (request, mcp, response) => {
      await bytesOf(request);
      mcp(request, response);
    });
    expect(await app.post("/mcp", hello)).toMatchObject({
      status: 500,
      json: { error: { code: -32603, message: expect.stringContaining("body was read before the MCP handler got it: mount it before") } },
    });
  });

  test("is bounded as any other", async () => {
    await using app = await startApp(async (request, mcp, response) => mcp(request, response, await bytesOf(request)), {
      limits: { messageBytes: 1000 },
    });
    expect((await app.post("/mcp", { ...hello, more: "x".repeat(2000) })).status).toBe(413);
  });

  test("is not taken from the member of a request that was not read", async () => {
    await using app = await startApp((request, mcp, response) => {
      request.body = {};
      mcp(request, response);
    });
    expect(await app.post("/mcp", hello)).toMatchObject(greeted);
  });

  test("is answered with the cause over fetch", async () => {
    const handle = toFetch(notes());
    const request = new Request("http://localhost/mcp", {
      method: "POST",
      headers: { accept: BOTH, "content-type": "application/json" },
      body: "{}",
    });
    await request.text();
    const response = await handle(request);
    expect([response.status, await response.json()]).toMatchObject([
      500,
      { error: { message: expect.stringContaining("pass it a clone") } },
    ]);
    await handle.close(0);
  });
});

describe("a prefix that the app has removed", () => {
  /** As Express does for `app.use(prefix, handler)`. */
  const under =
    (prefix: string) =>
    (request: AppRequest, mcp: NodeHandler, response: ServerResponse): void => {
      request.originalUrl = request.url ?? "";
      request.url = request.originalUrl.slice(prefix.length) || "/";
      if (!request.url.startsWith("/")) request.url = `/${request.url}`;
      mcp(request, response);
    };

  test.each([
    ["/mcp", "/mcp", {}],
    ["/mcp", "/mcp?a=1", {}],
    ["/api", "/api/mcp", {}],
    ["/api", "/api/mcp", { path: "/api/mcp" }],
    ["/api/mcp", "/api/mcp", { path: "/api/mcp" }],
    ["/api/mcp", "/api/mcp", {}],
  ])("%s of %s is found with %j", async (prefix, path, options) => {
    await using app = await startApp(under(prefix), options);
    expect(await app.post(path, hello)).toMatchObject(greeted);
  });

  test("makes no other path that of the server", async () => {
    await using app = await startApp(under("/api"));
    expect((await app.post("/api/other", hello)).status).toBe(404);
    expect((await app.post("/api/", hello)).status).toBe(404);
  });
});

describe("the login of the app", () => {
  const people: Record<string, string> = { "sid=1": "ada", "sid=2": "bob" };
  const options: Options = {
    auth({ headers }) {
      const principal = people[headers.cookie ?? ""];
      return principal === undefined ? undefined : { principal, ...(principal === "bob" && { scopes: ["notes:read"] }) };
    },
  };

  test("reaches ctx.auth, and a request without one is refused", async () => {
    await using app = await startApp((request, mcp, response) => mcp(request, response), options);
    const seen = await app.post("/mcp", modernCall("whoami"), { cookie: "sid=1", ...modernCall.headers("whoami") });
    expect(JSON.parse(textOf(seen.json))).toMatchObject({ auth: { principal: "ada", scopes: ["*"], claims: {} } });
    expect(await app.post("/mcp", hello)).toMatchObject({ status: 401, json: { error: { message: "Missing login." } } });
  });

  test("may have scopes", async () => {
    await using app = await startApp((request, mcp, response) => mcp(request, response), options);
    const headers = { cookie: "sid=2", ...modernCall.headers("write") };
    expect((await app.post("/mcp", modernCall("write"), headers)).status).toBe(403);
    expect((await app.post("/mcp", modernCall("whoami"), { ...headers, ...modernCall.headers("whoami") })).status).toBe(200);
  });

  test("binds a session to its caller", async () => {
    await using app = await startApp((request, mcp, response) => {
      response.setHeader("x-app", "1");
      mcp(request, response);
    }, options);
    const opened = await app.post("/mcp", hello, { cookie: "sid=1" });
    expect(opened.status).toBe(200);
  });

  test.each([
    ["fails", () => Promise.reject(new Error("database away")), 503],
    ["names no client", () => ({ principal: "" }), 503],
    ["names no caller at all", () => "ada", 503],
    ["refuses with a reason", () => ({ denied: "expired" }), 401],
    ["has no user", () => false, 401],
    ["has null for a user", () => null, 401],
    ["has an empty name for a user", () => "", 401],
  ])("that %s ends in a refusal", async (_how, auth, status) => {
    await using app = await startApp((request, mcp, response) => mcp(request, response), { auth: auth as NonNullable<Options["auth"]> });
    expect((await app.post("/mcp", hello)).status).toBe(status);
  });

  test("is that of a web request too", async () => {
    const handle = toFetch(notes(), { auth: (request) => ({ principal: request.headers.get("x-user") ?? "nobody" }) });
    const { headers, body } = post(modernCall("whoami"), { ...modernCall.headers("whoami"), "x-user": "ada" });
    const response = await handle(
      new Request("http://localhost/mcp?a=1", { method: "POST", headers: headers as Record<string, string>, body: String(body) }),
    );
    const seen = JSON.parse(textOf((await response.json()) as Json)) as Json;
    expect(seen).toMatchObject({ auth: { principal: "ada" }, headers: { "x-user": "ada", accept: BOTH }, query: "a=1" });
    await handle.close(0);
  });
});

describe("headers", () => {
  test("that a middleware has changed, added or removed count", async () => {
    const change = (request: AppRequest, mcp: NodeHandler, response: ServerResponse): void => {
      request.headers["accept"] = BOTH;
      request.headers["x-tenant"] = "blue";
      delete request.headers["content-encoding"];
      mcp(request, response);
    };
    await using app = await startApp(change);
    const headers = { ...modernCall.headers("whoami"), accept: "text/html", "content-encoding": "br" };
    const seen = await app.post("/mcp", modernCall("whoami"), headers);
    expect(JSON.parse(textOf(seen.json))).toMatchObject({ headers: { "x-tenant": "blue" } });
  });

  test("are seen by handlers without credentials", async () => {
    await using app = await startApp((request, mcp, response) => mcp(request, response));
    const secrets = { cookie: "sid=1", authorization: "Bearer secret", "proxy-authorization": "Basic secret", "mcp-session-id": "secret" };
    const seen = await app.post("/mcp?team=a&team=b", modernCall("whoami"), { ...modernCall.headers("whoami"), ...secrets, "x-a": "1" });
    expect(seen.text).not.toContain("secret");
    expect(JSON.parse(textOf(seen.json))).toMatchObject({ headers: { "x-a": "1" }, query: "team=a&team=b" });
  });

  test("that occur twice are refused as before", async () => {
    const mcp = toNodeHandler(notes());
    const app = createServer(mcp).listen(0, "127.0.0.1");
    await new Promise((resolve) => app.once("listening", resolve));
    const { port } = app.address() as AddressInfo;
    const status = await new Promise((resolve) => {
      const sent = send({ port, method: "POST", path: "/mcp", headers: { "mcp-session-id": ["a", "b"] } }, (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      sent.end();
    });
    expect(status).toBe(400);
    await mcp.close(0);
    app.closeAllConnections();
    app.close();
  });
});

const textOf = ({ result }: Json): string => (result as { content: { text: string }[] }).content[0]?.text ?? "";
