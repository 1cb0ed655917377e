// The examples that people ask for most, each as its clients see it.
import type { AddressInfo } from "node:net";
import type { Server } from "@oarlock/server-kit";
import { serveHttp } from "@oarlock/server-kit/node";
import { afterEach, describe, expect, test } from "vitest";
import { inflateSync } from "node:zlib";
import { ModernTalk } from "../test/support/modern-talk.ts";
import { asks, posting } from "../test/support/stateless-message.ts";
import { talk, type Talk } from "../test/support/talk.ts";
import { server as dynamicList } from "./dynamic-list.ts";
import { http as app } from "./express-cookies.ts";
import fetchRuntimes from "./fetch-runtimes.ts";
import { server as images } from "./image.ts";
import { server as jobs } from "./long-job.ts";
import { openApiProxy, type OpenApi } from "./openapi-proxy.ts";
import { auth, createServer } from "./per-user-tools.ts";
import { server as shapes } from "./union-input.ts";
import { server as uploads } from "./upload.ts";

type Json = Record<string, unknown>;
const textOf = (result: Json): string => (result["content"] as { text: string }[])[0]?.text ?? "";
const namesOf = ({ tools }: Json): unknown[] => (tools as Json[]).map(({ name }) => name);
const call = async (client: Talk, name: string, args: Json = {}): Promise<Json> => client.result("tools/call", { name, arguments: args });

const api: OpenApi = {
  info: { title: "pets", version: "1.0.0" },
  servers: [{ url: "https://pets.example" }],
  components: { schemas: { Pet: { type: "object", properties: { name: { type: "string" } }, required: ["name"] } } },
  paths: {
    "/pets/{id}": {
      get: {
        operationId: "get_pet",
        summary: "Get a pet.",
        parameters: [
          { name: "id", in: "path", required: true, schema: { type: "integer" } },
          { name: "full", in: "query", schema: { type: "boolean" } },
        ],
      },
    },
    "/pets": {
      post: { operationId: "add_pet", requestBody: { content: { "application/json": { schema: { $ref: "#/components/schemas/Pet" } } } } },
    },
  },
};

test("openapi-proxy makes a tool of each operation and passes arguments on", async () => {
  const sent: unknown[] = [];
  const service = async (url: string, init: RequestInit): Promise<Response> => {
    sent.push([init.method, url, init.body]);
    return url.endsWith("/pets") ? new Response("name taken", { status: 409 }) : Response.json({ name: "Rex" });
  };
  await using client = await talk(openApiProxy(api, service));
  expect(await client.result("tools/list")).toMatchObject({
    tools: [
      { name: "get_pet", description: "Get a pet.", inputSchema: { required: ["id"] }, annotations: { readOnlyHint: true } },
      {
        name: "add_pet",
        inputSchema: { properties: { body: { type: "object", properties: { name: { type: "string" } }, required: ["name"] } } },
      },
    ],
  });
  expect(textOf(await call(client, "get_pet", { id: 7, full: true }))).toBe('{"name":"Rex"}');
  expect(textOf(await call(client, "get_pet", {}))).toContain("id: required");
  expect(await call(client, "add_pet", { body: { name: "Rex" } })).toMatchObject({
    isError: true,
    content: [{ text: "The service answered 409: name taken" }],
  });
  expect(sent).toEqual([
    ["GET", "https://pets.example/pets/7?full=true", undefined],
    ["POST", "https://pets.example/pets", '{"name":"Rex"}'],
  ]);
});

test("union-input takes each form, inside a member and at the root", async () => {
  await using client = await talk(shapes);
  const { tools } = await client.result("tools/list");
  for (const { inputSchema } of tools as Json[]) expect(inputSchema).toMatchObject({ type: "object" });
  expect(await call(client, "area", { shape: { kind: "rectangle", width: 2, height: 3 } })).toMatchObject({
    structuredContent: { area: 6 },
  });
  expect(await call(client, "area", { shape: { kind: "line" } })).toMatchObject({ isError: true });
  expect(textOf(await call(client, "convert", { celsius: 100 }))).toBe("212 °F");
  expect(textOf(await call(client, "convert", { fahrenheit: 32 }))).toBe("0 °C");
});

test("per-user-tools shows the tools that write to editors only", async () => {
  const { url, stop } = await serveHttp(createServer(), { port: 0, auth });
  const send = async (session: string, method: string, params: Json = {}): Promise<Json> => {
    const { headers, body } = posting(asks(method, params));
    const response = await fetch(url, {
      method: "POST",
      headers: { ...(headers as Record<string, string>), cookie: `session=${session}` },
      body: String(body),
    });
    return { status: response.status, ...((await response.json()) as Json) };
  };
  expect(namesOf((await send("s-ada", "tools/list"))["result"] as Json)).toEqual(["read_page", "write_page"]);
  expect(namesOf((await send("s-bob", "tools/list"))["result"] as Json)).toEqual(["read_page"]);
  const write = { name: "write_page", arguments: { page: "home", text: "Hi" } };
  expect(await send("s-bob", "tools/call", write)).toMatchObject({ error: { message: "Unknown tool: write_page" } });
  expect(textOf((await send("s-ada", "tools/call", write))["result"] as Json)).toBe("Written.");
  expect(textOf((await send("s-bob", "tools/call", { name: "read_page", arguments: { page: "home" } }))["result"] as Json)).toBe(
    "Hi (read by bob)",
  );
  expect(await send("nobody", "tools/list")).toMatchObject({ status: 401 });
  await stop();
});

