// The response to a client request needs the scope of the tool that sent it.
import { expect, test } from "vitest";
import { z } from "zod";
import { tool, type InteractiveContext, type SampleRequest } from "../../../../src/index.ts";
import type { Authenticator } from "../../../../src/node.ts";
import { HttpTalk, textOf } from "../../../support/http-talk.ts";
import { openLegacy } from "../../../support/legacy-talk.ts";
import { request, result } from "../../../support/sample.ts";
import { ABLE } from "../../../support/talk.ts";
import { startWorkshop } from "../../../support/workshop.ts";

/** Two tokens of one principal. */
const auth: Authenticator = {
  check: (token) => ({ principal: "ada", scopes: [token === "reads" ? "workshop:read" : "workshop:write"], claims: {} }),
};
const READS = { authorization: "Bearer reads" };
const ACCEPTED = { action: "accept", content: { sure: true } };
const DECLINED = { action: "decline" };
const QUESTION: SampleRequest = { messages: [{ role: "user", content: { type: "text", text: "Hello?" } }], maxTokens: 9 };
const SPOKEN = { role: "assistant", model: "m", content: { type: "text", text: "Hi." } };

const elicitConsent = async ({ elicit }: InteractiveContext): Promise<string> =>
  (await elicit({ message: "Sure?", schema: z.object({ sure: z.boolean() }) })).action;

test("refuses an answer from a token for reading when the tool changes something", async () => {
  await using shop = await startWorkshop({ auth });
  using talk = await HttpTalk.open(shop.url, { capabilities: ABLE, token: "writes" });
  const call = talk.call("work");
  const { ctx, done } = await shop.work("it");
  const asking = elicitConsent(ctx);
  const stream = await call;
  const { id } = await stream.message();
  const refused = await talk.post(result(id, ACCEPTED), READS);
  expect([refused.status, refused.headers["www-authenticate"]]).toEqual([403, expect.stringContaining("insufficient_scope")]);
  expect((await talk.post(result(id, DECLINED))).status).toBe(202);
  expect(await asking).toBe("decline");
  done("done");
  expect((await stream.messages()).map(textOf)).toEqual(["done"]);
});

test("refuses such an answer in a batch", async () => {
  await using shop = await startWorkshop({ auth });
  using talk = await HttpTalk.open(shop.url, { revision: "2025-03-26", capabilities: ABLE, token: "writes" });
  const call = talk.call("work");
  const { ctx } = await shop.work("it");
  const sampling = ctx.sample(QUESTION);
  const { id } = await (await call).message();
  expect((await talk.post([result(id, SPOKEN)], READS)).status).toBe(403);
  expect((await talk.post([result(id, SPOKEN)])).status).toBe(202);
  expect(await sampling).toEqual(SPOKEN);
});

test("refuses such an answer on the transport of 2024-11-05", async () => {
  await using shop = await startWorkshop({ auth, legacySse: true });
  await using talk = await openLegacy(shop.http, { authorization: "Bearer writes" });
  await talk.handshake("2024-11-05", ABLE);
  expect((await talk.post(request(1, "tools/call", { name: "work", arguments: {} }))).status).toBe(202);
  const { ctx } = await shop.work("it");
  const sampling = ctx.sample(QUESTION);
  const { id } = await talk.stream.message();
  expect((await talk.post(result(id, SPOKEN), READS)).status).toBe(403);
  expect((await talk.post(result(id, SPOKEN))).status).toBe(202);
  expect(await sampling).toEqual(SPOKEN);
});

test("accepts an answer from the token that called a reading tool, and roots from any token", async () => {
  await using shop = await startWorkshop({ auth });
  shop.server.tools.add(tool({ name: "look", hints: { readOnly: true }, run: (_input, ctx) => elicitConsent(ctx) }));
  using talk = await HttpTalk.open(shop.url, { capabilities: ABLE, token: "reads" });
  const look = await talk.call("look");
  expect((await talk.post(result((await look.message()).id, ACCEPTED))).status).toBe(202);
  expect((await look.messages()).map(textOf)).toEqual(["accept"]);
  const call = talk.begin("POST", { authorization: "Bearer writes" }, talk.calling("work"));
  const { ctx } = await shop.work("it");
  const roots = ctx.roots();
  const { id } = await (await call.answer).message();
  expect((await talk.post(result(id, { roots: [] }))).status).toBe(202);
  expect(await roots).toEqual([]);
});
