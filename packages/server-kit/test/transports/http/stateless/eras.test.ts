// Both eras on one endpoint at the same time: each message is served by how it opens, and neither touches the other.
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { tool } from "../../../../src/index.ts";
import { NEWEST_HANDSHAKE, type Json } from "../../../../src/protocol.ts";
import type { Answer } from "../../../support/answer.ts";
import { BOTH, post, type HttpRequest } from "../../../support/http-faces.ts";
import { initialize, textOf } from "../../../support/http-talk.ts";
import { call, note, request, STATEFUL, words } from "../../../support/sample.ts";
import { overBoth, type Place } from "../../../support/stateless-faces.ts";
import { asks, NEWEST, posting, SERVER_INFO } from "../../../support/stateless-message.ts";
import { BOARD, stockShop, type Shop } from "../../../support/stateless-shop.ts";

overBoth("two eras", (face) => {
  let shop: Shop;
  let place: Place;
  beforeEach(async () => {
    shop = stockShop();
    place = await face.open(shop.server);
  });
  afterEach(() => place.stop());

  const send = (sent: HttpRequest): Promise<Answer> => place.send(sent).answer;

  /** A session, ready; gives the headers of whatever is sent in it. */
  async function openSession(revision: string = NEWEST_HANDSHAKE): Promise<Record<string, string>> {
    const answer = await send(post(initialize(revision)));
    expect([answer.status, await answer.json()]).toMatchObject([200, { result: { protocolVersion: revision } }]);
    const session = { "mcp-session-id": String(answer.headers["mcp-session-id"]) };
    expect((await send(post(note("notifications/initialized"), session))).status).toBe(202);
    return session;
  }

  test.each(STATEFUL)(
    "DISC-19 DISC-21 HTTP-45 serves a session of %s beside stateless requests, each in its own form",
    async (revision) => {
      const session = await openSession(revision);
      const one = call(1, "echo", { message: "x" });
      for (let time = 0; time < 3; time++) {
        const [old, modern] = await Promise.all([send(post(one, session)), place.call("echo", { message: "x" })]);
        expect(await old.json()).toEqual(words(1, "x"));
        expect(await modern.json()).toEqual({
          jsonrpc: "2.0",
          id: 1,
          result: {
            resultType: "complete",
            content: [{ type: "text", text: "x" }],
            _meta: { [SERVER_INFO]: { name: "shop", version: "1.0.0" } },
          },
        });
        expect([old, modern].map(({ headers }) => headers["mcp-session-id"])).toEqual([undefined, undefined]);
      }
      const [old, modern] = [await send(post(request(2, "tools/list"), session)), await place.request("tools/list")];
      expect(((await old.json()).result as Json).ttlMs).toBeUndefined();
      expect((await modern.json()).result).toMatchObject({ ttlMs: expect.any(Number) });
      expect(place.counts().sessions).toBe(1);
    },
  );

  test("HTTP-52 never touches the session of a session id in a stateless request", async () => {
    const session = await openSession();
    expect((await send(post(request(1, "logging/setLevel", { level: "emergency" }), session))).status).toBe(200);
    const standing = await send({ method: "GET", headers: { accept: "text/event-stream", ...session } });
    // Its level is the request's, its progress goes to the request's stream, its id is free though a session's call has it.
    const running = send(post(call(1, "work", { name: "old" }), session));
    const old = await shop.work("old");
    const asked = place.call("work", { name: "new" }, { headers: session, logLevel: "info", progressToken: "p" });
    const modern = await shop.work("new");
    modern.ctx.log.info("heard");
    old.ctx.log.info("unheard");
    modern.ctx.progress(1);
    modern.done("new");
    const answer = await asked;
    expect(await answer.messages()).toMatchObject([
      { params: { data: "heard" } },
      { params: { progress: 1 } },
      { id: 1, result: { resultType: "complete" } },
    ]);
    expect(answer.headers["mcp-session-id"]).toBeUndefined();
    old.done("old");
    expect(textOf(await (await running).json())).toBe("old");
    expect(standing.waiting.filter(({ data }) => data !== "")).toEqual([]);
    standing.drop();
  });

  test.each([
    ["of nobody", { "mcp-session-id": "00000000-0000-0000-0000-000000000000" }],
    ["of no form", { "mcp-session-id": "<>" }],
    ["that is long", { "mcp-session-id": "x".repeat(5000) }],
  ])("HTTP-52 ignores a session id %s, and issues none", async (_what, headers) => {
    const answer = await place.call("echo", { message: "x" }, { headers });
    expect([answer.status, textOf(await answer.json()), answer.headers["mcp-session-id"], place.counts().sessions]).toEqual([
      200,
      "x",
      undefined,
      0,
    ]);
  });

  test.each(["0-1", "1-1", "nonsense", "999999999999-1"])("HTTP-53 ignores Last-Event-ID %j", async (id) => {
    const session = await openSession();
    const answer = await place.call("echo", { message: "x" }, { headers: { "last-event-id": id, ...session } });
    expect([answer.status, textOf(await answer.json())]).toEqual([200, "x"]);
  });

  test("DISC-20 DISC-21 refuses initialize with an envelope as unknown, and opens a session without one", async () => {
    expect((await place.request("initialize", { protocolVersion: NEWEST_HANDSHAKE })).status).toBe(404);
    expect(place.counts().sessions).toBe(0);
    const answer = await send(post(initialize(NEWEST)));
    expect(await answer.json()).toMatchObject({ result: { protocolVersion: NEWEST_HANDSHAKE } });
    expect(place.counts().sessions).toBe(1);
  });

  test("HTTP-45 routes a message without envelope and stateless version header to a session", async () => {
    const session = await openSession("2025-03-26");
    expect(await (await send(post(request(1, "ping"), session))).json()).toEqual({ jsonrpc: "2.0", id: 1, result: {} });
    const without = await send(post(request(1, "tools/list")));
    expect([without.status, (await without.json()).error]).toMatchObject([400, { code: -32600 }]);
    const headed = await send(post(request(1, "tools/list"), { ...session, "mcp-protocol-version": NEWEST }));
    expect([headed.status, (await headed.json()).error]).toMatchObject([400, { code: -32602 }]);
  });

  test("refuses a batch in a stateless request, even with the id of a session that allows batches", async () => {
    const session = await openSession("2025-03-26");
    for (const body of [[asks("tools/call", { name: "mark" })], [call(1, "mark"), asks("tools/call", { name: "mark" })]]) {
      const answer = await send({
        headers: { accept: BOTH, "content-type": "application/json", ...session, "mcp-protocol-version": NEWEST },
        body: JSON.stringify(body),
      });
      expect(answer.status).toBe(400);
    }
    expect(shop.ran).toEqual([]);
  });

  test("SESS-15 returns the same lists on all connections, before and after other requests", async () => {
    const session = await openSession();
    const lists = async (): Promise<string> => {
      const all = ["tools/list", "prompts/list", "resources/list", "resources/templates/list", "server/discover"];
      return JSON.stringify(await Promise.all(all.map((method) => place.result(method))));
    };
    const before = await lists();
    await place.call("in-turn", {}, { capabilities: { elicitation: {} } });
    await place.call("mark");
    await place.result("tools/list", {}, { capabilities: { roots: {}, sampling: {} }, headers: session, logLevel: "debug" });
    expect(await lists()).toBe(before);
  });

  test("notifies both eras: a session's stream in its form, a subscription with its tag", async () => {
    const session = await openSession();
    const standing = await send({ method: "GET", headers: { accept: "text/event-stream", ...session } });
    await send(post(request(1, "resources/subscribe", { uri: BOARD }), session));
    const listening = await place.request(
      "subscriptions/listen",
      { notifications: { toolsListChanged: true, resourceSubscriptions: [BOARD] } },
      { headers: session },
    );
    await listening.message();
    shop.server.tools.add(tool({ name: "new", run: () => "" }));
    shop.touch(BOARD);
    expect([await standing.message(), await standing.message()]).toEqual([
      { jsonrpc: "2.0", method: "notifications/tools/list_changed" },
      { jsonrpc: "2.0", method: "notifications/resources/updated", params: { uri: BOARD } },
    ]);
    expect([await listening.message(), await listening.message()]).toMatchObject([
      { params: { _meta: {} } },
      { params: { uri: BOARD, _meta: {} } },
    ]);
    // The end of the session is not the end of the subscription.
    expect((await send({ method: "DELETE", headers: session })).status).toBe(204);
    shop.touch(BOARD);
    expect(await listening.message()).toMatchObject({ params: { uri: BOARD } });
    listening.drop();
  });

  describe("methods", () => {
    test.each(["GET", "DELETE"])("case HTTP-12 %s is refused in this era, also with the id of a session", async (method) => {
      const session = await openSession();
      for (const headers of [{}, session]) {
        const answer = await send({ method, headers: { accept: BOTH, "mcp-protocol-version": NEWEST, ...headers } });
        expect([answer.status, answer.headers.allow]).toEqual([405, "POST"]);
      }
      expect(place.counts()).toMatchObject({ sessions: 1, streams: 0 });
      expect((await place.call("echo", { message: "x" })).status).toBe(200);
    });

    test.each(["PUT", "PATCH", "HEAD"])("case HTTP-12 %s is refused with 405, whatever it carries", async (method) => {
      const { headers = {}, body } = posting(asks("tools/call", { name: "mark" }));
      const answer = await send({ method, headers, ...(method !== "HEAD" && body !== undefined && { body }) });
      expect([answer.status, answer.headers.allow, shop.ran]).toEqual([405, expect.stringContaining("POST"), []]);
    });
  });
});
