// The shape of every message that is sent, and arrays of messages (requirements JSON-*).
import { describe, expect, test } from "vitest";
import { isObject, type Json } from "../../src/protocol.ts";
import { sampleServer } from "../fixtures/sample-server.ts";
import { readySample, refusal, result, STATEFUL, words } from "../support/sample.ts";
import { ABLE, talk, type Talk } from "../support/talk.ts";

/** A conversation that brings forth messages of every kind. */
async function everything(client: Talk): Promise<void> {
  for (const method of [
    "tools/list",
    "resources/list",
    "resources/templates/list",
    "prompts/list",
    "nope",
    "tools/call",
    "resources/read",
  ]) {
    await client.request(method);
  }
  await client.request("logging/setLevel", { level: "debug" });
  await client.request("resources/subscribe", { uri: "sample://text" });
  for (const name of ["log", "media", "ask", "ask_url", "sample", "roots", "nope"]) await client.request("tools/call", { name });
  await client.call("progress", {}, { progressToken: "p" });
  await client.call("touch", { uri: "sample://text" });
  await client.call("grow", { name: "more" });
  await client.request("tools/call", { name: "throws", arguments: { what: "mcp" } });
  await client.request("tools/call", { name: "echo", arguments: { message: 1 } });
  client.send("nonsense");
  client.send({ jsonrpc: "2.0", id: null, method: "ping" });
  const asked = client.begin("tools/call", { name: "ask", arguments: { message: "leave me" } });
  await client.settled();
  client.note("notifications/cancelled", { requestId: asked });
  await client.settled();
}

const answers = {
  "elicitation/create": ({ message }: Json) => (message === "leave me" ? undefined : { action: "decline" }),
  "sampling/createMessage": () => ({ role: "assistant", content: { type: "text", text: "hi" }, model: "m" }),
  "roots/list": () => new Error("not now"),
};

describe.each(STATEFUL)("every message in %s", (revision) => {
  test("JSON-01 JSON-03 JSON-07 JSON-08 JSON-09 has the members of its kind and no others", async () => {
    await using client = await talk(sampleServer(), { revision, capabilities: ABLE, answers });
    await everything(client);
    const kinds = new Set<string>();
    for (const message of client.received) {
      expect(message["jsonrpc"]).toBe("2.0");
      const { jsonrpc: _version, id, method, params, result: given, error, ...rest } = message;
      expect(rest).toEqual({});
      if (method !== undefined) {
        kinds.add(id === undefined ? "notification" : "request");
        expect(method).toBeTypeOf("string");
        if ("id" in message) expect(typeof id === "string" || Number.isInteger(id)).toBe(true);
        expect(params === undefined || isObject(params)).toBe(true);
        expect(given ?? error).toBeUndefined();
      } else if (error === undefined) {
        kinds.add("result");
        expect(isObject(given)).toBe(true);
        expect(typeof id === "string" || Number.isInteger(id)).toBe(true);
      } else {
        kinds.add("error");
        expect("result" in message).toBe(false);
        const { code, message: text, ...more } = error as Json;
        expect(Number.isInteger(code)).toBe(true);
        // JSON-12: short, and details in data.
        expect(String(text).length).toBeLessThan(200);
        expect(Object.keys(more).filter((key) => key !== "data")).toEqual([]);
      }
    }
    expect(kinds).toEqual(new Set(["notification", "request", "result", "error"]));
  });

  test("JSON-04 never reuses the id of a server request", async () => {
    await using client = await talk(sampleServer(), { revision, capabilities: ABLE, answers });
    for (let round = 0; round < 20; round++) {
      await Promise.all(["roots", "sample", "roots", "sample"].map((name) => client.request("tools/call", { name })));
    }
    const ids = client.received.filter(({ method, id }) => method !== undefined && id !== undefined).map(({ id }) => id);
    expect(ids.length).toBeGreaterThan(40);
    expect(new Set(ids).size).toBe(ids.length);
  });
});

