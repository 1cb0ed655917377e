// How a session begins, is named, and ends.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { HttpPeer, HttpTalk, initialize, READY, textOf } from "../../../support/http-talk.ts";
import { refusal, request, result, STATEFUL } from "../../../support/sample.ts";
import { BOARD, startWorkshop, type Workshop } from "../../../support/workshop.ts";

let shop: Workshop;

beforeAll(async () => {
  shop = await startWorkshop();
});

afterAll(() => shop[Symbol.asyncDispose]());

/** An error of the transport: it names no request. */
const FAULT = { jsonrpc: "2.0", error: { code: expect.any(Number), message: expect.any(String) } };

const PING = request(1, "ping");

describe.each(STATEFUL)("in %s", (revision) => {
  test("HTTP-01 HTTP-15 HTTP-34 SESS-01 SESS-03 returns a session id from initialize, which POST, GET and DELETE accept", async () => {
    using peer = new HttpPeer(shop.url);
    const opened = await peer.send("POST", {}, initialize(revision));
    expect([opened.status, opened.type]).toEqual([200, "application/json"]);
    const id = opened.headers["mcp-session-id"];
    expect(id).toMatch(/^[\x21-\x7e]{22,}$/);
    const headers = { "mcp-session-id": String(id) };
    const pong = await peer.send("POST", headers, PING);
    expect([pong.status, pong.type, await pong.json()]).toEqual([200, "application/json", result(1, {})]);
    const stream = await peer.send("GET", headers);
    expect([stream.status, stream.type]).toEqual([200, "text/event-stream"]);
    expect((await peer.send("DELETE", headers)).status).toBe(204);
    expect(await stream.closed).toBe("ended");
  });

  test("HTTP-13 JSON-10 answers notifications and responses with 202 and an empty body", async () => {
    using talk = await HttpTalk.open(shop.url, { revision, ready: false });
    for (const message of [
      READY,
      { jsonrpc: "2.0", method: "notifications/unheard/of" },
      { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 99 } },
      result(99, { roots: [] }),
      refusal("x", -1),
    ]) {
      const answer = await talk.post({ ...message, ...("error" in message && { error: { code: -1, message: "no" } }) });
      expect.soft([answer.status, answer.type, await answer.text()]).toEqual([202, undefined, ""]);
    }
  });

  test("case HTTP-13 case HTTP-14 SESS-05 HTTP-41 answers 400 without the session id and creates nothing", async () => {
    using peer = new HttpPeer(shop.url);
    const before = shop.http.counts().sessions;
    for (const [method, body] of [["POST", PING], ["POST", READY], ["POST", [PING]], ["GET"], ["DELETE"]] as const) {
      const answer = await peer.send(method, {}, body);
      expect.soft([method, answer.status, await answer.json()]).toEqual([method, 400, FAULT]);
    }
    expect(shop.http.counts().sessions).toBe(before);
  });

  test.each([
    ["one that was never given", "x".repeat(32), 404],
    ["10 KB", "x".repeat(10_240), 404],
    ["empty", "", 404],
    ["letters beyond ASCII", "s\u00e9ance", 404],
    ["a name of every object", "__proto__", 404],
    ["a list", "a, b", 404],
  ])("case HTTP-13 SESS-07 answers an unknown id, %s, with 404 and creates nothing", async (_title, id, status) => {
    using peer = new HttpPeer(shop.url);
    const before = shop.http.counts().sessions;
    const headers = { "mcp-session-id": id };
    for (const [method, body] of [["POST", PING], ["POST", READY], ["GET"], ["DELETE"]] as const) {
      const answer = await peer.send(method, headers, body);
      expect.soft([method, answer.status, await answer.json()]).toEqual([method, status, FAULT]);
    }
    expect(shop.http.counts().sessions).toBe(before);
  });

  test("case HTTP-15 SESS-02 ignores a session id that the client chose, free or in use", async () => {
    using other = await HttpTalk.open(shop.url, { revision });
    using peer = new HttpPeer(shop.url);
    const chosen = "chosen-by-the-client-0123456789ab";
    const opened = await peer.send("POST", { "mcp-session-id": chosen }, initialize(revision));
    expect([opened.status, opened.headers["mcp-session-id"]]).toEqual([200, expect.not.stringContaining(chosen)]);
    expect((await peer.send("POST", { "mcp-session-id": chosen }, PING)).status).toBe(404);
    // In use: it is a second initialize of that session, which stays as it is.
    const again = await other.post(initialize(revision));
    expect([again.headers["mcp-session-id"], await again.json()]).toEqual([undefined, refusal("open", -32600)]);
    expect(textOf(await (await other.call("echo", { message: "still here" })).json())).toBe("still here");
  });

  test("SESS-14 accepts the header name in any case", async () => {
    using talk = await HttpTalk.open(shop.url, { revision });
    using peer = new HttpPeer(shop.url);
    for (const name of ["Mcp-Session-Id", "MCP-Session-Id", "mcp-session-id", "MCP-SESSION-ID"]) {
      expect.soft((await peer.send("POST", { [name]: talk.id }, PING)).status).toBe(200);
    }
  });

  test("case HTTP-19 SESS-07 SESS-10 ends a session by DELETE with its work, its streams and its id", async () => {
    using talk = await HttpTalk.open(shop.url, { revision });
    using bystander = await HttpTalk.open(shop.url, { revision });
    const before = shop.http.counts();
    const quiet = talk.call("work", { name: "quiet" });
    const { ctx: first } = await shop.work("quiet");
    const loud = await talk.call("work", { name: "loud" }, { progressToken: "p" });
    const { ctx: second } = await shop.work("loud");
    const standing = await talk.listen();
    expect(await talk.result("resources/subscribe", { uri: BOARD })).toEqual({});
    expect(shop.watchers()).toBe(1);
    expect(shop.http.counts()).toMatchObject({ running: before.running + 2, streams: before.streams + 2 });
    const gone = await talk.end();
    expect([gone.status, await gone.text()]).toEqual([204, ""]);
    expect([first.signal.aborted, second.signal.aborted, shop.watchers()]).toEqual([true, true, 0]);
    expect(await Promise.all([loud.closed, standing.closed])).toEqual(["ended", "ended"]);
    expect(await loud.messages()).toEqual([]);
    expect(await (await quiet).text()).toBe("");
    expect(shop.http.counts()).toMatchObject({ sessions: before.sessions - 1, running: before.running, streams: before.streams });
    for (const answer of [await talk.post(PING), await talk.listen(), await talk.listen("1-0"), await talk.end()]) {
      expect.soft([answer.status, await answer.json()]).toEqual([404, FAULT]);
    }
    expect(textOf(await (await bystander.call("echo", { message: "undisturbed" })).json())).toBe("undisturbed");
  });
});

