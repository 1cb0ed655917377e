import { afterEach, describe, expect, test } from "vitest";
import { defineServer, linkMemory } from "@oarlock/server-kit";
import { toFetch } from "@oarlock/server-kit/fetch";
import { serveHttp } from "@oarlock/server-kit/node";
import { findRevision, McpError, REVISIONS } from "@oarlock/server-kit/protocol";
import { InvalidResponseError, UnsupportedCapabilityError, type ConnectOptions, type Progress } from "@oarlock/client";
import { sample } from "./fixtures/sample.ts";
import { failure, connectSession } from "./support/scripted-peer.ts";
import { connect } from "./support/connect-session.ts";

const STATEFUL = REVISIONS.filter((id) => findRevision(id)?.facts.era === "handshake");
const textOf = (result: { content: readonly { type: string }[] }): unknown => (result.content[0] as { text?: string } | undefined)?.text;

/** Each gives what to connect to, and what ends the server. */
const WAYS: Record<string, () => Promise<[to: Parameters<typeof connect>[0], end?: () => Promise<void>]>> = {
  "in memory": async () => [linkMemory(sample())],
  "over HTTP": async () => {
    const { url, stop } = await serveHttp(sample(), { port: 0 });
    return [{ url }, stop];
  },
  "over the older pair": async () => {
    const { url, stop } = await serveHttp(sample(), { port: 0, legacySse: true });
    return [{ url: new URL("/sse", url) }, stop];
  },
  "by fetch": async () => {
    const fetch = toFetch(sample());
    return [{ url: "http://localhost/mcp", fetch }, () => fetch.close()];
  },
};
const CELLS = Object.keys(WAYS).flatMap((way) => {
  const revisions = way === "over the older pair" ? ["2024-11-05"] : REVISIONS;
  return revisions.map((revision) => [way, revision] as const);
});

