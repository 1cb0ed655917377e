// What a request is written in and what it takes for an answer (security cases HTTP-09 … HTTP-11; rule H3).
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { startGauge, type Gauge } from "../../support/gauge.ts";
import { BOTH, json, openSession, overFaces, post, problem, servesOn } from "../../support/http-faces.ts";
import { initialize } from "../../support/http-talk.ts";
import { call, note, request, words } from "../../support/sample.ts";

overFaces("media types", (face) => {
  let gauge: Gauge;
  let session: Record<string, string>;
  beforeEach(async () => {
    gauge = await startGauge(face, { allowedOrigins: ["https://app.example"], legacySse: true });
    session = await openSession(gauge);
  });
  afterEach(() => gauge[Symbol.asyncDispose]());

  describe("case HTTP-09 requests that a page may send without a preflight", () => {
    test.each([
      undefined,
      "",
      "text/plain",
      "text/plain;charset=UTF-8",
      "application/x-www-form-urlencoded",
      "multipart/form-data; boundary=x",
      "text/plain; application/json",
    ])("%j runs nothing, on the endpoint and on the old pair", async (type) => {
      for (const path of ["/mcp", "/messages?sessionId=x"]) {
        // As bytes, for a web Request gives text a type of its own.
        const body = new TextEncoder().encode(JSON.stringify(call(1, "mark")));
        const response = await gauge.send({ path, headers: { accept: BOTH, ...session, "content-type": type }, body });
        expect.soft([response.status, json(response)], path).toEqual([415, problem()]);
        expect.soft([...response.headers.keys()].filter((name) => name.startsWith("access-control"))).toEqual([]);
      }
      expect(gauge.marks).toBe(0);
      await servesOn(gauge);
    });

    test("allows a preflight request for allowed origins only, never for all and never with credentials", async () => {
      const preflight = { "access-control-request-method": "POST", "access-control-request-headers": "content-type, mcp-session-id" };
      const own = `http://localhost:${gauge.port}`;
      for (const [origin, status, allowed] of [
        ["https://evil.example", 403, null],
        ["null", 403, null],
        ["https://app.example", 204, "https://app.example"],
        [own, 204, own],
      ] as const) {
        const { headers, ...response } = await gauge.send({ method: "OPTIONS", headers: { origin, ...preflight } });
        expect.soft([response.status, headers.get("access-control-allow-origin")], origin).toEqual([status, allowed]);
        expect.soft(headers.get("access-control-allow-credentials")).toBeNull();
        for (const name of ["access-control-allow-methods", "access-control-allow-headers"]) {
          expect.soft(headers.get(name)?.includes("*") ?? "none", name).toBe(allowed === null ? "none" : false);
        }
        if (allowed !== null)
          expect
            .soft(headers.get("access-control-allow-headers")?.toLowerCase().split(", "))
            .toEqual(expect.arrayContaining(["content-type", "mcp-session-id", "mcp-protocol-version", "authorization", "last-event-id"]));
      }
      expect(gauge.marks).toBe(0);
    });
  });

  describe("case HTTP-10 the type of the body", () => {
    test.each(["application/json", "APPLICATION/JSON", "application/json; charset=utf-8", 'application/json;charset="UTF-8"'])(
      "%j is read",
      async (type) => {
        expect(json(await gauge.send(post(call(1, "mark"), { ...session, "content-type": type })))).toEqual(words(1, "marked"));
      },
    );

    test.each([
      "application/jsonx",
      "application/json-patch+json",
      "text/json",
      "application/json; charset=utf-16",
      "application/json; charset=latin1",
      "application/json, text/plain",
      "*/*",
    ])("%j is refused", async (type) => {
      const response = await gauge.send(post(call(1, "mark"), { ...session, "content-type": type }));
      expect([response.status, json(response), gauge.marks]).toEqual([415, problem(), 0]);
      await servesOn(gauge);
    });

    test.each([
      ["application/json", "application/json"],
      ["application/json", "text/plain"],
      ["text/plain", "application/json"],
      ["application/json; a=b", "text/plain"],
    ])("is refused twice: %j and %j", async (...types) => {
      const response = await gauge.send(post(call(1, "mark"), { ...session, "content-type": types }));
      expect([400, 415]).toContain(response.status);
      expect(gauge.marks).toBe(0);
      await servesOn(gauge);
    });

    test.each(["gzip", "br", "deflate", "identity, gzip", "x"])(
      "case HTTP-22 refuses a body in Content-Encoding %j unread",
      async (encoding) => {
        const response = await gauge.send(post(call(1, "mark"), { ...session, "content-encoding": encoding }));
        expect([response.status, response.headers.get("accept-encoding"), gauge.marks]).toEqual([415, "identity", 0]);
      },
    );

    test.each(["identity", "Identity"])("reads Content-Encoding %j as none", async (encoding) => {
      expect((await gauge.send(post(call(1, "mark"), { ...session, "content-encoding": encoding }))).status).toBe(200);
    });
  });

  describe("case HTTP-11 HTTP-15 the type of the response", () => {
    test.each<[string | string[] | undefined, number]>([
      [BOTH, 200],
      ["text/event-stream,application/json;q=0.5", 200],
      ["*/*", 200],
      ["application/*, text/*", 200],
      [["application/json", "text/event-stream"], 200],
      [undefined, 406],
      ["", 406],
      ["application/json", 406],
      ["text/event-stream", 406],
      ["text/html", 406],
      ["application/json;q=0, text/event-stream", 406],
      ["*/*, text/event-stream;q=0", 406],
      ["application/jsonx, text/event-streamx", 406],
    ])("POST with Accept %j is answered with %i", async (accept, status) => {
      const response = await gauge.send(post(call(1, "mark"), { ...session, accept }));
      expect([response.status, response.headers.get("content-type"), gauge.marks]).toEqual([
        status,
        "application/json",
        status === 200 ? 1 : 0,
      ]);
      if (status === 406) expect(json(response)).toEqual(problem());
      await servesOn(gauge);
    });

    test.each([undefined, "", "application/json", "text/event-stream;q=0", "text/*;q=0, */*", "text/html"])(
      "GET with Accept %j is answered with 406",
      async (accept) => {
        const response = await gauge.send({ method: "GET", headers: { ...session, accept } });
        expect([response.status, json(response), gauge.counts().streams]).toEqual([406, problem(), 0]);
      },
    );

    test("HTTP-15 answers a call that reports progress with events", async () => {
      const response = await gauge.send(post(call(1, "mark", {}, { progressToken: 1 }), session));
      expect([response.status, response.headers.get("content-type"), response.headers.get("x-accel-buffering")]).toEqual([
        200,
        "text/event-stream",
        "no",
      ]);
      expect(response.text).toContain(JSON.stringify(words(1, "marked")));
    });

    test("HTTP-13 answers 202 without body or type to messages that expect no response", async () => {
      for (const message of [
        note("notifications/initialized"),
        note("notifications/unknown", {}),
        { jsonrpc: "2.0", id: 99, result: {} },
      ]) {
        const response = await gauge.send(post(message, session));
        expect([response.status, response.text, response.headers.get("content-type")]).toEqual([202, "", null]);
      }
    });
  });

  describe("HTTP-14 refuses invalid messages", () => {
    test.each<[string, unknown, number]>([
      ["no JSON", "{", -32700],
      ["nothing", "", -32700],
      ["a byte order mark", `\uFEFF${JSON.stringify(call(1, "mark"))}`, -32700],
      ["two values", `${JSON.stringify(call(1, "mark"))}\n${JSON.stringify(call(2, "mark"))}`, -32700],
      ["a number", 1, -32600],
      ["null", null, -32600],
      ["a string", '"tools/call"', -32600],
      ["an empty array", [], -32600],
      ["an array, in a revision without them", [call(1, "mark")], -32600],
      ["no version", { id: 1, method: "ping" }, -32600],
      ["another version", { ...request(1, "ping"), jsonrpc: "1.0" }, -32600],
      ["a null id", request(null, "ping"), -32600],
      ["a broken id", request(1.5, "ping"), -32600],
      ["no method", { jsonrpc: "2.0", id: 1 }, -32600],
      ["a method that is not a string", request(1, 5), -32600],
      ["params of a notification as an array", { ...note("notifications/cancelled"), params: [] }, -32602],
    ])("answers %s with 400", async (_what, body, code) => {
      const response = await gauge.send(post(body, session));
      expect([response.status, json(response)]).toEqual([400, problem(code)]);
      expect(gauge.marks).toBe(0);
      await servesOn(gauge);
    });

    test("answers invalid UTF-8 with 400", async () => {
      const body = Buffer.from(JSON.stringify(call(1, "echo", { message: "\u00ff" })), "latin1");
      const response = await gauge.send({ ...post("", session), body });
      expect([response.status, json(response)]).toEqual([400, problem(-32700)]);
      await servesOn(gauge);
    });

    test("JSON-02 returns valid bytes unchanged", async () => {
      const message = "\u0000 \u2028 ß 漢 😀 \u{10ffff} \ufeff";
      expect(json(await gauge.send(post(call(1, "echo", { message }), session)))).toEqual(words(1, message));
    });
  });

  test("HTTP-57 serves initialize without a session and a version header", async () => {
    const response = await gauge.send(post(initialize()));
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "application/json"]);
    expect(response.headers.get("mcp-session-id")).toMatch(/^[\x21-\x7e]{22,}$/);
  });
});
