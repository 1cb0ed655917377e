// Requirements that leave decisions to the user: the client opens nothing, changes nothing, and requests nothing by itself.
import { createServer, type RequestListener } from "node:http";
import { inspect } from "node:util";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { describe, expect, test } from "vitest";
import { defineServer, fromJsonSchema, link, linkMemory, prompt, template, tool } from "@oarlock/server-kit";
import { bearerToken, toFetch } from "@oarlock/server-kit/fetch";
import { findRevision, REVISIONS } from "@oarlock/server-kit/protocol";
import { connectSession } from "./support/scripted-peer.ts";
import { connect } from "./support/connect-session.ts";

const STATEFUL = REVISIONS.filter((id) => findRevision(id)?.facts.era === "handshake");
const WITH_FORMS = STATEFUL.filter((id) => findRevision(id)?.facts.elicit);
const WITH_PAGES = STATEFUL.filter((id) => findRevision(id)?.facts.elicitUrl);

const many = fromJsonSchema<Record<string, string>>(
  { type: "object", properties: { count: { type: "string" }, sure: { type: "string" } } },
  () => undefined,
);

describe.each(STATEFUL)("in %s", (revision) => {
  test("PROMPT-18 lists prompts over all pages", async () => {
    const names = ["a", "b", "c", "d", "e"];
    const prompts = names.map((name) => prompt({ name, get: () => name }));
    await using client = await connect(linkMemory(defineServer({ name: "x", version: "1", pageSize: 2, prompts })), { revision });
    const pages = [await client.prompts().page()];
    while (pages.at(-1)?.nextCursor !== undefined) pages.push(await client.prompts().page(pages.at(-1)?.nextCursor));
    expect(pages.map(({ items }) => items.length)).toEqual([2, 2, 1]);
    expect((await client.prompts().all()).map(({ name }) => name)).toEqual(names);
  });

  test("PROMPT-09 sends the arguments of a prompt as strings, also by type", async () => {
    const sent: string[] = [];
    const server = defineServer({
      name: "x",
      version: "1",
      prompts: [prompt({ name: "p", args: many, get: (args) => JSON.stringify(args) })],
    });
    await using client = await connect(linkMemory(server), {
      revision,
      onWire: (direction, text) => direction === "sent" && sent.push(text),
    });
    const args = { count: "7", sure: "true" };
    const { messages } = await client.prompt("p", args);
    expect(messages).toEqual([{ role: "user", content: { type: "text", text: JSON.stringify(args) } }]);
    expect(JSON.parse(sent.at(-1) ?? "").params.arguments).toEqual(args);
    // @ts-expect-error arguments of a prompt are strings
    await expect(client.prompt("p", { count: 7 })).rejects.toMatchObject({ code: -32602 });
  });

  test("TOOL-36 reads a linked resource that is not listed", async () => {
    const server = defineServer({
      name: "x",
      version: "1",
      tools: [tool({ name: "t", run: () => [link({ uri: "note:///b", name: "b" })] })],
      resources: [template({ uri: "note:///{name}", name: "note", read: ({ name }) => `about ${name}` })],
    });
    await using client = await connect(linkMemory(server), { revision });
    expect(await client.resources().all()).toEqual([]);
    const [block] = (await client.call("t")).content;
    expect(block).toEqual(
      revision >= "2025-06-18" ? { type: "resource_link", uri: "note:///b", name: "b" } : { type: "text", text: "b — note:///b" },
    );
    expect((await client.read("note:///b")).contents).toEqual([{ uri: "note:///b", text: "about b" }]);
  });

  test("META-01 META-18 passes undefined reserved keys unchanged in responses, notifications and requests", async () => {
    const _meta = { "io.modelcontextprotocol/unheard-of": { deep: [null] }, "mcp.dev/": 1, "modelcontextprotocol.io/x": "__proto__" };
    const heard: unknown[] = [];
    const { peer, client } = await connectSession(
      { revision, roots: [], onNotification: (_method, params) => heard.push(params) },
      { _meta },
    );
    const listing = client.tools().all();
    const one = { name: "t", inputSchema: { type: "object" }, _meta };
    await peer.answer("tools/list", { tools: [one], _meta });
    expect(await listing).toEqual([one]);
    const called = client.call("t");
    const result = { content: [{ type: "text", text: "x", _meta }], _meta };
    await peer.answer("tools/call", result);
    expect(await called).toEqual(result);
    peer.send({ method: "notifications/tools/list_changed", params: { _meta } });
    expect(heard).toEqual([{ _meta }]);
    expect(await peer.request(1, "roots/list", { _meta })).toMatchObject({ id: 1, result: { roots: [] } });
  });
});