test("dynamic-list notifies once of the tools that it adds", async () => {
  await using client = await talk(dynamicList);
  expect(textOf(await call(client, "install_greeting", { languages: ["de", "fr"] }))).toBe("Added: de, fr.");
  expect(client.heard("notifications/tools/list_changed")).toHaveLength(1);
  expect(namesOf(await client.result("tools/list"))).toEqual(["install_greeting", "remove_greeting", "greet_de", "greet_fr"]);
  expect(textOf(await call(client, "greet_fr", { name: "Ada" }))).toBe("Bonjour, Ada!");
  expect(textOf(await call(client, "remove_greeting", { language: "de" }))).toBe("Removed.");
  expect(await call(client, "remove_greeting", { language: "de" })).toMatchObject({ isError: true });
});

test("long-job starts at once, tells of its state, and ends when it is cancelled", async () => {
  await using client = await talk(jobs);
  const uri = textOf(await call(client, "start_job", { steps: 1000 }));
  expect(uri).toMatch(/^job:\/\/\/[\w-]{36}$/);
  expect(await client.result("resources/read", { uri })).toMatchObject({ contents: [{ text: "0 of 1000" }] });
  await client.result("resources/subscribe", { uri });
  expect(textOf(await call(client, "cancel_job", { job: uri }))).toBe("Cancelled.");
  await client.until(({ method }) => method === "notifications/resources/updated");
  expect(await client.result("resources/read", { uri })).toMatchObject({ contents: [{ text: "cancelled" }] });
  await client.result("resources/unsubscribe", { uri });
});

test("upload keeps a file and serves its bytes", async () => {
  await using client = await talk(uploads);
  const data = Buffer.from([0, 255, 7]).toString("base64");
  expect(await call(client, "upload_file", { name: "a.bin", data })).toMatchObject({
    content: [{ type: "resource_link", uri: "upload:///a.bin", size: 3 }],
  });
  expect(await client.result("resources/read", { uri: "upload:///a.bin" })).toMatchObject({
    contents: [{ blob: data, mimeType: "application/octet-stream" }],
  });
  expect(await call(client, "upload_file", { name: "../a", data })).toMatchObject({ isError: true });
  const large = Buffer.alloc(1024 * 1024 + 1).toString("base64");
  expect(textOf(await call(client, "upload_file", { name: "b", data: large }))).toContain("Too large");
});

test("image draws a picture of the colour", async () => {
  await using client = await talk(images);
  const { content } = await call(client, "swatch", { red: 1, green: 2, blue: 3, size: 2 });
  const [picture, words] = content as [{ type: string; data: string; mimeType: string }, { text: string }];
  expect([picture.type, picture.mimeType, words.text]).toEqual(["image", "image/png", "A square of 2 by 2 in rgb(1, 2, 3)."]);
  const bytes = Buffer.from(picture.data, "base64");
  const at = bytes.indexOf("IDAT");
  expect([...inflateSync(bytes.subarray(at + 4, at + 4 + bytes.readUInt32BE(at - 4)))]).toEqual([0, 1, 2, 3, 1, 2, 3, 0, 1, 2, 3, 1, 2, 3]);
});

describe("express-cookies", () => {
  afterEach(() => app.close());

  test("knows the caller by the cookie of the app", async () => {
    await new Promise<void>((resolve) => app.listen(0, "127.0.0.1", resolve));
    const origin = `http://127.0.0.1:${(app.address() as AddressInfo).port}`;
    const cookie = (await fetch(`${origin}/login`)).headers.get("set-cookie")?.split(";")[0] ?? "";
    const { headers, body } = posting(asks("tools/call", { name: "who_am_i", arguments: {} }));
    const send = (more: Record<string, string>): Promise<Response> =>
      fetch(`${origin}/mcp`, {
        method: "POST",
        headers: { ...(headers as Record<string, string>), "user-agent": "test", ...more },
        body: String(body),
      });
    expect((await send({})).status).toBe(401);
    const { result } = (await (await send({ cookie })).json()) as { result: Json };
    expect(textOf(result)).toBe("ada, by test");
    expect(await (await fetch(`${origin}/page`)).text()).toBe("The rest of the app");
  });
});

test("fetch-runtimes answers a request of web standards", async () => {
  const { headers, body } = posting(asks("tools/call", { name: "greet", arguments: { name: "Ada" } }));
  const request = new Request("http://localhost/mcp?lang=de", {
    method: "POST",
    headers: headers as Record<string, string>,
    body: String(body),
  });
  const { result } = (await (await fetchRuntimes.fetch(request)).json()) as { result: Json };
  expect(textOf(result)).toBe("Hallo, Ada!");
  expect((await fetchRuntimes.fetch(new Request("http://localhost/"))).status).toBe(404);
});

test.each<[string, Server]>([
  ["union-input", shapes],
  ["image", images],
])("%s is served in the newest revision too", async (_name, server) => {
  await using client = new ModernTalk(server);
  expect(namesOf(await client.result("tools/list")).length).toBeGreaterThan(0);
});
