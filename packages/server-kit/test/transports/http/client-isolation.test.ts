// What one client holds is nothing to another: two clients of one server, and two principals (security cases KIT-11, KIT-15).
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { serveHttp } from "../../../src/node.ts";
import type { Json } from "../../../src/protocol.ts";
import type { Answer } from "../../support/answer.ts";
import { HttpTalk, textOf } from "../../support/http-talk.ts";
import { cancel, refusal, request, result, STATEFUL } from "../../support/sample.ts";
import { ABLE } from "../../support/talk.ts";
import { BOARD, principals, startWorkshop, type Workshop } from "../../support/workshop.ts";

let shop: Workshop;
beforeAll(async () => {
  shop = await startWorkshop({ auth: principals({ a: "anna", b: "bert" }) });
});
afterAll(() => shop[Symbol.asyncDispose]());

interface Pair extends Disposable {
  readonly anna: HttpTalk;
  readonly bert: HttpTalk;
  readonly hers: Answer;
  readonly his: Answer;
}

/** Two sessions, each with a standing stream; of two principals, or of one. */
async function pair(revision: string, token = "b"): Promise<Pair> {
  const anna = await HttpTalk.open(shop.url, { revision, token: "a", capabilities: ABLE });
  const bert = await HttpTalk.open(shop.url, { revision, token, capabilities: ABLE });
  const [hers, his] = [await anna.listen(), await bert.listen()];
  return { anna, bert, hers, his, [Symbol.dispose]: () => [anna, bert].forEach((talk) => talk[Symbol.dispose]()) };
}

/** What has come on a standing stream: everything up to the change of a resource that its own client watches. */
async function heardBy(talk: HttpTalk, stream: Answer): Promise<unknown[]> {
  expect(await talk.result("resources/subscribe", { uri: BOARD })).toEqual({});
  shop.touch();
  const methods = [];
  for (;;) {
    const { method, params } = await stream.message();
    if (method === "notifications/resources/updated" && (params as Json).uri === BOARD) return methods;
    methods.push(method);
  }
}

/** Everything of an answer that could tell something. */
const toldBy = async (answer: Answer): Promise<unknown> => [answer.status, answer.type, await answer.text()];

