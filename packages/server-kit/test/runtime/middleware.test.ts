// Middleware: lists for each caller, and what surrounds requests.
import { describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { toFetch } from "../../src/fetch.ts";
import {
  defineServer,
  encodedText,
  EncodedJson,
  McpError,
  prompt,
  resource,
  template,
  tool,
  ToolError,
  type Middleware,
  type Server,
} from "../../src/index.ts";
import { REVISIONS, type Json } from "../../src/protocol.ts";
import { ModernTalk } from "../support/modern-talk.ts";
import { asks, posting } from "../support/stateless-message.ts";
import { talk, type Talk } from "../support/talk.ts";

const server = (...use: Middleware[]): Server =>
  defineServer({
    name: "shop",
    version: "1",
    pageSize: 2,
    use,
    tools: ["look", "buy", "admin_reset"].map((name) =>
      tool({ name, hints: { readOnly: name === "look" }, input: z.looseObject({}), run: () => `${name} done` }),
    ),
    resources: [
      resource({ uri: "shop://open", name: "open", read: () => "open" }),
      resource({ uri: "shop://admin", name: "admin_log", read: () => "secret", watch: () => () => undefined }),
      template({
        uri: "shop:///admin/{id}",
        name: "admin_file",
        complete: { id: () => ["1"] },
        read: ({ id }) => id,
        watch: () => () => undefined,
      }),
      template({ uri: "shop:///{id}", name: "file", complete: { id: () => ["1"] }, read: ({ id }) => id }),
    ],
    prompts: ["greet", "admin_help"].map((name) =>
      prompt({ name, args: z.object({ who: z.string() }), complete: { who: () => ["Ada"] }, get: () => `${name}!` }),
    ),
  });

const withoutAdmin: Middleware = { list: (items) => items.filter(({ name }) => !name.startsWith("admin_")) };

const names = (result: Json, key: string): unknown[] => (result[key] as Json[]).map(({ name }) => name);

async function allNames(client: Talk, method: string, key: string): Promise<unknown[]> {
  const first = await client.result(method);
  if (first.nextCursor === undefined) return names(first, key);
  return [...names(first, key), ...names(await client.result(method, { cursor: first.nextCursor }), key)];
}

describe.each(REVISIONS)("a list that is filtered, in %s", (revision) => {
  const open = async (use: Server): Promise<Talk> => (revision === REVISIONS[0] ? new ModernTalk(use) : talk(use, { revision }));

  test("lacks the entries, and they cannot be used", async () => {
    await using client = await open(server(withoutAdmin));
    expect(await allNames(client, "tools/list", "tools")).toEqual(["look", "buy"]);
    expect(await allNames(client, "prompts/list", "prompts")).toEqual(["greet"]);
    expect(await allNames(client, "resources/list", "resources")).toEqual(["open"]);
    expect(await allNames(client, "resources/templates/list", "resourceTemplates")).toEqual(["file"]);
    expect(await client.error("tools/call", { name: "admin_reset" })).toMatchObject({ code: -32602, message: "Unknown tool: admin_reset" });
    expect(await client.error("prompts/get", { name: "admin_help", arguments: { who: "x" } })).toMatchObject({
      message: "Unknown prompt: admin_help",
    });
    for (const uri of ["shop://admin", "SHOP://admin", "shop:///admin/1"])
      expect(await client.error("resources/read", { uri })).toMatchObject({ message: "Resource not found" });
    expect(await client.result("resources/read", { uri: "shop:///1" })).toMatchObject({ contents: [{ text: "1" }] });
    expect(await client.result("resources/read", { uri: "shop://open" })).toMatchObject({ contents: [{ text: "open" }] });
    expect(await client.replyText("buy")).toBe("buy done");
  });

  test("completes and watches only what is known", async () => {
    await using client = await open(server(withoutAdmin));
    const complete = (ref: Json, name: string): Json => ({ ref, argument: { name, value: "" } });
    expect(await client.error("completion/complete", complete({ type: "ref/prompt", name: "admin_help" }, "who"))).toMatchObject({
      code: -32602,
    });
    for (const uri of ["shop:///admin/{id}", "shop:///admin/1"])
      expect(await client.error("completion/complete", complete({ type: "ref/resource", uri }, "id"))).toHaveProperty("code");
    expect(await client.result("completion/complete", complete({ type: "ref/prompt", name: "greet" }, "who"))).toMatchObject({
      completion: { values: ["Ada"] },
    });
    expect(await client.result("completion/complete", complete({ type: "ref/resource", uri: "shop:///{id}" }, "id"))).toMatchObject({
      completion: { values: ["1"] },
    });
    if (revision === REVISIONS[0]) return;
    for (const uri of ["shop://admin", "shop:///admin/1"])
      expect(await client.error("resources/subscribe", { uri })).toHaveProperty("code");
  });
});

test("opens no subscription of a resource that is not known", async () => {
  await using client = new ModernTalk(server(withoutAdmin));
  const id = client.begin("subscriptions/listen", { notifications: { resourceSubscriptions: ["shop://admin"] } });
  const { params } = await client.until(({ method }) => method === "notifications/subscriptions/acknowledged");
  expect((params as Json).notifications).toEqual({});
  client.note("notifications/cancelled", { requestId: id });
});

describe("over HTTP", () => {
  const people: Middleware = {
    list: (items, { auth }) => items.filter(({ name }) => auth?.principal === "admin" || !name.startsWith("admin_")),
  };

  async function listed(handle: ReturnType<typeof toFetch>, user: string, query = ""): Promise<Json> {
    const { headers, body } = posting(asks("tools/list"), {});
    const request = new Request(`http://localhost/mcp${query}`, {
      method: "POST",
      headers: { ...(headers as Record<string, string>), "x-user": user },
      body: String(body),
    });
    return ((await (await handle(request)).json()) as { result: Json }).result;
  }

  test("a list belongs to its caller, and no cache may share it", async () => {
    const handle = toFetch(server(people), { auth: (request) => ({ principal: request.headers.get("x-user") ?? "" }) });
    for (const user of ["ada", "admin", "ada"]) {
      const result = await listed(handle, user);
      expect(result).toMatchObject({ cacheScope: "private", ttlMs: 0 });
      expect(names(result, "tools")).toEqual(["look", "buy"]);
      expect("nextCursor" in result).toBe(user === "admin");
    }
    await handle.close(0);
  });

  test("a list may depend on the request", async () => {
    const byQuery: Middleware = {
      list: (items, { http }) => items.filter(({ name }) => http?.query.get("only")?.split(",").includes(name) ?? true),
    };
    const handle = toFetch(server(byQuery));
    expect(names(await listed(handle, "x", "?only=buy,other"), "tools")).toEqual(["buy"]);
    expect(names(await listed(handle, "x"), "tools")).toEqual(["look", "buy"]);
    await handle.close(0);
  });

  test("a renamed tool that may change something needs the scope for writing", async () => {
    const rename: Middleware = {
      list: (items) => items.map((item) => ({ ...item, name: `my_${item.name}` })),
      call: (request, next) => next({ ...request.params, name: String(request.params.name).replace("my_", "") }),
    };
    const handle = toFetch(server(rename), { auth: () => ({ principal: "ada", scopes: ["shop:read"] }) });
    const { headers, body } = posting(asks("tools/call", { name: "my_buy", arguments: {} }), {});
    const response = await handle(
      new Request("http://localhost/mcp", { method: "POST", headers: headers as Record<string, string>, body: String(body) }),
    );
    expect(response.status).toBe(403);
    await handle.close(0);
  });
});

describe("a request", () => {
  test("reads the values of results that are encoded already", async () => {
    const seen: unknown[] = [];
    const look: Middleware = {
      async call(_request, next) {
        const result = await next();
        seen.push(result);
        return result;
      },
    };
    const rows = tool({
      name: "rows",
      run: () => ({ content: [encodedText('"two rows"')], structured: new EncodedJson('{"rows":[1,2]}') }),
    });
    await using client = await talk(defineServer({ name: "shop", version: "1", use: [look], tools: [rows] }));
    const expected = { content: [{ type: "text", text: "two rows" }], structuredContent: { rows: [1, 2] } };
    expect(await client.result("tools/call", { name: "rows" })).toMatchObject(expected);
    expect(seen).toEqual([expect.objectContaining(expected)]);
  });

  test("passes the middleware from the first to the last, and back", async () => {
    const log: string[] = [];
    const trace = (name: string): Middleware => ({
      async call({ method, params }, next) {
        log.push(`${name} ${method} ${String(params.name ?? params.uri)}`);
        const result = await next();
        log.push(`${name} done`);
        return result;
      },
    });
    await using client = await talk(server(trace("a"), trace("b")));
    expect(await client.replyText("look")).toBe("look done");
    await client.result("prompts/get", { name: "greet", arguments: { who: "x" } });
    await client.result("resources/read", { uri: "shop://open" });
    await client.result("tools/list");
    const around = (what: string): string[] => [`a ${what}`, `b ${what}`, "b done", "a done"];
    expect(log).toEqual([...around("tools/call look"), ...around("prompts/get greet"), ...around("resources/read shop://open")]);
  });

  test("is renamed with its entry", async () => {
    const rename: Middleware = {
      list: (items) => items.map((item) => (item.name === "buy" ? { ...item, name: "purchase", description: "Buys." } : item)),
      call: (request, next) => next(request.params.name === "purchase" ? { ...request.params, name: "buy" } : request.params),
    };
    await using client = await talk(server(rename));
    expect(await client.result("tools/list")).toMatchObject({ tools: [{ name: "look" }, { name: "purchase", description: "Buys." }] });
    expect(await client.replyText("purchase")).toBe("buy done");
    expect(await client.error("tools/call", { name: "buy" })).toMatchObject({ message: "Unknown tool: buy" });
  });

  test("is denied by an error of the middleware, for the model or the client", async () => {
    const deny: Middleware = {
      call({ params }, next) {
        if (params.name === "buy") throw new ToolError("The shop is closed.");
        if (params.name === "admin_reset") throw new McpError(-32001, "No");
        return next();
      },
    };
    await using client = await talk(server(deny));
    expect(await client.result("tools/call", { name: "buy" })).toMatchObject({ isError: true, content: [{ text: "The shop is closed." }] });
    expect(await client.error("tools/call", { name: "admin_reset" })).toEqual({ code: -32001, message: "No" });
    expect(await client.replyText("look")).toBe("look done");
  });

  test("is answered without its handler", async () => {
    const cached: Middleware = { call: () => ({ content: [{ type: "text", text: "kept" }] }) };
    await using client = await talk(server(cached));
    expect(await client.replyText("buy")).toBe("kept");
  });
});

test("a list that no middleware concerns stays that of all callers", async () => {
  const byQuery: Middleware = { isFor: ({ http }) => http?.query.has("few") === true, list: () => [], call: () => ({ content: [] }) };
  const handle = toFetch(server(byQuery));
  const send = async (query: string, method: string, params: Json = {}): Promise<Json> => {
    const { headers, body } = posting(asks(method, params), {});
    const request = new Request(`http://localhost/mcp${query}`, {
      method: "POST",
      headers: headers as Record<string, string>,
      body: String(body),
    });
    return (await (await handle(request)).json()) as Json;
  };
  for (const method of ["tools/list", "prompts/list", "resources/templates/list"]) {
    expect(await send("", method)).toMatchObject({ result: { cacheScope: "public" } });
    expect(await send("?few", method)).toMatchObject({ result: { cacheScope: "private" } });
  }
  expect(await send("?few", "resources/list")).toMatchObject({ result: { resources: [] } });
  expect(await send("", "resources/list")).toMatchObject({ result: { resources: [{ name: "open" }, { name: "admin_log" }] } });
  expect(await send("", "tools/call", { name: "look", arguments: {} })).toMatchObject({ result: { content: [{ text: "look done" }] } });
  expect(await send("?few", "tools/call", { name: "look", arguments: {} })).toMatchObject({ error: { message: "Unknown tool: look" } });
  await handle.close(0);
});

describe("use()", () => {
  test("adds middleware until the server is served", async () => {
    const shop = server();
    const list = vi.fn<NonNullable<Middleware["list"]>>((items) => items);
    shop.use({ list: list as Middleware["list"] & object });
    await using client = await talk(shop);
    await client.result("tools/list");
    expect(list).toHaveBeenCalledTimes(1);
    expect(() => shop.use({})).toThrow("Cannot add middleware: the server is being served. Call use() before.");
  });

  test("costs nothing where it is unused: a list is kept for all callers", async () => {
    await using client = new ModernTalk(server());
    expect(await client.result("tools/list")).toMatchObject({ cacheScope: "public" });
  });
});
