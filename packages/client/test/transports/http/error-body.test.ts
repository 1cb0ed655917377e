import { describe, expect, test } from "vitest";
import { McpError, type Json } from "@oarlock/server-kit/protocol";
import { InvalidResponseError, HttpStatusError, InterruptedError, RequestTimeoutError, type ConnectOptions } from "@oarlock/client";
import { event, events, json, ScriptedHttpServer, text } from "../../support/scripted-http-server.ts";
import { connect } from "../../support/connect-session.ts";

describe("HTTP-16: responses", () => {
  type Answer = Parameters<typeof ScriptedHttpServer.start>[0];
  const call = async (act: NonNullable<Answer>, options: ConnectOptions = {}): Promise<{ result: Json | Error; faults: string[] }> => {
    const faults: string[] = [];
    await using server = await ScriptedHttpServer.start((seen, response) =>
      seen.message.method === "tools/call" ? (act(seen, response), true) : false,
    );
    await using client = await connect(server, { onFault: (what) => faults.push(what), ...options });
    const result = await client.request("tools/call", { name: "x" }).catch((error: Error) => error);
    await client.ping();
    return { result, faults };
  };

  test.each<[string, NonNullable<Answer>]>([
    ["JSON", ({ message: { id } }, response) => json(response, { id, result: { ok: 1 } })],
    [
      "JSON with a charset",
      ({ message: { id } }, response) =>
        void response.writeHead(200, { "content-type": "Application/JSON; charset=utf-8" }).end(text({ id, result: { ok: 1 } })),
    ],
    ["events", ({ message: { id } }, response) => void events(response, event({ id, result: { ok: 1 } })).end()],
    ["events on a stream that stays open", ({ message: { id } }, response) => void events(response, event({ id, result: { ok: 1 } }))],
  ])("are read: %s", async (_, act) => {
    expect(await call(act)).toEqual({ result: { ok: 1 }, faults: [] });
  });

  test.each([200, 400, 404, 500])("throws a protocol error with status %i", async (status) => {
    const { result } = await call(
      ({ message: { id } }, response) => json(response, { id, error: { code: -32602, message: "no" } }, status),
      {
        revision: "2025-11-25",
      },
    );
    // With a session, 404 says that it is gone; and then says the same of the next.
    expect(result).toEqual(new McpError(-32602, "no"));
  });

  test.each([
    [401, { "www-authenticate": 'Bearer error="invalid_token"' }, 'Bearer error="invalid_token"'],
    [403, {}, undefined],
    [500, {}, undefined],
    [503, { "retry-after": "1" }, undefined],
    [302, { location: "http://127.0.0.1:1/elsewhere" }, undefined],
  ])("reports a refusal with %i and keeps the connection", async (status, headers, wwwAuthenticate) => {
    const { result } = await call((_, response) => void response.writeHead(status, headers).end("x".repeat(5000)));
    expect(result).toBeInstanceOf(HttpStatusError);
    expect(result).toMatchObject({ status, body: "x".repeat(1000), wwwAuthenticate });
    const reason = status === 302 ? "it redirects to http://127.0.0.1:1/elsewhere. Connect to that URL if you trust it." : "x".repeat(200);
    expect((result as Error).message).toBe(`The server rejected POST with HTTP status ${status}: ${reason}`);
  });

  test.each([401, 403])("treats %i as a refusal even with a response", async (status) => {
    const { result } = await call(({ message: { id } }, response) =>
      json(response, { id, error: { code: -32602, message: "no" } }, status),
    );
    expect(result).toMatchObject({ name: "HttpStatusError", status });
  });

  test.each<[string, NonNullable<Answer>, RegExp]>([
    [
      "nothing but accepted",
      (_, response) => void response.writeHead(202).end(),
      /^The server accepted tools\/call with HTTP status 202, but sent no response/,
    ],
    [
      "a page",
      (_, response) => void response.writeHead(200, { "content-type": "text/html" }).end("<p>"),
      /with HTTP status 200, but its response has the content type text\/html: expected application\/json/,
    ],
    [
      "the answer to another request",
      (_, response) => json(response, { id: 99, result: {} }),
      /with HTTP status 200, but sent no response/,
    ],
    [
      "JSON that is none",
      (_, response) => void response.writeHead(200, { "content-type": "application/json" }).end("{"),
      /but sent no response/,
    ],
    [
      "bytes that are not UTF-8",
      (_, response) => void response.writeHead(200, { "content-type": "application/json" }).end(Buffer.from([0x7b, 0xff])),
      /^Invalid response: expected UTF-8$/,
    ],
  ])("refuses %s and keeps the connection", async (_, act, message) => {
    const { result } = await call(act);
    expect(result).toBeInstanceOf(InvalidResponseError);
    expect((result as Error).message).toMatch(message);
  });

  test("fails when the connection breaks before the response", async () => {
    const { result } = await call((_, response) => void response.destroy());
    expect(result).toBeInstanceOf(InterruptedError);
    expect((result as Error).message).toMatch(/^No response to POST: /);
  });

  test.each(["2025-11-25", "2026-07-28"])("fails when a JSON body breaks off (%s)", async (revision) => {
    await using server = await ScriptedHttpServer.start((seen, response) => {
      if (seen.message.method === "server/discover") {
        const result = {
          supportedVersions: [revision],
          capabilities: { tools: {} },
          resultType: "complete",
          ttlMs: 0,
          cacheScope: "public",
        };
        json(response, { id: seen.message.id, result });
        return true;
      }
      if (seen.message.method !== "tools/call") return false;
      response.writeHead(200, { "content-type": "application/json", "content-length": "100" }).write("{");
      setImmediate(() => response.destroy());
      return true;
    });
    await using client = await connect(server, { revision });
    const error = await client.request("tools/call", { name: "x" }).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(InterruptedError);
    expect((error as Error).message).toMatch(/^The response ended early: /);
  });
});

describe("time limits", () => {
  const silent = (method: string) => ScriptedHttpServer.start(({ message }) => message.method === method);

  test("TIME-01 CANCEL-02: ends a handshake without a response", async () => {
    await using server = await silent("initialize");
    await expect(connect(server, { timeoutMs: 1000 })).rejects.toThrow(new RequestTimeoutError("initialize", 1000, false));
    expect(server.seen).toHaveLength(1);
  });

  test("TIME-01 HTTP-29: cancels a request without a response by a POST, and aborts its own POST", async () => {
    let gone = false;
    await using server = await ScriptedHttpServer.start(({ message }, response) => {
      response.on("close", () => (gone ||= message.method === "tools/call"));
      return message.method === "tools/call";
    });
    await using client = await connect(server);
    await expect(client.call("x", {}, { timeoutMs: 1000 })).rejects.toThrow(RequestTimeoutError);
    await client.ping();
    await expect.poll(() => gone).toBe(true);
    const cancelled = server.of("notifications/cancelled");
    expect(cancelled.map(({ message }) => message.params)).toEqual([
      { requestId: 2, reason: "Request tools/call timed out: no response within 1000 ms" },
    ]);
  });

  test("does not send a request that was aborted before", async () => {
    let release = (): void => undefined;
    await using server = await ScriptedHttpServer.start(async ({ message }) => {
      if (message.method === "notifications/initialized") await new Promise<void>((resolve) => (release = resolve));
      return false;
    });
    await using client = await connect(server);
    await expect.poll(() => server.of("notifications/initialized")).toHaveLength(1);
    await expect(client.call("x", {}, { timeoutMs: 20 })).rejects.toThrow(RequestTimeoutError);
    release();
    await client.ping();
    expect(server.of("tools/call")).toEqual([]);
  });
});
