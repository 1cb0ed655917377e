// Refusals of the stateless era: which of several faults is reported, with which code and status.
import { afterEach, beforeEach, expect, test } from "vitest";
import { REVISIONS, type Json } from "../../../../src/protocol.ts";
import { BOTH } from "../../../support/http-faces.ts";
import { note, STATEFUL } from "../../../support/sample.ts";
import { overBoth, type Place } from "../../../support/stateless-faces.ts";
import { asks, CAPABILITIES, CLIENT_INFO, LOG_LEVEL, NEWEST, posting, refused, VERSION } from "../../../support/stateless-message.ts";
import { stockShop, type Shop } from "../../../support/stateless-shop.ts";

/** Faults, in the order in which they are reported. */
const FAULTS = [
  { what: "an envelope without a part", status: 400, code: -32602 },
  { what: "another version in the header", status: 400, code: -32020 },
  { what: "a version that is not served", status: 400, code: -32022 },
  { what: "another method in the header", status: 400, code: -32020 },
  { what: "an unknown method", status: 404, code: -32601 },
  { what: "params of a wrong shape", status: 200, code: -32602 },
  { what: "a client that cannot be asked", status: 400, code: -32021 },
] as const;

/** A call with some of the faults: one bit for each. */
function faulty(bits: number): ReturnType<typeof posting> {
  const has = (at: number): boolean => (bits & (1 << at)) !== 0;
  const version = has(2) ? "1999-01-01" : NEWEST;
  const method = has(4) ? "tools/fetch" : "tools/call";
  const capabilities = has(6) ? {} : { elicitation: {} };
  const meta = { [VERSION]: version, ...(has(0) && { [CAPABILITIES]: undefined }) };
  return posting(asks(method, { name: "in-turn", arguments: has(5) ? [] : {} }, { capabilities, meta }), {
    headers: { "mcp-protocol-version": has(1) ? "2025-11-25" : version, "mcp-method": has(3) ? "tools/list" : method },
  });
}

