// Sessions belong to whoever opened them: to anybody else they are as unknown as one that never was.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { HttpPeer, HttpTalk, initialize, textOf, type Headers } from "../../../support/http-talk.ts";
import { ABLE } from "../../../support/talk.ts";
import { openLegacy } from "../../../support/legacy-talk.ts";
import { request, result, STATEFUL } from "../../../support/sample.ts";
import { principals, startWorkshop, type Workshop } from "../../../support/workshop.ts";

const TOKENS = { "a-token": "anna", "a-newer-token": "anna", "b-token": "bert" };

let shop: Workshop;

beforeAll(async () => {
  shop = await startWorkshop({ auth: principals(TOKENS), legacySse: true });
});

afterAll(() => shop[Symbol.asyncDispose]());

const UNKNOWN = "x".repeat(32);
const PING = request(1, "ping");

/** Everything of an answer that could tell something. */
async function allOf(method: string, headers: Headers, body?: unknown, path?: string): Promise<object> {
  using peer = new HttpPeer(shop.url);
  const answer = await peer.send(method, headers, body, path);
  const { date: _now, ...others } = answer.headers;
  return { status: answer.status, headers: others, text: await answer.text() };
}

const REQUESTS: [title: string, method: string, headers: Headers, body?: object][] = [
  ["POST", "POST", {}, request(1, "tools/list")],
  ["POST of an array", "POST", {}, [PING] as object],
  ["POST of a notification", "POST", {}, { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } }],
  ["POST of a response", "POST", {}, result(1, { action: "accept", content: {} })],
  ["POST of initialize with another version header", "POST", { "mcp-protocol-version": "2025-06-18" }, PING],
  ["GET", "GET", {}],
  ["GET of a stream", "GET", { "last-event-id": "1-0" }],
  ["DELETE", "DELETE", {}],
];

describe.each(STATEFUL)("in %s", (revision) => {
  test.each(REQUESTS)(
    "case HTTP-17 SESS-13 H4 answers %s with another's token as for an unknown session",
    async (_title, method, headers, body) => {
      using anna = await HttpTalk.open(shop.url, { revision, token: "a-token", capabilities: ABLE });
      const answer = await anna.call("work", { name: "hers" }, { progressToken: 1 });
      const work = await shop.work("hers");
      const standing = await anna.listen();
      const asBert = { authorization: "Bearer b-token", ...headers };
      const unknown = await allOf(method, { ...asBert, "mcp-session-id": UNKNOWN }, body);
      expect(await allOf(method, { ...asBert, "mcp-session-id": anna.id }, body)).toEqual(unknown);
      expect(unknown).toMatchObject({ status: 404 });
      // Undisturbed: her work, her streams, her next request.
      expect(work.ctx.signal.aborted).toBe(false);
      work.done("hers");
      expect((await answer.messages()).map(textOf)).toEqual(["hers"]);
      expect(textOf(await (await anna.call("echo", { message: "still here" })).json())).toBe("still here");
      standing.drop();
    },
  );

  test("case HTTP-17 SESS-12 refuses a session id without a token", async () => {
    using anna = await HttpTalk.open(shop.url, { revision, token: "a-token" });
    for (const [, method, headers, body] of REQUESTS) {
      for (const authorization of [undefined, "Bearer", "Bearer c-token", "Basic YTpi", "a-token"]) {
        const given = { ...headers, authorization };
        const unknown = await allOf(method, { ...given, "mcp-session-id": UNKNOWN }, body);
        expect.soft(await allOf(method, { ...given, "mcp-session-id": anna.id }, body)).toEqual(unknown);
        expect.soft(unknown).toMatchObject({ status: 401 });
      }
    }
    expect((await anna.post(PING)).status).toBe(200);
  });

  test("SESS-13 belongs to the principal, not to one token", async () => {
    using anna = await HttpTalk.open(shop.url, { revision, token: "a-token" });
    expect(await allOf("POST", { authorization: "Bearer a-newer-token", "mcp-session-id": anna.id }, PING)).toMatchObject({ status: 200 });
  });

  test("case HTTP-15 case HTTP-17 opens a new session for an initialize with the id of another principal", async () => {
    using anna = await HttpTalk.open(shop.url, { revision, token: "a-token" });
    using peer = new HttpPeer(shop.url, { authorization: "Bearer b-token" });
    const opened = await peer.send("POST", { "mcp-session-id": anna.id }, initialize(revision));
    expect(opened.status).toBe(200);
    const id = String(opened.headers["mcp-session-id"]);
    expect(id).not.toBe(anna.id);
    expect((await peer.send("POST", { "mcp-session-id": id }, PING)).status).toBe(200);
    expect((await anna.post(PING)).status).toBe(200);
  });
});

test("case HTTP-17 case HTTP-33 SESS-12 SESS-13 answers messages to the legacy connection of another principal like those to an unknown one", async () => {
  await using anna = await openLegacy(shop.http, { authorization: "Bearer a-token" });
  const unknown = `/messages?sessionId=${UNKNOWN}`;
  for (const [authorization, status] of [
    ["Bearer b-token", 404],
    [undefined, 401],
    ["Bearer c-token", 401],
  ] as const) {
    const refused = await allOf("POST", { authorization }, PING, unknown);
    expect.soft(refused).toMatchObject({ status });
    expect.soft(await allOf("POST", { authorization }, PING, anna.path)).toEqual(refused);
  }
  expect(await anna.request(PING)).toEqual(result(1, {}));
});

test("case HTTP-17 hides a session of the main endpoint from the legacy pair, and the other way round", async () => {
  const authorization = "Bearer a-token";
  using main = await HttpTalk.open(shop.url, { token: "a-token" });
  await using legacy = await openLegacy(shop.http, { authorization });
  expect(await allOf("POST", { authorization }, PING, `/messages?sessionId=${main.id}`)).toMatchObject({ status: 404 });
  expect(await allOf("POST", { authorization, "mcp-session-id": legacy.id }, PING)).toMatchObject({ status: 404 });
});
