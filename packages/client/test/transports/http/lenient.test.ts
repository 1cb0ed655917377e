// Servers that misbehave in ways that are common: what the client takes, and what it names.
import { describe, expect, test } from "vitest";
import { InvalidResponseError } from "@oarlock/client";
import { connect } from "../../support/connect-session.ts";
import { failure } from "../../support/scripted-peer.ts";
import { json, ScriptedHttpServer, text, type Act } from "../../support/scripted-http-server.ts";

const forCalls =
  (act: Act): Act =>
  (seen, response) =>
    seen.message.method === "tools/call" ? act(seen, response) : false;

async function callError(act: Act): Promise<unknown> {
  await using server = await ScriptedHttpServer.start(forCalls(act));
  await using client = await connect(server);
  return await failure(client.call("x"));
}

describe("a message of another content type", () => {
  test.each([
    ["text/plain; charset=utf-8", "has the content type text/plain"],
    ["text/html", "has the content type text/html"],
    [undefined, "has no content type"],
  ])("names the content type %s", async (type, words) => {
    const error = await callError(({ message }, response) => {
      response.writeHead(200, type === undefined ? {} : { "content-type": type }).end(text({ id: message.id, result: { content: [] } }));
    });
    expect(error).toEqual(
      new InvalidResponseError(
        `The server accepted tools/call with HTTP status 200, but its response ${words}: expected application/json or text/event-stream`,
      ),
    );
  });
});

test("names an id in text at once", async () => {
  const error = await callError(({ message }, response) => json(response, { id: String(message.id), result: { content: [] } }));
  expect(error).toEqual(new InvalidResponseError("Invalid response: the server has turned the id 2 of the request into text"));
});

test("delivers a structured value without content", async () => {
  await using server = await ScriptedHttpServer.start(
    forCalls(({ message }, response) => json(response, { id: message.id, result: { structuredContent: { n: 1 } } })),
  );
  await using client = await connect(server);
  expect(await client.call("x")).toEqual({ structuredContent: { n: 1 }, content: [] });
});

describe("a redirect", () => {
  const redirect =
    (status: number, location: string): Act =>
    ({ path }, response) =>
      path === "/mcp" ? void response.writeHead(status, { location }).end() : false;

  test.each([307, 308])("follows %i within the origin with method, body and headers", async (status) => {
    await using server = await ScriptedHttpServer.start(redirect(status, "/mcp/"));
    await using client = await connect({ url: server.url, token: "secret-token" });
    expect(await client.call("x")).toMatchObject({ params: { name: "x" } });
    const [before, after] = server.of("tools/call");
    expect([before?.path, after?.path]).toEqual(["/mcp", "/mcp/"]);
    expect(after).toMatchObject({ http: "POST", headers: { authorization: "Bearer secret-token" }, message: before?.message });
  });

  test("rejects another origin, and another method", async () => {
    await using other = await ScriptedHttpServer.start();
    for (const [status, location] of [
      [307, other.url],
      [301, "/mcp/"],
      [302, "/mcp/"],
    ] as const) {
      await using server = await ScriptedHttpServer.start(redirect(status, location));
      expect(await failure(connect(server))).toMatchObject({ name: "HttpStatusError", status });
    }
    expect(other.seen).toEqual([]);
  });

  test.each([
    [301, "https://user:pass@mcp.example/v2?token=secret", "https://mcp.example/v2"],
    [302, "/mcp/#top", "/mcp/"],
    [307, "//other.example/mcp", "http://other.example/mcp"],
  ])("names where %i to %s leads, without secrets", async (status, location, expectedUrl) => {
    await using server = await ScriptedHttpServer.start(redirect(status, location));
    const { message } = await failure(connect(server));
    const target = expectedUrl.startsWith("/") ? `${new URL(server.url).origin}${expectedUrl}` : expectedUrl;
    expect(message).toContain(`HTTP status ${status}: it redirects to ${target}. Connect to that URL if you trust it.`);
  });

  test("rejects redirects without an end", async () => {
    await using server = await ScriptedHttpServer.start(redirect(307, "/mcp"));
    expect(await failure(connect(server))).toMatchObject({ status: 307 });
  });
});
