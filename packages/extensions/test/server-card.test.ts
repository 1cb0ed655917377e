// The server card and the catalog over HTTP: who may read them, their addresses, and caching (SEP-2127).
import { request } from "node:http";
import { expect, test } from "vitest";
import { defineServer } from "@oarlock/server-kit";
import { bearerToken, serveHttp, type HttpServer, type ServeHttpOptions } from "@oarlock/server-kit/node";
import { REVISIONS } from "@oarlock/server-kit/protocol";
import { serverCard } from "../src/server-card.ts";

const card = {
  name: "io.github.example/weather",
  description: "Weather of the day",
  version: "1.2.3",
  title: "Weather",
  repository: { url: "https://github.com/example/weather", source: "github" },
};

const listen = async (options: Partial<ServeHttpOptions> = {}): Promise<HttpServer & AsyncDisposable> => {
  const http = await serveHttp(defineServer({ name: "weather", version: "1.2.3", tools: [] }), {
    port: 0,
    pages: serverCard(card),
    ...options,
  });
  return Object.assign(http, { [Symbol.asyncDispose]: () => http.stop() });
};

const CATALOG = "/.well-known/ai-catalog.json";

/** With a Host header of choice, which fetch does not allow. */
const statusAndBody = (url: string, headers: Record<string, string>): Promise<[number | undefined, string]> =>
  new Promise((resolve, reject) => {
    const sent = request(url, { headers }, (response) => {
      let body = "";
      response.setEncoding("utf8").on("data", (text: string) => (body += text));
      response.on("end", () => resolve([response.statusCode, body]));
    });
    sent.on("error", reject).end();
  });

test("CARD-01 CARD-02 describes the server and its address in the form of server.json", async () => {
  await using http = await listen();
  const response = await fetch(`${http.url}/server-card`);
  expect(response.headers.get("content-type")).toBe("application/mcp-server-card+json");
  expect(response.headers.get("cache-control")).toBe("public, max-age=3600");
  expect(await response.json()).toEqual({
    $schema: "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json",
    ...card,
    remotes: [{ type: "streamable-http", url: http.url, supportedProtocolVersions: REVISIONS }],
  });
});

test("CARD-03 names the card in the catalog of the host", async () => {
  await using http = await listen();
  const response = await fetch(new URL(CATALOG, http.url));
  expect(response.headers.get("content-type")).toBe("application/ai-catalog+json");
  expect(await response.json()).toEqual({
    specVersion: "1.0",
    entries: [
      {
        identifier: "urn:air:example.github.io:mcp:weather",
        type: "application/mcp-server-card+json",
        url: `${http.url}/server-card`,
      },
    ],
  });
});

test("CARD-04 lets a page of any origin read the card, and still not the endpoint", async () => {
  await using http = await listen();
  const origin = "https://elsewhere.example";
  for (const path of [`${http.url}/server-card`, new URL(CATALOG, http.url)]) {
    const response = await fetch(path, { headers: { origin } });
    expect(response.status).toBe(200);
    expect(response.headers.get("access-control-allow-origin")).toBe("*");
    expect(response.headers.get("access-control-expose-headers")).toBe("ETag");
    const preflight = await fetch(path, { method: "OPTIONS", headers: { origin, "access-control-request-method": "GET" } });
    expect([preflight.status, preflight.headers.get("access-control-allow-methods")]).toEqual([204, "GET"]);
    expect(preflight.headers.get("access-control-allow-headers")).toBe("Content-Type, If-None-Match");
    expect((await fetch(path, { method: "POST", body: "{}" })).status).toBe(405);
  }
  expect((await fetch(http.url, { headers: { origin } })).status).toBe(403);
});

test("sends a foreign Host a card without an address", async () => {
  await using http = await listen();
  const headers = { host: "evil.example" };
  const [status, body] = await statusAndBody(`${http.url}/server-card`, headers);
  expect([status, "remotes" in JSON.parse(body)]).toEqual([200, false]);
  const [, catalog] = await statusAndBody(String(new URL(CATALOG, http.url)), headers);
  expect(JSON.parse(catalog).entries[0]).toMatchObject({ data: { name: card.name } });
  expect(`${body}${catalog}`).not.toContain("evil.example");
});

test("builds the address from an allowed host with https, or from the operator's public one", async () => {
  await using allowed = await listen({ allowedHosts: ["mcp.example.com"] });
  const [, body] = await statusAndBody(`${allowed.url}/server-card`, { host: "mcp.example.com" });
  expect(JSON.parse(body).remotes[0].url).toBe("https://mcp.example.com/mcp");
  await using named = await listen({ pages: serverCard({ ...card, url: "https://public.example/tools" }) });
  expect(await (await fetch(`${named.url}/server-card`)).json()).toMatchObject({ remotes: [{ url: "https://public.example/tools" }] });
  expect(await (await fetch(new URL(CATALOG, named.url))).json()).toMatchObject({
    entries: [{ url: "https://public.example/tools/server-card" }],
  });
});

test("CARD-05 answers an unchanged card with 304", async () => {
  await using http = await listen();
  const url = `${http.url}/server-card`;
  const etag = (await fetch(url)).headers.get("etag") ?? "";
  expect(etag).toMatch(/^"[0-9a-f]{32}"$/);
  for (const given of [etag, `W/${etag}`, `"other", ${etag}`, "*"])
    expect((await fetch(url, { headers: { "if-none-match": given } })).status, given).toBe(304);
  expect((await fetch(url, { headers: { "if-none-match": '"other"' } })).status).toBe(200);
});

test("CARD-06 CARD-07 serves the card without a token, and states that the endpoint needs one", async () => {
  await using http = await listen({ auth: bearerToken("secret-of-the-operator") });
  expect((await fetch(http.url, { method: "POST" })).status).toBe(401);
  const response = await fetch(`${http.url}/server-card`);
  const body = await response.text();
  expect(JSON.parse(body).remotes[0].headers).toEqual([expect.objectContaining({ name: "Authorization", isSecret: true })]);
  expect(body).not.toContain("secret-of-the-operator");
});

test("serves neither card path without a card", async () => {
  const http = await serveHttp(defineServer({ name: "weather", version: "1.2.3", tools: [] }), { port: 0 });
  expect((await fetch(`${http.url}/server-card`)).status).toBe(404);
  expect((await fetch(new URL(CATALOG, http.url))).status).toBe(404);
  await http.stop();
});
