// The endpoint pair of 2024-11-05: a stream that everything comes by, an address that everything goes to, and the same guards.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { HttpPeer, HttpTalk, initialize, textOf } from "../../support/http-talk.ts";
import { openLegacy } from "../../support/legacy-talk.ts";
import { call, eventually, note, refusal, request, result, STATEFUL, words } from "../../support/sample.ts";
import { ABLE } from "../../support/talk.ts";
import { BOARD, principals, startWorkshop, type Workshop } from "../../support/workshop.ts";

let shop: Workshop;

beforeAll(async () => {
  shop = await startWorkshop({ legacySse: true, http: { keepAliveMs: 300 } });
});

afterAll(() => shop[Symbol.asyncDispose]());

const PING = request(1, "ping");

test("SSE-LEGACY-01 SSE-LEGACY-02 SSE-LEGACY-04 names the endpoint in the first event, then sends each message as a `message` event with JSON", async () => {
  await using talk = await openLegacy(shop.http);
  expect([talk.stream.status, talk.stream.type]).toEqual([200, "text/event-stream"]);
  expect(talk.stream.raw).toMatch(/^event: endpoint\ndata: messages\?sessionId=[\w-]{22,}\n\n/);
  expect(await talk.handshake()).toMatchObject({ id: "open", result: { protocolVersion: "2024-11-05" } });
  const sent = await talk.post(call(2, "work", {}, { progressToken: "p" }));
  expect([sent.status, await sent.text()]).toEqual([202, ""]);
  const { ctx, done } = await shop.work("it");
  ctx.progress(1);
  done("done");
  for (const expected of [{ method: "notifications/progress" }, words(2, "done")]) {
    const { event, data } = await talk.stream.event();
    expect([event, JSON.parse(data)]).toEqual(["message", expect.objectContaining(expected)]);
  }
});

test("SSE-LEGACY-04 carries client requests, changes and errors on the stream", async () => {
  await using talk = await openLegacy(shop.http);
  await talk.handshake("2024-11-05", ABLE);
  await talk.post(call(1, "work"));
  const { ctx, done } = await shop.work("it");
  const roots = ctx.roots();
  const { id, method } = await talk.stream.message();
  expect(method).toBe("roots/list");
  expect((await talk.post(result(id, { roots: [{ uri: "file:///r" }] }))).status).toBe(202);
  expect(await roots).toEqual([{ uri: "file:///r" }]);
  done("done");
  expect(textOf(await talk.stream.message())).toBe("done");
  expect(await talk.request(request(2, "resources/subscribe", { uri: BOARD }))).toEqual(result(2, {}));
  shop.touch();
  expect(await talk.stream.message()).toMatchObject({ method: "notifications/resources/updated", params: { uri: BOARD } });
  expect(await talk.request(request(3, "no/such"))).toEqual(refusal(3, -32601));
});

test.each(STATEFUL)("SSE-LEGACY-07 serves both kinds of client side by side, in %s", async (revision) => {
  await using old = await openLegacy(shop.http);
  expect(await old.handshake(revision)).toMatchObject({ result: { protocolVersion: revision } });
  using talk = await HttpTalk.open(shop.url, { revision });
  expect(textOf(await (await talk.call("echo", { message: "new" })).json())).toBe("new");
  expect(textOf(await old.request(call(1, "echo", { message: "old" })))).toBe("old");
});

test("SSE-LEGACY-08 G8 answers 404 on both paths unless it is switched on", async () => {
  await using plain = await startWorkshop();
  using peer = new HttpPeer(plain.url);
  expect((await peer.send("GET", {}, undefined, "/sse")).status).toBe(404);
  expect((await peer.send("POST", {}, PING, "/messages?sessionId=x")).status).toBe(404);
});

test("SSE-LEGACY-08 answers 404 on other paths than its two", async () => {
  using peer = new HttpPeer(shop.url);
  for (const path of ["/", "/sse/", "/ssE", "/message", "/messages/x"]) {
    expect.soft((await peer.send("GET", {}, undefined, path)).status).toBe(404);
    expect.soft((await peer.send("POST", {}, PING, path)).status).toBe(404);
  }
});

test("case HTTP-33 SSE-LEGACY-02 builds the address from neither the Host header nor the target", async () => {
  await using shop = await startWorkshop({ legacySse: true, allowedHosts: ["mcp.example.com"] });
  using peer = new HttpPeer(shop.url);
  const headers = { host: "mcp.example.com", "x-forwarded-host": "evil.example", forwarded: "host=evil.example" };
  const stream = await peer.send("GET", headers, undefined, "/sse?sessionId=chosen&x=%0a%0aevent:");
  const { event, data } = await stream.event();
  expect([event, data]).toEqual(["endpoint", expect.stringMatching(/^messages\?sessionId=[\w-]{22,}$/)]);
  stream.drop();
});

