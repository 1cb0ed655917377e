// Who may send modern requests: origins, hosts, tokens and scopes guard them as they guard sessions.
import { afterEach, describe, expect, test } from "vitest";
import type { Authenticator, ServeHttpOptions } from "../../../../src/node.ts";
import type { Json } from "../../../../src/protocol.ts";
import { textOf } from "../../../support/http-talk.ts";
import { note } from "../../../support/sample.ts";
import { overBoth, type Place } from "../../../support/stateless-faces.ts";
import { asks, posting } from "../../../support/stateless-message.ts";
import { CAN_FORMS } from "../../../support/stateless-rounds.ts";
import { stockShop, type Shop } from "../../../support/stateless-shop.ts";

const EVIL = "https://evil.example";
const APP = "https://app.example";

/** Tokens by what they are good for. */
const auth: Authenticator = {
  check(token) {
    const scopes: Record<string, string[]> = { nothing: [], other: ["other:write"], reads: ["shop:read"], writes: ["shop:write"] };
    return scopes[token] === undefined ? { denied: "nobody knows this token" } : { principal: token, scopes: scopes[token], claims: {} };
  },
};

overBoth("stateless requests", (face) => {
  let shop: Shop;
  let place: Place;
  const open = async (options?: ServeHttpOptions): Promise<void> => {
    shop = stockShop();
    place = await face.open(shop.server, options);
  };
  afterEach(() => place.stop());

  describe("of a page", () => {
    test("HTTP-03 HTTP-04 HTTP-05 of a foreign origin are refused with 403 before anything is read", async () => {
      await open({ allowedOrigins: [APP] });
      for (const origin of [EVIL, "null", `${APP}.evil.example`]) {
        for (const message of [
          asks("tools/call", { name: "mark" }),
          asks("subscriptions/listen", { notifications: {} }),
          note("notifications/x"),
          {},
        ]) {
          const answer = await place.send(posting(message as Json, { headers: { origin } })).answer;
          expect([answer.status, await answer.json()]).toEqual([
            403,
            { jsonrpc: "2.0", error: { code: -32600, message: expect.any(String) } },
          ]);
        }
      }
      expect([shop.ran, place.counts().streams]).toEqual([[], 0]);
    });

    test("HTTP-04 of an allowed origin, the server's own or none are served; the page may read the response", async () => {
      await open({ allowedOrigins: [APP] });
      for (const origin of [APP, `http://localhost:${place.port}`, undefined]) {
        const answer = await place.call("echo", { message: "x" }, { headers: { origin } });
        expect([answer.status, answer.headers["access-control-allow-origin"]]).toEqual([200, origin]);
      }
    });

    test("have a preflight that allows the headers of this era, also those of arguments", async () => {
      await open({ allowedOrigins: [APP] });
      const wanted = ["content-type", "mcp-protocol-version", "mcp-method", "mcp-name", "mcp-param-region", "mcp-param-x.y"];
      const headers = {
        origin: APP,
        "access-control-request-method": "POST",
        "access-control-request-headers": [...wanted, "x-evil"].join(","),
      };
      const answer = await place.send({ method: "OPTIONS", headers }).answer;
      const allowed = String(answer.headers["access-control-allow-headers"]).toLowerCase().split(/, */);
      expect([answer.status, wanted.filter((name) => !allowed.includes(name)), allowed.includes("x-evil")]).toEqual([204, [], false]);
    });

    test("have a preflight that never repeats an invalid header name", async () => {
      await open({ allowedOrigins: [APP] });
      const headers = {
        origin: APP,
        "access-control-request-method": "POST",
        "access-control-request-headers": "mcp-param-a b, mcp-param-, mcp-param-é, mcp-param-*, mcp-param-a:b",
      };
      const answer = await place.send({ method: "OPTIONS", headers }).answer;
      expect(String(answer.headers["access-control-allow-headers"])).not.toMatch(/a b|é|a:b|param-,|param-$/);
    });
  });

  test("case HTTP-05 for another host are refused with 403", async () => {
    await open();
    const answer = await place.call("mark", {}, { headers: { host: "evil.example" } });
    expect([answer.status, shop.ran]).toEqual([403, []]);
  });

  describe("with tokens", () => {
    test.each([undefined, "unknown"])("case HTTP-34 are challenged without a valid one: %j", async (token) => {
      await open({ auth });
      for (const [method, params] of [
        ["tools/call", { name: "mark" }],
        ["tools/list", {}],
        ["server/discover", {}],
        ["subscriptions/listen", { notifications: {} }],
      ] as const) {
        const answer = await place.request(method, params, { token: token as string });
        expect([answer.status, answer.headers["www-authenticate"]], method).toEqual([401, expect.stringMatching(/^Bearer /)]);
      }
      expect([shop.ran, place.counts().streams]).toEqual([[], 0]);
    });

    const WRITE: [string, Json][] = [
      ["tools/call", { name: "mark" }],
      ["tools/call", { name: "mark", requestState: "x", inputResponses: {} }],
      ["tools/call", { name: "in-turn" }],
    ];
    test.each(WRITE)("case HTTP-36 AUTH-11 for reading may not %s %j, and the response names the missing scope", async (method, params) => {
      await open({ auth });
      for (const token of ["nothing", "other", "reads"]) {
        const answer = await place.request(method, params, { token, capabilities: CAN_FORMS });
        expect([answer.status, answer.headers["www-authenticate"]], token).toEqual([
          403,
          expect.stringMatching(/^Bearer .*error="insufficient_scope".*the scope shop:write/),
        ]);
      }
      expect(shop.ran).toEqual([]);
      expect((await place.request(method, params, { token: "writes", capabilities: CAN_FORMS })).status).toBe(200);
    });

    const READ: [string, Json][] = [
      ["tools/call", { name: "echo", arguments: { message: "x" } }],
      ["tools/list", {}],
      ["resources/read", { uri: "shop://board" }],
      ["server/discover", {}],
    ];
    test.each(READ)("case HTTP-36 for reading may %s %j; those without scopes may not", async (method, params) => {
      await open({ auth });
      for (const token of ["reads", "writes"]) expect((await place.request(method, params, { token })).status).toBe(200);
      for (const token of ["nothing", "other"]) expect((await place.request(method, params, { token })).status).toBe(403);
    });

    test("case HTTP-36 AUTH-11 for reading are required to listen, also by a notification or another header", async () => {
      await open({ auth });
      for (const token of ["nothing", "other"])
        expect((await place.request("subscriptions/listen", { notifications: {} }, { token })).status).toBe(403);
      const answer = await place.request("subscriptions/listen", { notifications: {} }, { token: "reads" });
      expect(answer.status).toBe(200);
      answer.drop();
      const posted = await place.send(posting(note("tools/call", { name: "mark" }), { token: "reads" })).answer;
      expect([202, 403]).toContain(posted.status);
      // Headers that say otherwise than the body are refused by either rule, and nothing runs.
      for (const headers of [{ "mcp-name": "echo" }, { "mcp-method": "tools/list" }]) {
        expect([400, 403]).toContain((await place.call("mark", {}, { token: "reads", headers })).status);
      }
      expect(shop.ran).toEqual([]);
    });

    test("CACHE-06 are required for a shared list too", async () => {
      await open({ auth });
      expect(await place.result("tools/list", {}, { token: "reads" })).toMatchObject({ cacheScope: "public" });
      expect((await place.request("tools/list", {}, { token: "unknown" })).status).toBe(401);
      expect((await place.request("tools/list", {}, { token: "nothing" })).status).toBe(403);
    });

    test("SESS-16 give each handler the principal of its own request", async () => {
      await open({ auth });
      for (const token of ["writes", "writes"])
        await place.call("mark", {}, { token, meta: { "io.modelcontextprotocol/clientInfo": { name: "root", version: "1" } } });
      expect(shop.ran).toEqual(["writes", "writes"]);
      expect(textOf(await (await place.call("mark", {}, { token: "writes" })).json())).toBe("mark 3");
    });
  });

  test("HTTP-02 serves one path and answers 404 on others", async () => {
    await open();
    const { headers = {}, body = "" } = posting(asks("tools/call", { name: "mark" }));
    for (const path of ["/", "/mcp/", "/mcp/tools/call", "/sse", "/messages"])
      expect((await place.send({ path, headers, body }).answer).status).toBe(404);
    expect(shop.ran).toEqual([]);
  });
});