test.each([["1999-01-01"], [""], ["2025-11-25, 2025-11-25"], ["2025-06-18x"], ["newest"]])(
  "HTTP-42 answers a version header of %j with 400 on every method, and keeps the session",
  async (version) => {
    using talk = await HttpTalk.open(shop.url);
    const headers = { "mcp-protocol-version": version };
    for (const answer of [await talk.post(PING, headers), await talk.listen(undefined, headers), await talk.end(headers)]) {
      expect.soft([answer.status, await answer.json()]).toEqual([400, FAULT]);
    }
    using peer = new HttpPeer(shop.url);
    expect((await peer.send("POST", headers, initialize())).status).toBe(400);
    expect((await talk.post(PING)).status).toBe(200);
  },
);

test.each(STATEFUL)("HTTP-41 takes the revision from the session without the version header: %s", async (revision) => {
  using talk = await HttpTalk.open(shop.url, { revision });
  const answer = await talk.post([PING], { "mcp-protocol-version": undefined });
  expect(answer.status).toBe(revision === "2025-03-26" ? 200 : 400);
});

test("HTTP-41 applies the rules of 2025-03-26 to a batch without session and header, and requires a session", async () => {
  using peer = new HttpPeer(shop.url);
  const answer = await peer.send("POST", {}, [PING]);
  expect(await answer.json()).toMatchObject({ error: { message: expect.stringContaining("Mcp-Session-Id") } });
});

test.each([
  ["no protocolVersion", { capabilities: {}, clientInfo: { name: "n", version: "1" } }],
  ["capabilities that are not an object", { protocolVersion: "2025-11-25", capabilities: [], clientInfo: { name: "n", version: "1" } }],
  ["no clientInfo", { protocolVersion: "2025-11-25", capabilities: {} }],
])("case HTTP-13 SESS-01 answers an initialize with %s, and opens no session", async (_title, params) => {
  using peer = new HttpPeer(shop.url);
  const before = shop.http.counts().sessions;
  const answer = await peer.send("POST", {}, request("open", "initialize", params));
  expect([answer.headers["mcp-session-id"], await answer.json()]).toEqual([undefined, refusal("open", -32602)]);
  expect(shop.http.counts().sessions).toBe(before);
});

test("case HTTP-16 G10 shows session ids in neither logs nor responses", async () => {
  using talk = await HttpTalk.open(shop.url);
  const replyText = [
    await talk.call("echo", { message: "x" }),
    await talk.post("nonsense"),
    await talk.post(request(1, "no/such")),
    await talk.end(),
  ];
  const text = (await Promise.all(replyText.map((answer) => answer.text()))).join("\n");
  expect(text).not.toContain(talk.id);
  expect(shop.logged.join("\n")).not.toContain(talk.id);
});
