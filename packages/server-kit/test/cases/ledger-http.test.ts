// Callers over HTTP: only a verified token identifies a client, whatever else it claims.
import { inspect } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { bearerToken } from "../../src/node.ts";
import { type Json } from "../../src/protocol.ts";
import { HttpPeer, HttpTalk, initialize, textOf } from "../support/http-talk.ts";
import { call, result, STATEFUL } from "../support/sample.ts";
import { ABLE } from "../support/talk.ts";
import { principals, startWorkshop, type Workshop } from "../support/workshop.ts";

let open: Workshop;
let closed: Workshop;

beforeAll(async () => {
  open = await startWorkshop();
  closed = await startWorkshop({ auth: principals({ "token-of-ada": "ada", "token-of-eve": "eve" }) });
});

afterAll(async () => {
  await open[Symbol.asyncDispose]();
  await closed[Symbol.asyncDispose]();
});

const SURE = z.object({ sure: z.boolean() });
const yes = (id: unknown, sure: boolean): Json => result(id, { action: "accept", content: { sure } });

test.each(STATEFUL.filter((revision) => revision >= "2025-06-18"))(
  "ELIC-37 ELIC-38 accepts the answer of an elicitation only from its session and client — %s",
  async (revision) => {
    using ada = await HttpTalk.open(closed.url, { revision, token: "token-of-ada", capabilities: ABLE });
    using eve = await HttpTalk.open(closed.url, { revision, token: "token-of-eve", capabilities: ABLE });
    const called = ada.call("work", { name: revision });
    const work = await closed.work(revision);
    let answered = false;
    const asking = work.ctx.elicit({ message: "Sure?", schema: SURE }).finally(() => (answered = true));
    const stream = await called;
    const { id } = await stream.message();
    // With the id of Ada's session and a token of her own, or with no token.
    using thief = new HttpPeer(closed.url, { "mcp-session-id": ada.id, "mcp-protocol-version": revision });
    const stolen = [{ authorization: "Bearer token-of-eve" }, {}, { authorization: "Bearer nonsense" }];
    const statuses = [];
    for (const headers of stolen) statuses.push((await thief.send("POST", headers, yes(id, false))).status);
    expect(statuses).toEqual([404, 401, 401]);
    // As an answer to a question of the same id in a session of her own: taken in, and of no effect.
    expect((await eve.post(yes(id, false))).status).toBe(202);
    expect(answered).toBe(false);
    expect((await ada.post(yes(id, true))).status).toBe(202);
    expect(await asking).toEqual({ action: "accept", content: { sure: true } });
    work.done("done");
    expect((await stream.messages()).map(textOf)).toEqual(["done"]);
  },
);

test("ELIC-39 treats every client without a verified token as anonymous, whatever it says of itself", async () => {
  const claims: Json = { user: "ada", sub: "ada", "example.com/user": "ada" };
  const opening = initialize("2025-11-25", ABLE);
  (opening["params"] as Json)["clientInfo"] = { name: "ada", version: "1", title: "The administrator" };
  (opening["params"] as Json)["_meta"] = claims;
  const headers = {
    "x-user": "ada",
    "x-forwarded-user": "ada",
    cookie: "user=ada",
    from: "ada@example.com",
    authorization: "Bearer token-of-ada",
  };
  using peer = new HttpPeer(open.url, headers);
  const opened = await peer.send("POST", {}, opening);
  const session = { "mcp-session-id": String(opened.headers["mcp-session-id"]) };
  const called = peer.send("POST", session, call(1, "work", { name: "claims" }, claims));
  const { ctx, done } = await open.work("claims");
  expect(ctx.auth).toBeUndefined();
  expect(ctx.client.name).toBe("ada");
  done("done");
  expect(textOf(await (await called).json())).toBe("done");
});

test("ELIC-39 takes the principal from the token and from nothing else", async () => {
  using eve = await HttpTalk.open(closed.url, { token: "token-of-eve" });
  const called = eve.post(call(1, "work", { name: "eve" }, { user: "ada", sub: "ada" }), { "x-user": "ada", cookie: "token=token-of-ada" });
  const { ctx, done } = await closed.work("eve");
  expect(ctx.auth?.principal).toBe("eve");
  done("done");
  await called;
});

test("AUTH-15 shows a configured secret in no object, log or response", async () => {
  const SECRET = "a-secret-of-the-server";
  const auth = bearerToken(SECRET);
  await using shop = await startWorkshop({ auth });
  using talk = await HttpTalk.open(shop.url, { token: SECRET });
  const called = talk.call("work", { name: "it" });
  const { ctx, done } = await shop.work("it");
  expect(ctx.auth?.principal).toBeDefined();
  for (const value of [auth, shop.http, shop.server, ctx, ctx.auth, ctx.client]) {
    expect(inspect(value, { depth: 8, showHidden: true })).not.toContain(SECRET);
  }
  done("done");
  const replyText = [
    await called,
    await talk.post("nonsense"),
    await talk.listen(undefined, { authorization: `Bearer ${SECRET}x` }),
    await talk.end(),
  ];
  const answers = await Promise.all(replyText.map(async (answer) => `${JSON.stringify(answer.headers)} ${await answer.text()}`));
  expect([...answers, ...shop.logged].join("\n")).not.toContain(SECRET);
});

test("SESS-02 draws session ids at random, with at least 128 bits", async () => {
  using peer = new HttpPeer(open.url);
  const ids: string[] = [];
  for (let round = 0; round < 400; round++) {
    const opened = await peer.send("POST", {}, initialize());
    ids.push(String(opened.headers["mcp-session-id"]));
    expect((await peer.send("DELETE", { "mcp-session-id": ids.at(-1) })).status).toBe(204);
  }
  expect(new Set(ids).size).toBe(400);
  // The least that each place can tell, by the commonest character in it. Of 16 or more that are equally likely, none comes half the time.
  const bits = Array.from({ length: Math.min(...ids.map(({ length }) => length)) }, (_, place) => {
    const seen = Object.groupBy(ids, (id) => id[place] ?? "");
    return Math.log2(400 / Math.max(...Object.values(seen).map((those = []) => those.length)));
  });
  expect(bits.reduce((sum, one) => sum + one, 0)).toBeGreaterThan(90);
  expect(bits.filter((one) => one > 1).length * Math.log2(Math.min(64, new Set(ids.join("")).size))).toBeGreaterThanOrEqual(128);
});
