// Headers of stateless requests, which proxies can read instead of the body.
import { describe, expect, test } from "vitest";
import { defineServer, prompt, resource, tool } from "@oarlock/server-kit";
import { serveHttp } from "@oarlock/server-kit/node";
import { kindOf, type Json } from "@oarlock/server-kit/protocol";
import { connect, type ConnectOptions } from "@oarlock/client";
import { decoded } from "../../support/header-value.ts";
import { envelopeOf, give, NEWEST, serveStateless } from "../../support/stateless-peers.ts";

const pinned: ConnectOptions = { revision: NEWEST };

describe("every POST", () => {
  test("HTTP-12 HTTP-43 HDR-01 HDR-02 META-07 has one message with its version, method and name in headers", async () => {
    await using server = await serveStateless((seen, response) =>
      seen.message.id === undefined
        ? false
        : seen.message.method === "server/discover"
          ? false
          : give(seen, response, { content: [], contents: [], messages: [], tools: [], resources: [], prompts: [], resourceTemplates: [] }),
    );
    const client = await connect(server, { ...pinned, clientInfo: { name: "host", version: "7" } });
    await Promise.all([
      client.tools().all(),
      client.resources().all(),
      client.templates().all(),
      client.prompts().all(),
      client.call("a b"),
      client.read("a://ü"),
      client.prompt(" p "),
    ]);
    await client.setLevel("info");
    await client.complete({ type: "ref/prompt", name: "x" }, { name: "y", value: "" });
    await client.ping();
    client.notify("notifications/of-our-own");
    await expect.poll(() => server.of("notifications/of-our-own")).toHaveLength(1);
    await client.close();
    expect(server.seen).toHaveLength(11);
    for (const { http, path, message, headers } of server.seen) {
      expect([http, path]).toEqual(["POST", "/mcp"]);
      expect(["request", "notification"]).toContain(kindOf(message));
      expect(headers).toMatchObject({
        "mcp-protocol-version": NEWEST,
        "mcp-method": message.method,
        accept: "application/json, text/event-stream",
      });
      expect(headers).not.toHaveProperty("mcp-session-id");
      if (message.id === undefined) continue;
      const late = ["completion/complete"].includes(String(message.method)) || message === server.seen.at(-2)?.message;
      expect(envelopeOf(message)).toEqual({
        version: NEWEST,
        capabilities: message.method === "tools/call" ? { extensions: { "io.modelcontextprotocol/tasks": {} } } : {},
        clientInfo: { name: "host", version: "7" },
        ...(late && { logLevel: "info" }),
      });
    }
    const named = server.seen.filter(({ headers }) => "mcp-name" in headers);
    expect(
      Object.fromEntries(
        named.map(({ message, headers }) => [String(message.method), [headers["mcp-name"], decoded(headers["mcp-name"])]]),
      ),
    ).toEqual({
      "tools/call": ["a b", "a b"],
      "resources/read": ["=?base64?YTovL8O8?=", "a://ü"],
      "prompts/get": ["=?base64?IHAg?=", " p "],
    });
  });

  test("META-08 omits the client information on request", async () => {
    await using server = await serveStateless();
    await using client = await connect(server, { ...pinned, clientInfo: false });
    await client.ping();
    expect(server.seen.map(({ message }) => envelopeOf(message).clientInfo)).toEqual([undefined, undefined]);
  });

  test("META-07 HTTP-43 keeps given members of `_meta`, and the header follows them", async () => {
    await using server = await serveStateless();
    await using client = await connect(server, pinned);
    await client.request("tools/list", { _meta: { "io.modelcontextprotocol/protocolVersion": "2099-01-01", "com.example/x": 1 } });
    const { message, headers } = server.seen.at(-1)!;
    expect(headers["mcp-protocol-version"]).toBe("2099-01-01");
    expect((message.params as { _meta: Json })._meta).toMatchObject({
      "com.example/x": 1,
      "io.modelcontextprotocol/clientCapabilities": {},
    });
  });

  test("HDR-05 sends header names in a case that the kit accepts", async () => {
    const server = defineServer({ name: "s", version: "1", tools: [tool({ name: "t", run: () => "done" })] });
    const { url, stop } = await serveHttp(server, { port: 0 });
    const client = await connect(
      {
        url,
        fetch: (request, init) =>
          fetch(
            new Request(request, { headers: [...request.headers].map(([name, value]): [string, string] => [name.toUpperCase(), value]) }),
            init,
          ),
      },
      pinned,
    );
    expect((await client.call("t")).content).toEqual([{ type: "text", text: "done" }]);
    await client.close();
    await stop();
  });
});

test("HDR-02 encodes names of tools, prompts and resources for a server of the kit", async () => {
  const { url, stop } = await serveHttp(
    defineServer({
      name: "s",
      version: "1",
      prompts: [prompt({ name: "größe", get: () => "x" })],
      resources: [resource({ uri: "a://%20b", name: "b", read: () => "x" })],
    }),
    { port: 0 },
  );
  const client = await connect({ url }, pinned);
  expect((await client.prompt("größe")).messages).toHaveLength(1);
  expect((await client.read("a://%20b")).contents).toHaveLength(1);
  await client.close();
  await stop();
});