describe.each(CELLS)("TRANS-01: a server of the kit %s — %s", (way, revision) => {
  const ends: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const end of ends.splice(0)) await end();
  });
  const open = async (options: ConnectOptions = {}) => {
    const [to, end] = await WAYS[way]!();
    if (end !== undefined) ends.push(end);
    return connect(to, { revision, ...options });
  };
  const inSession = STATEFUL.includes(revision);

  test("reads the server information", async () => {
    await using client = await open();
    expect(client.revision).toBe(revision);
    expect(client.serverInfo).toEqual({ name: "sample", version: "1.2.3" });
    expect(client.instructions).toBe("Ask nicely.");
    await client.ping();
  });

  test("lists tools over all pages and by page, and calls them", async () => {
    await using client = await open();
    const names: string[] = [];
    for await (const { name } of client.tools()) names.push(name);
    const first = await client.tools().page();
    const second = await client.tools().page(first.nextCursor);
    expect(first.items.map(({ name }) => name)).toEqual(names.slice(0, 3));
    expect(second.items.map(({ name }) => name)).toEqual(names.slice(3, 6));
    expect(names).toHaveLength(12);
    expect(await client.call("echo", { message: "ü\n\u2028🙂" })).toEqual({ content: [{ type: "text", text: "ü\n\u2028🙂" }] });
    await expect(client.call("nobody")).rejects.toThrow(McpError);
  });

  test("reports progress", async () => {
    await using client = await open();
    const heard: Progress[] = [];
    await client.call("steps", {}, { onProgress: (progress) => heard.push(progress) });
    const messageOf = (step: number) => (revision === "2024-11-05" ? {} : { message: `step ${step}` });
    expect(heard).toEqual([1, 2, 3].map((step) => ({ progress: step, total: 3, ...messageOf(step) })));
  });

  test("CANCEL-03: cancels the handler and keeps the session", async () => {
    await using client = await open();
    const abort = new AbortController();
    const asked = client.call("slow", {}, { signal: abort.signal, onProgress: () => abort.abort(new Error("no more")) });
    await expect(asked).rejects.toThrow("no more");
    // Where closing cancels, no reason is given, and the server sees it when it sees it.
    const reason = inSession || way === "in memory" ? "no more" : "the client closed the stream";
    await expect.poll(async () => textOf(await client.call("cancelled"))).toBe(reason);
  });

  test("lists, reads, subscribes to and unsubscribes from resources", async () => {
    await using client = await open();
    expect((await client.resources().all()).map(({ uri }) => uri)).toEqual(["app://status"]);
    expect((await client.templates().all()).map(({ uriTemplate }) => uriTemplate)).toEqual(["note:///{name}"]);
    expect((await client.read("note:///today")).contents).toEqual([{ uri: "note:///today", text: "Nothing much." }]);
    await expect(client.read("note:///never")).rejects.toThrow(McpError);

    const news: string[] = [];
    await client.subscribe("app://status", (uri) => news.push(uri));
    await client.call("touch");
    await expect.poll(() => news).toEqual(["app://status"]);
    await client.unsubscribe("app://status");
    await expect.poll(async () => textOf(await client.call("touch"))).toBe("0");
    expect(news).toEqual(["app://status"]);
    await expect(client.subscribe("note:///today", () => undefined)).rejects.toThrow(inSession ? McpError : UnsupportedCapabilityError);
  });

  test("COMP-08: gets prompts and completions, with the resolved arguments if the revision has them", async () => {
    await using client = await open();
    expect((await client.prompts().all()).map(({ name }) => name)).toEqual(["greet"]);
    expect((await client.prompt("greet", { who: "Ada" })).messages).toEqual([
      { role: "user", content: { type: "text", text: "Greet Ada." } },
    ]);
    const greet = { type: "ref/prompt", name: "greet" } as const;
    expect(await client.complete(greet, { name: "who", value: "" })).toEqual({ values: ["Ada", "Grace"], total: 2, hasMore: false });
    const known = revision >= "2025-06-18" ? '{"who":"Ada"}' : "{}";
    expect((await client.complete(greet, { name: "how", value: "x" }, { who: "Ada" })).values).toEqual([`x:${known}`]);
    const note = { type: "ref/resource", uri: "note:///{name}" } as const;
    expect((await client.complete(note, { name: "name", value: "to" })).values).toEqual(["today", "tomorrow"]);
  });

  test("LOG-06: receives log entries from the chosen level", async () => {
    const entries: unknown[] = [];
    await using client = await open({ onLog: (entry) => entries.push(entry) });
    await client.setLevel("debug");
    await client.call("log");
    await client.setLevel("error");
    await client.call("log");
    expect(entries).toEqual([
      { level: "debug", logger: "sample", data: "quiet" },
      { level: "warning", logger: "sample", data: { loud: true } },
    ]);
  });

  test("receives list changes", async () => {
    const lists: string[] = [];
    const methods: string[] = [];
    await using client = await open({ onListChanged: (list) => lists.push(list), onNotification: (method) => methods.push(method) });
    await client.call("grow");
    await expect.poll(() => lists).toEqual(["tools"]);
    expect((await client.tools().all()).at(-1)?.name).toBe("grown");
    await expect.poll(() => lists).toEqual(["tools"]);
    const acknowledged = inSession ? [] : ["notifications/subscriptions/acknowledged"];
    expect(methods).toEqual([...acknowledged, "notifications/tools/list_changed"]);
  });

  test("answers requests of the server", async () => {
    await using client = await open({
      roots: [{ uri: "file:///a" }],
      elicit: ({ message }) => ({ action: "accept", content: { sure: message === "Sure?" } }),
      elicitUrl: () => ({ action: "decline" }),
      sample: ({ messages }) => ({ role: "assistant", content: messages[0]!.content, model: "parrot" }),
    });
    const { facts } = findRevision(revision)!;
    const folders = async () => JSON.parse(String(textOf(await client.call("folders"))));
    expect(await folders()).toEqual([{ uri: "file:///a" }]);
    client.setRoots([{ uri: "file:///b", name: "B" }]);
    expect(await folders()).toEqual([{ uri: "file:///b", name: "B" }]);
    expect(JSON.parse(String(textOf(await client.call("think"))))).toEqual({
      role: "assistant",
      content: { type: "text", text: "Hi" },
      model: "parrot",
    });
    const form = await client.call("ask");
    if (facts.elicit) expect(textOf(form)).toBe('{"action":"accept","content":{"sure":true}}');
    else expect(form.isError).toBe(true);
    const page = await client.call("ask-url");
    if (facts.elicitUrl) expect(textOf(page)).toBe('{"action":"decline"}');
    else expect(page.isError).toBe(true);
  });
});