test.each(WITH_FORMS)("ELIC-42 passes a hundred elicitations to the user and refuses the others immediately — %s", async (revision) => {
  const asked: (() => void)[] = [];
  const { peer } = await connectSession({
    revision,
    elicit: () => new Promise((resolve) => asked.push(() => resolve({ action: "decline" }))),
  });
  const before = peer.received.length;
  const params = { message: "?", requestedSchema: { type: "object", properties: {} } };
  for (let id = 0; id < 1000; id++) peer.send({ id, method: "elicitation/create", params });
  expect(asked).toHaveLength(100);
  expect(peer.received.slice(before)).toHaveLength(900);
  for (const answer of peer.received.slice(before)) expect(answer).toMatchObject({ error: { code: -32603 } });
  for (const decline of asked) decline();
  await expect.poll(() => peer.received.length - before).toBe(1000);
});

/** A web server of a stranger. */
async function site(listener: RequestListener): Promise<AsyncDisposable & { url: string }> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, [Symbol.asyncDispose]: close };
}

test.each(WITH_PAGES)("ELIC-27 never fetches the URL of an elicitation — %s", async (revision) => {
  let visits = 0;
  await using page = await site((_request, response) => (visits++, response.end()));
  const url = `${page.url}/login?x=%20#there`;
  for (const action of ["accept", "decline", "cancel"] as const) {
    const urls: string[] = [];
    const { peer, client } = await connectSession({ revision, elicitUrl: (question) => (urls.push(question.url), { action }) });
    const { result } = await peer.request(1, "elicitation/create", { mode: "url", message: "?", url, elicitationId: "e" });
    expect(result).toEqual({ action });
    // What is to be urls is the whole address, as it came.
    expect(urls).toEqual([url]);
    await client.close();
  }
  expect(visits).toBe(0);
  // The page is a live one.
  await fetch(url);
  expect(visits).toBe(1);
});

describe("tokens", () => {
  const SECRET = "a-token-that-is-secret";

  test("AUTH-15 AUTH-40 sends the token in its header with every request, and nowhere else", async () => {
    const fetched: Request[] = [];
    const serve = toFetch(defineServer({ name: "x", version: "1", tools: [tool({ name: "t", run: () => "done" })] }), {
      auth: bearerToken(SECRET),
    });
    const client = await connect({
      url: "http://127.0.0.1/mcp",
      token: SECRET,
      fetch: (request) => (fetched.push(request), serve(request)),
    });
    await client.call("t");
    expect(inspect(client, { depth: Infinity, showHidden: true })).not.toContain(SECRET);
    await client.close();
    await serve.close();
    expect(new Set(fetched.map(({ method }) => method))).toEqual(new Set(["POST", "GET", "DELETE"]));
    for (const { url, headers } of fetched) {
      expect(url).toBe("http://127.0.0.1/mcp");
      const holding = [...headers].filter(([, value]) => value.includes(SECRET));
      expect(holding).toEqual([["authorization", `Bearer ${SECRET}`]]);
    }
  });

  test.each([301, 302, 307, 308])("AUTH-65 sends a token to its server only, not to redirect targets: %i", async (status) => {
    let visits = 0;
    await using elsewhere = await site((_request, response) => (visits++, response.end()));
    await using here = await site((_request, response) => response.writeHead(status, { location: `${elsewhere.url}/mcp` }).end());
    await expect(connect({ url: `${here.url}/mcp`, token: SECRET })).rejects.toThrow(`${status}`);
    expect(visits).toBe(0);
  });
});