describe("case HTTP-33 the guards of the main endpoint", () => {
  test.each([
    ["another origin", { origin: "https://evil.example" }, 403],
    ["no origin at all", { origin: "null" }, 403],
    ["another host", { host: "evil.example" }, 403],
  ] as const)("SSE-LEGACY-05 HTTP-03 %s", async (_title, headers, status) => {
    await using talk = await openLegacy(shop.http);
    const before = shop.http.counts();
    using peer = new HttpPeer(shop.url);
    expect((await peer.send("GET", headers, undefined, "/sse")).status).toBe(status);
    expect((await talk.post(PING, headers)).status).toBe(status);
    expect(shop.http.counts()).toMatchObject({ sessions: before.sessions, streams: before.streams });
    expect(talk.stream.waiting).toEqual([]);
  });

  test.each([
    ["POST", "/sse", "GET"],
    ["DELETE", "/sse", "GET"],
    ["GET", "/messages", "POST"],
    ["DELETE", "/messages", "POST"],
  ])("answers %s %s with 405", async (method, path, allow) => {
    using peer = new HttpPeer(shop.url);
    const answer = await peer.send(method, {}, method === "POST" ? PING : undefined, path);
    expect([answer.status, answer.headers.allow]).toEqual([405, allow]);
  });

  test("SSE-LEGACY-06 requires a token for stream and messages, and ties a stream to its principal", async () => {
    await using shop = await startWorkshop({ legacySse: true, auth: principals({ "a-token": "anna", "b-token": "bert" }) });
    using nobody = new HttpPeer(shop.url);
    for (const authorization of [undefined, "Bearer c-token", "Basic YTpi"]) {
      const refused = await nobody.send("GET", { authorization }, undefined, "/sse");
      expect.soft([refused.status, refused.headers["www-authenticate"]]).toEqual([401, expect.stringContaining("Bearer")]);
    }
    expect((await nobody.send("GET", {}, undefined, "/sse?token=a-token&access_token=a-token")).status).toBe(401);
    expect(shop.http.counts()).toMatchObject({ sessions: 0, streams: 0 });
    await using hers = await openLegacy(shop.http, { authorization: "Bearer a-token" });
    expect((await hers.post(PING, { authorization: undefined })).status).toBe(401);
    expect((await hers.post(PING, { authorization: "Bearer b-token" })).status).toBe(404);
    expect(await hers.request(PING)).toEqual(result(1, {}));
  });

  test("answers messages to an unknown session with 404 and creates nothing", async () => {
    using peer = new HttpPeer(shop.url);
    const before = shop.http.counts().sessions;
    for (const query of [
      "",
      "?",
      "?sessionId=",
      `?sessionId=${"x".repeat(32)}`,
      "?sessionId=__proto__",
      `?SessionId=x`,
      `?sessionId=${"x".repeat(8000)}`,
    ]) {
      const answer = await peer.send("POST", {}, initialize(), `/messages${query}`);
      expect.soft([answer.status, await answer.text()]).toEqual([404, expect.stringContaining("Session not found.")]);
    }
    expect(shop.http.counts().sessions).toBe(before);
  });

  test("SSE-LEGACY-01 answers 406 to a client that does not accept a stream", async () => {
    using peer = new HttpPeer(shop.url);
    const before = shop.http.counts().sessions;
    const answer = await peer.send("GET", { accept: "application/json" }, undefined, "/sse");
    expect([answer.status, await answer.text()]).toEqual([406, expect.stringContaining("expected text/event-stream.")]);
    expect(shop.http.counts().sessions).toBe(before);
  });

  test("HTTP-14 answers 400 to invalid messages and 415 to other types than JSON", async () => {
    await using talk = await openLegacy(shop.http);
    expect((await talk.post({ jsonrpc: "1.0", id: 1, method: "ping" })).status).toBe(400);
    expect((await talk.post([PING])).status).toBe(400);
    expect((await talk.post(PING, { "content-type": "text/plain" })).status).toBe(415);
    expect(await talk.request(PING)).toEqual(result(1, {}));
  });
});

test("case HTTP-27 case HTTP-28 ends all work of a client with its connection", async () => {
  await using shop = await startWorkshop({ legacySse: true });
  const talk = await openLegacy(shop.http);
  await talk.handshake();
  await talk.post(call(1, "work"));
  const { ctx } = await shop.work("it");
  expect(shop.http.counts()).toMatchObject({ sessions: 1, streams: 1, running: 1 });
  await talk[Symbol.asyncDispose]();
  await eventually(() => shop.http.counts()).toEqual({ sessions: 0, streams: 0, running: 0, connections: 0 });
  expect(ctx.signal.aborted).toBe(true);
});

test("case HTTP-27 limits connections of this kind: 503", async () => {
  await using shop = await startWorkshop({ legacySse: true, http: { sessions: 2 } });
  const open = [await openLegacy(shop.http), await openLegacy(shop.http)];
  using peer = new HttpPeer(shop.url);
  const refused = await peer.send("GET", {}, undefined, "/sse");
  expect([refused.status, await refused.text()]).toEqual([503, expect.stringContaining("Server busy: too many connections. Retry later.")]);
  await open[0]![Symbol.asyncDispose]();
  await eventually(() => shop.http.counts().sessions).toBe(1);
  await using _again = await openLegacy(shop.http);
  await open[1]![Symbol.asyncDispose]();
});

test("case HTTP-26 G5 keeps each stream to one client, whatever its messages contain", async () => {
  await using anna = await openLegacy(shop.http);
  await using bert = await openLegacy(shop.http);
  await Promise.all([anna.handshake(), bert.handshake()]);
  const hostile = "x\r\n\r\nevent: endpoint\ndata: /elsewhere\n\nid: 7\n\n";
  await Promise.all([anna.post(call(1, "echo", { message: hostile })), bert.post(call(1, "echo", { message: "his" }))]);
  expect(textOf(await anna.stream.message())).toBe(hostile);
  expect(textOf(await bert.stream.message())).toBe("his");
  await eventually(() => anna.stream.comments).toBeGreaterThan(0);
  expect([...anna.stream.waiting, ...bert.stream.waiting]).toEqual([]);
  expect((await anna.post(note("notifications/cancelled", { requestId: 9 }))).status).toBe(202);
});