describe.each(STATEFUL)("in %s", (revision) => {
  test.each(["a", "b"])("KIT-11 G5 keeps level, subscription, progress and log of a client from others (token %s)", async (token) => {
    using both = await pair(revision, token);
    const { anna, bert, hers, his } = both;
    expect(await anna.result("logging/setLevel", { level: "debug" })).toEqual({});
    expect(await anna.result("resources/subscribe", { uri: BOARD })).toEqual({});
    // Both call with the same ids and the same progress token.
    const [call, other] = [
      await anna.call("work", { name: "hers" }, { progressToken: 1 }),
      await bert.call("work", { name: "his" }, { progressToken: 1 }),
    ];
    const [work, quiet] = [await shop.work("hers"), await shop.work("his")];
    shop.touch();
    work.ctx.progress(1);
    for (const { ctx } of [work, quiet]) ctx.log.debug("a word");
    work.done("hers");
    quiet.done("his");
    expect((await call.messages()).map((message) => message.method ?? textOf(message))).toEqual([
      "notifications/progress",
      "notifications/message",
      "hers",
    ]);
    expect((await other.messages()).map((message) => message.method ?? textOf(message))).toEqual(["his"]);
    expect((await hers.message()).method).toBe("notifications/resources/updated");
    expect(await heardBy(bert, his)).toEqual([]);
  });

  test("KIT-15 reading: hides the stream of another client", async () => {
    using both = await pair(revision);
    const { anna, bert } = both;
    const call = await anna.call("work", { name: "hers" }, { progressToken: 1 });
    const work = await shop.work("hers");
    work.ctx.progress(1);
    let id = "";
    for (let data = ""; data === "";) ({ id = "", data } = await call.event());
    expect(id).not.toBe("");
    const unknown = await toldBy(await bert.listen("987654-1"));
    expect(await toldBy(await bert.listen(id))).toEqual(unknown);
    expect(unknown).toMatchObject([expect.toBeOneOf([400, 404]), "application/json", expect.any(String)]);
    work.done("hers");
    expect((await call.messages()).map(textOf)).toEqual(["hers"]);
  });

  test("KIT-15 cancelling: leaves the request of another client alone, and reveals nothing", async () => {
    using both = await pair(revision);
    const { anna, bert } = both;
    const message = anna.calling("work", { name: "hers" });
    const call = anna.post(message);
    const work = await shop.work("hers");
    const unknown = await toldBy(await bert.post(cancel("never was")));
    expect(await toldBy(await bert.post(cancel(message.id)))).toEqual(unknown);
    expect(work.ctx.signal.aborted).toBe(false);
    work.done("hers");
    expect(textOf(await (await call).json())).toBe("hers");
  });

  test("KIT-15 updating: leaves the subscription of another client alone", async () => {
    using both = await pair(revision);
    const { anna, bert, hers, his } = both;
    for (const talk of [anna, bert]) expect(await talk.result("resources/subscribe", { uri: BOARD })).toEqual({});
    expect(await bert.result("resources/unsubscribe", { uri: BOARD })).toEqual({});
    shop.touch();
    expect((await hers.message()).method).toBe("notifications/resources/updated");
    expect(await heardBy(bert, his)).toEqual([]);
  });

  test("KIT-15 tasks: has none to list, read, update or cancel, in flight or guessed", async () => {
    using both = await pair(revision);
    const { anna, bert } = both;
    const message = anna.calling("work", { name: "hers" });
    const call = anna.post(message);
    const work = await shop.work("hers");
    for (const method of ["tasks/list", "tasks/get", "tasks/result", "tasks/update", "tasks/cancel"]) {
      for (const taskId of [String(message.id), anna.id, "guessed"]) {
        const answer = await bert.post(request(1, method, method === "tasks/list" ? {} : { taskId }));
        expect.soft(await answer.json(), `${method} ${taskId}`).toEqual(refusal(1, -32601));
      }
    }
    work.done("hers");
    expect(textOf(await (await call).json())).toBe("hers");
  });
});

/** Revisions in which a server can ask the person. */
const ASKING = STATEFUL.filter((revision) => revision >= "2025-06-18");

test.each(ASKING)("KIT-15 answering: keeps an elicitation open until its own client answers (%s)", async (revision) => {
  using both = await pair(revision);
  const { anna, bert } = both;
  const call = await anna.call("work", { name: "hers" }, { progressToken: 1 });
  const work = await shop.work("hers");
  const asked = work.ctx.elicit({ message: "Who?", schema: z.object({ name: z.string() }) });
  const { id, method } = await call.message();
  expect(method).toBe("elicitation/create");
  const reply = (name: string): Json => result(id, { action: "accept", content: { name } });
  const unknown = await toldBy(await bert.post(result("never was", {})));
  expect(await toldBy(await bert.post(reply("Bert")))).toEqual(unknown);
  expect((await anna.post(reply("Anna"))).status).toBe(202);
  expect(await asked).toEqual({ action: "accept", content: { name: "Anna" } });
  work.done("done");
  expect((await call.messages()).map(textOf)).toEqual(["done"]);
});

test("KIT-15 draws random handles: no two sessions share six characters in a row", async () => {
  const ids = await Promise.all(
    Array.from({ length: 30 }, async () => {
      using talk = await HttpTalk.open(shop.url, { token: "a" });
      return talk.id;
    }),
  );
  const pieces = ids.flatMap((id) => Array.from({ length: id.length - 5 }, (_, at) => `${at} ${id.slice(at, at + 6)}`));
  expect(ids.filter((id) => !/^[\w-]{22,}$/.test(id))).toEqual([]);
  expect(new Set(pieces).size).toBe(pieces.length);
});

test("KIT-11 K4 refuses to serve one server object twice", async () => {
  await expect(serveHttp(shop.server, { port: 0 })).rejects.toThrow("served already");
});