overBoth("refusals", (face) => {
  let shop: Shop;
  let place: Place;
  beforeEach(async () => {
    shop = stockShop();
    place = await face.open(shop.server);
  });
  afterEach(() => place.stop());

  test.each(FAULTS.map(({ what, status, code }, at) => [what, code, status, at] as const))(
    "HTTP-44 HTTP-47 DISC-08 META-09 META-12 ERR-13 HDR-04 reports %s with %i and %i, whatever else is wrong",
    async (_what, code, status, first) => {
      for (let later = 0; later < 1 << (FAULTS.length - 1 - first); later++) {
        const bits = (1 << first) | (later << (first + 1));
        const answer = await place.send(faulty(bits)).answer;
        expect
          .soft([answer.status, answer.type, await answer.json()], bits.toString(2))
          .toMatchObject([status, "application/json", refused(code)]);
      }
      expect(place.counts()).toMatchObject({ running: 0, streams: 0, sessions: 0 });
    },
  );

  test("serves the request without any fault", async () => {
    const answer = await place.send(faulty(0)).answer;
    expect([answer.status, await answer.json()]).toMatchObject([200, { id: 1, result: { resultType: "input_required" } }]);
  });

  test.each<[string, Json | undefined]>([
    ["no params", undefined],
    ["no _meta", {}],
    ["_meta is not an object", { _meta: "x" }],
    ["_meta is a list", { _meta: [] }],
    ["no version", { _meta: { [CAPABILITIES]: {} } }],
    ["the version is not a string", { _meta: { [VERSION]: 20260728, [CAPABILITIES]: {} } }],
    ["no capabilities", { _meta: { [VERSION]: NEWEST } }],
    ["capabilities are null", { _meta: { [VERSION]: NEWEST, [CAPABILITIES]: null } }],
    ["capabilities are a list", { _meta: { [VERSION]: NEWEST, [CAPABILITIES]: ["sampling"] } }],
    ["the client has no version", { _meta: { [VERSION]: NEWEST, [CAPABILITIES]: {}, [CLIENT_INFO]: { name: "c" } } }],
    ["the client is a string", { _meta: { [VERSION]: NEWEST, [CAPABILITIES]: {}, [CLIENT_INFO]: "c" } }],
    ["an unknown level", { _meta: { [VERSION]: NEWEST, [CAPABILITIES]: {}, [LOG_LEVEL]: "loud" } }],
  ])("META-09 ERR-13 LOG-13 answers an incomplete envelope with -32602 and 400: %s", async (_what, params) => {
    const message = { jsonrpc: "2.0", id: 1, method: "tools/list", ...(params !== undefined && { params }) };
    const answer = await place.send(posting(message)).answer;
    expect([answer.status, await answer.json()]).toEqual([400, refused(-32602)]);
  });

  test.each([...STATEFUL, "v999.0.0", "2026-07-29", "DRAFT-2026-v1", "", "latest", "constructor"])(
    "case HTTP-30 DISC-07 DISC-08 answers the version %j with -32022, 400 and the supported ones",
    async (version) => {
      const sent = posting(asks("tools/list", {}, { meta: { [VERSION]: version } }), { headers: { "mcp-protocol-version": version } });
      const answer = await place.send(sent).answer;
      expect([answer.status, await answer.json()]).toEqual([400, refused(-32022, { supported: REVISIONS, requested: version })]);
    },
  );

  test.each([
    ["missing", undefined, -32020],
    ["empty", "", -32020],
    ["of a session", "2025-11-25", -32020],
    ["unknown", "1999-01-01", -32020],
    ["twice", [NEWEST, NEWEST], expect.any(Number)],
    ["two", [NEWEST, "2025-11-25"], expect.any(Number)],
    ["two in one", `${NEWEST}, ${NEWEST}`, -32020],
    ["spelled otherwise", NEWEST.replace("-", "_"), -32020],
  ])(
    "case HTTP-30 HTTP-44 HDR-03 HDR-04 answers a version header that is %s beside a valid envelope with 400",
    async (_what, version, code) => {
      const answer = await place.send(posting(asks("tools/call", { name: "mark" }), { headers: { "mcp-protocol-version": version } }))
        .answer;
      expect([answer.status, await answer.json()]).toMatchObject([400, { error: { code } }]);
      expect(shop.ran).toEqual([]);
    },
  );

  test.each([
    ...[
      "initialize",
      "ping",
      "logging/setLevel",
      "resources/subscribe",
      "resources/unsubscribe",
      "tasks/get",
      "tasks/result",
      "tasks/list",
    ],
    ...["sampling/createMessage", "elicitation/create", "roots/list", "notifications/initialized", "unknown/method"],
    ...["Tools/List", "constructor", "__proto__", "toString"],
  ])("HTTP-47 DISC-20 SUB-21 LOG-14 ERR-03 ERR-13 answers %j, unknown in this era, with 404, -32601 and the id", async (method) => {
    const params = { name: "mark", uri: "shop://board", level: "info", taskId: "1", protocolVersion: "2025-11-25", capabilities: {} };
    const answer = await place.request(method, params, { id: "the id" });
    expect([answer.status, answer.type, await answer.json()]).toEqual([404, "application/json", { ...refused(-32601), id: "the id" }]);
    expect(answer.headers["mcp-session-id"]).toBeUndefined();
    expect(place.counts().sessions).toBe(0);
  });

  test.each([
    ["an array", [asks("tools/list")], 400, -32600],
    ["an array with nothing but a modern header", [note("notifications/x")], 400, -32600],
    ["an empty array", [], 400, -32600],
    ["a response", { jsonrpc: "2.0", id: 1, result: {} }, 400, -32600],
    ["an error", { jsonrpc: "2.0", id: 1, error: { code: 1, message: "x" } }, 400, -32600],
    ["no message", { id: 1 }, 400, -32600],
    ["an id that is null", { ...asks("tools/list"), id: null }, 400, -32600],
    ["an id that is not an integer", { ...asks("tools/list"), id: 1.5 }, 400, -32600],
    ["params that are a list", { ...asks("tools/list"), params: [] }, 400, -32602],
    ["a notification with params that are a list", { ...note("notifications/x"), params: [] }, 400, -32600],
    ["another JSON-RPC", { ...asks("tools/list"), jsonrpc: "1.0" }, 400, -32600],
  ])("HTTP-14 ERR-02 answers %s with 400", async (_what, message, status, code) => {
    const answer = await place.send(posting(message as Json, { headers: { "mcp-method": "tools/list" } })).answer;
    expect([answer.status, await answer.json()]).toMatchObject([status, { jsonrpc: "2.0", error: { code } }]);
  });

  test.each(["{", '{"jsonrpc":"2.0",', "\u0000"])("HTTP-14 ERR-01 answers text that is not JSON with 400 and -32700: %j", async (body) => {
    const headers = { accept: BOTH, "content-type": "application/json", "mcp-protocol-version": NEWEST };
    const answer = await place.send({ headers, body }).answer;
    expect([answer.status, await answer.json()]).toEqual([400, { jsonrpc: "2.0", error: { code: -32700, message: expect.any(String) } }]);
  });

  test.each([note("notifications/cancelled", { requestId: 1 }), note("notifications/anything", { _meta: asks("x").params })])(
    "HTTP-13 answers a notification with 202 and no body: %j",
    async (message) => {
      const answer = await place.send(posting(message)).answer;
      expect([answer.status, answer.type, await answer.text()]).toEqual([202, undefined, ""]);
    },
  );
});