describe("arrays in 2025-03-26", () => {
  const revision = "2025-03-26";
  const echo = (id: unknown, message = "x"): Json => ({
    jsonrpc: "2.0",
    id,
    method: "tools/call",
    params: { name: "echo", arguments: { message } },
  });

  test("JSON-13 JSON-15 get one response for each request, none for notifications and responses", async () => {
    await using server = await readySample({}, revision);
    const messages = [echo(1), { jsonrpc: "2.0", method: "notifications/nope" }, echo("2"), { jsonrpc: "2.0", id: 99, result: {} }];
    void server.send(JSON.stringify(messages));
    expect(await server.message()).toEqual([words(1, "x"), words("2", "x")]);
    void server.send(
      JSON.stringify([
        { jsonrpc: "2.0", method: "notifications/nope" },
        { jsonrpc: "2.0", id: 99, result: {} },
      ]),
    );
    expect(await server.request({ jsonrpc: "2.0", id: "next", method: "ping" })).toEqual(result("next", {}));
  });

  test("JSON-15 get their responses together after the last one, and notifications at once", async () => {
    await using server = await readySample({}, revision);
    const call = (id: number, name: string, args: Json, _meta: Json = {}): Json => ({
      jsonrpc: "2.0",
      id,
      method: "tools/call",
      params: { name, arguments: args, _meta },
    });
    void server.send(
      JSON.stringify([
        call(1, "slow", { ms: 100 }),
        call(2, "progress", { steps: [1] }, { progressToken: "t" }),
        echo(3),
        call(4, "slow", {}),
      ]),
    );
    expect(await server.message()).toMatchObject({ method: "notifications/progress", params: { progressToken: "t", progress: 1 } });
    void server.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 4 } });
    const answers = JSON.parse(await server.line()) as Json[];
    expect(answers.toSorted((a, b) => Number(a["id"]) - Number(b["id"]))).toEqual([
      words(1, "slow waited"),
      words(2, "1 steps"),
      words(3, "x"),
    ]);
  });

  test("JSON-16 JSON-18 are refused as a whole when empty or with initialize", async () => {
    await using server = await readySample({}, revision);
    void server.send("[]");
    expect(await server.message()).toEqual(refusal(null, -32600));
    void server.send(JSON.stringify([echo(1), { jsonrpc: "2.0", id: 2, method: "initialize", params: {} }]));
    expect(await server.message()).toEqual(refusal(null, -32600));
    expect(await server.request({ jsonrpc: "2.0", id: "next", method: "ping" })).toEqual(result("next", {}));
  });

  test("refuse the second use of an id while the first runs", async () => {
    await using server = await readySample({}, revision);
    const slow = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "slow", arguments: { ms: 50 } } };
    void server.send(JSON.stringify([slow, echo(1)]));
    expect(await server.message()).toEqual([refusal(null, -32600), words(1, "slow waited")]);
  });

  test("JSON-14 may contain responses of a client", async () => {
    await using client = await talk(sampleServer(), { revision, capabilities: ABLE });
    const calls = [client.begin("tools/call", { name: "roots" }), client.begin("tools/call", { name: "sample" })];
    await client.until(({ method }) => method === "sampling/createMessage");
    const ids = client.received.filter(({ method, id }) => method !== undefined && id !== undefined);
    client.send(
      ids.map(({ id, method }) => ({
        jsonrpc: "2.0",
        id,
        result: method === "roots/list" ? { roots: [] } : { role: "assistant", model: "m", content: { type: "text", text: "hi" } },
      })),
    );
    expect(await client.answer(calls[0]!)).toMatchObject({ result: { content: [{ text: "[]" }] } });
    expect(await client.answer(calls[1]!)).toMatchObject({ result: { content: [{ text: '{"type":"text","text":"hi"}' }] } });
  });
});