describe("LIFE-14 LIFE-15: sends nothing that the server does not offer", () => {
  test.each<[string, (client: Awaited<ReturnType<typeof connect>>) => Promise<unknown>]>([
    ["tools", (client) => client.tools().all()],
    ["tools", (client) => client.call("x")],
    ["resources", (client) => client.resources().all()],
    ["resources", (client) => client.templates().all()],
    ["resources", (client) => client.read("a://b")],
    ["resources.subscribe", (client) => client.subscribe("a://b", () => undefined)],
    ["prompts", (client) => client.prompts().all()],
    ["prompts", (client) => client.prompt("x")],
    ["completions", (client) => client.complete({ type: "ref/prompt", name: "x" }, { name: "y", value: "" })],
    ["logging", (client) => client.setLevel("info")],
  ])("%s", async (capability, act) => {
    const { peer, client } = await connectSession({}, { capabilities: {} });
    const before = peer.received.length;
    await expect(act(client)).rejects.toThrow(new UnsupportedCapabilityError(capability));
    expect(peer.received).toHaveLength(before);
  });

  test("sends completions in 2024-11-05, which has no capability for them", async () => {
    const { peer, client } = await connectSession({ revision: "2024-11-05" }, { capabilities: {} });
    const asked = client.complete({ type: "ref/prompt", name: "x" }, { name: "y", value: "z" });
    await peer.answer("completion/complete", { completion: { values: ["zebra"] } });
    expect(await asked).toEqual({ values: ["zebra"] });
  });

  test.each(STATEFUL)("COMP-08 LIFE-14: sends resolved arguments in revisions that have them — %s", async (revision) => {
    const { peer, client } = await connectSession({ revision });
    const ref = { type: "ref/prompt", name: "x" } as const;
    const asked = client.complete(ref, { name: "y", value: "z" }, { a: "1" });
    const { params } = await peer.answer("completion/complete", { completion: { values: [] } });
    await asked;
    const context = revision >= "2025-06-18" ? { context: { arguments: { a: "1" } } } : {};
    expect(params).toEqual({ ref, argument: { name: "y", value: "z" }, ...context });
  });

  test("ERR-03: sends a raw request anyway and throws the refusal", async () => {
    await using client = await connect(linkMemory(defineServer({ name: "bare", version: "1" })));
    await expect(client.request("tools/list")).rejects.toThrow(new McpError(-32601, "Method not found"));
  });
});

describe("refuses invalid results", () => {
  test.each<[string, string, (client: Awaited<ReturnType<typeof connect>>) => Promise<unknown>]>([
    ["tools/call", "content", (client) => client.call("x")],
    ["resources/read", "contents", (client) => client.read("a://b")],
    ["prompts/get", "messages", (client) => client.prompt("x")],
    ["tools/list", "tools", (client) => client.tools().all()],
  ])("%s without %s", async (method, _, act) => {
    const { peer, client } = await connectSession();
    const failed = failure(act(client));
    await peer.answer(method, {});
    expect(await failed).toBeInstanceOf(InvalidResponseError);
  });

  test("COMP-10: tolerates missing and partial completions", async () => {
    const { peer, client } = await connectSession();
    for (const [answer, values] of [
      [{}, []],
      [{ completion: [] }, []],
      [{ completion: { values: ["a", 1, null] } }, ["a"]],
    ] as const) {
      const asked = client.complete({ type: "ref/prompt", name: "x" }, { name: "y", value: "" });
      await peer.answer("completion/complete", answer);
      expect(await asked).toEqual({ values });
    }
  });
});

describe("resource updates", () => {
  const news = (uri: string) => ({ method: "notifications/resources/updated", params: { uri } });

  test("match a URI itself or its parents; none arrive after the end", async () => {
    const { peer, client } = await connectSession();
    const heard: string[] = [];
    for (const uri of ["file:///a", "file:///a/b", "file:///c/"]) {
      const subscribing = client.subscribe(uri, (changed) => heard.push(`${uri}: ${changed}`));
      await peer.answer("resources/subscribe", {});
      await subscribing;
    }
    for (const uri of ["file:///a/b", "file:///a/x/y", "file:///ab", "file:///c/d"]) peer.send(news(uri));
    peer.send({ method: "notifications/resources/updated", params: { uri: 1 } });
    expect(heard).toEqual(["file:///a/b: file:///a/b", "file:///a: file:///a/x/y", "file:///c/: file:///c/d"]);
    const leaving = client.unsubscribe("file:///a");
    peer.send(news("file:///a"));
    await peer.answer("resources/unsubscribe", {});
    await leaving;
    peer.send(news("file:///a"));
    expect(heard).toHaveLength(3);
  });

  test("arrive for a change right after the response, and not for a refused subscription", async () => {
    const { peer, client } = await connectSession();
    const heard: string[] = [];
    const subscribing = client.subscribe("a://b", (uri) => heard.push(uri));
    const { id } = await peer.next();
    peer.send({ id, result: {} });
    peer.send(news("a://b"));
    await subscribing;
    const refused = failure(client.subscribe("c://d", (uri) => heard.push(uri)));
    const request = await peer.next();
    peer.send({ id: request.id, error: { code: -32002, message: "no" } });
    expect((await refused).message).toBe("no");
    peer.send(news("c://d"));
    expect(heard).toEqual(["a://b"]);
  });
});

test.each(["http://127.0.0.1:3920/mcp", undefined, {}])("refuses %j in place of a server", async (server) => {
  await expect(connect(server as never)).rejects.toThrow(
    "Invalid server: expected { url } for HTTP, { command, args } for a process, or a wire.",
  );
});
