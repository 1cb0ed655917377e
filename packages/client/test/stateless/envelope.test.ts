// The envelope of every request, and how errors of the client differ from errors of the server.
import { describe, expect, test } from "vitest";
import { defineServer, linkMemory, resource } from "@oarlock/server-kit";
import { McpError, REVISIONS, type Json } from "@oarlock/server-kit/protocol";
import {
  InvalidResponseError,
  ConnectionClosedError,
  connect,
  NegotiationError,
  HttpStatusError,
  InterruptedError,
  isNotFound,
  UnsupportedCapabilityError,
  RequestTimeoutError,
  type ConnectOptions,
} from "@oarlock/client";
import { failure } from "../support/scripted-peer.ts";
import { envelopeOf, connectStateless } from "../support/stateless-peers.ts";

describe("declarations of each request", () => {
  const roots: ConnectOptions = { roots: [] };
  const elicit: ConnectOptions = { elicit: () => ({ action: "cancel" }) };
  const elicitUrl: ConnectOptions = { elicitUrl: () => ({ action: "cancel" }) };
  const sample: ConnectOptions = { sample: () => ({ role: "assistant", content: { type: "text", text: "" }, model: "m" }) };

  test.each<[string, ConnectOptions, Json]>([
    ["nothing", {}, {}],
    ["ROOTS-02 roots, which is an empty object here", roots, { roots: {} }],
    ["SAMP-02 sampling", sample, { sampling: {} }],
    ["SAMP-02 sampling with tools", { ...sample, sampleTools: true }, { sampling: { tools: {} } }],
    ["ELIC-02 forms", elicit, { elicitation: { form: {} } }],
    ["ELIC-02 pages", elicitUrl, { elicitation: { url: {} } }],
    ["ELIC-02 both", { ...elicit, ...elicitUrl }, { elicitation: { form: {}, url: {} } }],
    [
      "what was named beside",
      { ...roots, capabilities: { extensions: { "com.example/x": {} } } },
      { roots: {}, extensions: { "com.example/x": {} } },
    ],
  ])("META-07 %s", async (_, options, capabilities) => {
    const { peer, client } = await connectStateless(options);
    const asks: [string, () => Promise<unknown>, Json][] = [
      ["tools/list", () => client.tools().all(), { tools: [] }],
      ["tools/call", () => client.call("x"), { content: [] }],
      ["resources/read", () => client.read("a://b"), { contents: [] }],
      ["server/discover", () => client.ping(), {}],
      ["x/y", () => client.request("x/y"), {}],
    ];
    for (const [method, act, result] of asks) {
      const asked = act();
      await peer.answer(method, result);
      await asked;
    }
    client.listen({ tools: true });
    await peer.next();
    expect(peer.received).toHaveLength(7);
    for (const message of peer.received) {
      const withTasks = { ...capabilities, extensions: { ...(capabilities.extensions as Json), "io.modelcontextprotocol/tasks": {} } };
      expect(envelopeOf(message).capabilities).toEqual(message.method === "tools/call" ? withTasks : capabilities);
    }
  });
});

test("PAGE-09 returns cursors unchanged, and an empty one is not the end", async () => {
  const { peer, client } = await connectStateless();
  const all = client.tools().all();
  const cursors = [undefined, "", " ", "\u2028", '"quoted"'];
  for (const [at, cursor] of cursors.entries()) {
    const { params } = await peer.answer("tools/list", {
      tools: [{ name: `t${at}` }],
      ...(at + 1 < cursors.length && { nextCursor: cursors[at + 1] }),
    });
    expect((params as Json).cursor).toBe(cursor);
  }
  expect((await all).map(({ name }) => name)).toEqual(["t0", "t1", "t2", "t3", "t4"]);
});

describe("errors of the server", () => {
  const codes = Array.from({ length: 20 }, (_, at) => -32_000 - at);

  test.each(codes)("ERR-09 passes the unknown code %i unchanged", async (code) => {
    const { peer, client } = await connectStateless();
    for (const act of [(): Promise<unknown> => client.call("x"), () => client.read("a://b")]) {
      const failed = failure(act());
      const { id } = await peer.next();
      peer.send({ id, error: { code, message: "?", data: { supported: REVISIONS } } });
      const error = await failed;
      expect(error).toEqual(new McpError(code, "?", { supported: REVISIONS }));
      expect(isNotFound(error)).toBe(code === -32_002);
    }
    expect(peer.received).toHaveLength(3);
  });

  test.each(REVISIONS)("RES-09 reports a missing resource — %s", async (revision) => {
    const server = defineServer({ name: "s", version: "1", resources: [resource({ uri: "a://b", name: "b", read: () => "x" })] });
    await using client = await connect(linkMemory(server), { revision });
    expect(isNotFound(await failure(client.read("a://none")))).toBe(true);
    expect(isNotFound(await failure(client.request("resources/read", { uri: 7 })))).toBe(false);
    expect(isNotFound(await failure(client.request("prompts/get", { name: "x" })))).toBe(false);
  });

  test("ERR-12 errors of the client have other classes than errors of the server", async () => {
    const { peer, client } = await connectStateless({}, { tools: {} });
    const timed = await failure(client.call("x", {}, { timeoutMs: 5 }));
    await peer.next();
    const answered = failure(client.call("x"));
    await peer.next(); // cancelled
    await peer.answer("tools/call", {});
    const bad = await answered;
    const missing = await failure(client.read("a://b"));
    const aborted = await failure(client.call("x", {}, { signal: AbortSignal.abort(new Error("no")) }));
    const waiting = failure(client.call("x"));
    await client.close();
    const kinds: [Error, abstract new (...args: never[]) => Error][] = [
      [timed, RequestTimeoutError],
      [bad, InvalidResponseError],
      [missing, UnsupportedCapabilityError],
      [aborted, Error],
      [await waiting, ConnectionClosedError],
      [new NegotiationError(""), NegotiationError],
      [new InterruptedError(""), InterruptedError],
      [new HttpStatusError("POST", 500, { body: "" }), HttpStatusError],
    ];
    for (const [error, kind] of kinds) {
      expect(error).toBeInstanceOf(kind);
      expect(error).not.toBeInstanceOf(McpError);
      expect(error).not.toHaveProperty("code");
    }
  });
});
