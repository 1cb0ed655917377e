// Event streams over web-standard requests: the same rules, with a reader that pulls.
import { afterEach, beforeEach, expect, test } from "vitest";
import { toFetch, type FetchHandler } from "../../../../src/fetch.ts";
import { defineServer, tool, type InteractiveContext } from "../../../../src/index.ts";
import type { Json } from "../../../../src/protocol.ts";
import { textOf } from "../../../support/http-talk.ts";
import { call, eventually } from "../../../support/sample.ts";
import { openWeb, type Send } from "../../../support/web-talk.ts";

let handle: FetchHandler;
let send: Send;
/** The call in the test's hands. */
let work: { ctx: InteractiveContext; done(text: string): void };

beforeEach(async () => {
  const hold = tool({ name: "work", run: (_input, ctx) => new Promise<string>((resolve) => (work = { ctx, done: resolve })) });
  const server = defineServer({ name: "web", version: "1", tools: [hold], limits: { logsPerSecond: 1e9 } });
  handle = toFetch(server, { http: { eventBytes: 200_000 } });
  send = await openWeb(handle);
});

afterEach(() => handle.close(0));

const begin = (): Promise<Response> => send("POST", call(1, "work", {}, { progressToken: 1 }));

/** The messages of an event stream that has come whole, and the ids of all events. */
function read(text: string): { messages: Json[]; ids: string[] } {
  const data = [...text.matchAll(/^data: (.+)$/gm)].map(([, json = ""]) => JSON.parse(json) as Json);
  return { messages: data, ids: [...text.matchAll(/^id: (.+)$/gm)].map(([, id = ""]) => id) };
}

test("HTTP-15 HTTP-17 HTTP-19 RESUME-01 carries notifications and the response on a stream, then ends it", async () => {
  const response = await begin();
  expect([response.status, response.headers.get("content-type")]).toEqual([200, "text/event-stream"]);
  work.ctx.progress(1);
  work.done("done");
  const { messages, ids } = read(await response.text());
  expect(messages.map((message) => message.method ?? textOf(message))).toEqual(["notifications/progress", "done"]);
  expect(ids).toEqual(["1-0", "1-1", "1-2"]);
  expect(handle.counts()).toEqual({ sessions: 1, streams: 0, running: 0 });
});

test("HTTP-28 RESUME-05 continues a request whose reader cancels the body, and lets it resume", async () => {
  const response = await begin();
  expect(handle.counts().streams).toBe(1);
  await response.body?.cancel();
  expect(handle.counts()).toMatchObject({ streams: 0, running: 1 });
  expect(work.ctx.signal.aborted).toBe(false);
  work.ctx.progress(1);
  const again = await send("GET", undefined, { "last-event-id": "1-0" });
  work.done("done");
  expect(read(await again.text()).messages.map((message) => message.method ?? textOf(message))).toEqual(["notifications/progress", "done"]);
});

test("HTTP-28 continues a request whose client disconnects before the response", async () => {
  const disconnect = new AbortController();
  void send("POST", call(1, "work"), {}, disconnect.signal);
  await eventually(() => handle.counts().running).toBe(1);
  disconnect.abort();
  expect(work.ctx.signal.aborted).toBe(false);
  work.ctx.log.info("to nobody");
  work.done("for nobody");
  await eventually(() => handle.counts()).toEqual({ sessions: 1, streams: 0, running: 0 });
});

test("case HTTP-23 H7 aborts a client that does not read at the bound, and serves one that reads", async () => {
  const deaf = await begin();
  for (let time = 0; time < 20; time++) work.ctx.log.info("x".repeat(50_000));
  expect(handle.counts().streams).toBe(0);
  await expect(deaf.text()).rejects.toThrow("Stream aborted: the client read too slowly.");
  work.done("done");
  await eventually(() => handle.counts().running).toBe(0);
  const reads = await begin();
  const text = reads.text();
  for (let time = 0; time < 20; time++) {
    work.ctx.log.info("x".repeat(50_000));
    await new Promise((resolve) => setImmediate(resolve));
  }
  work.done("done");
  expect(read(await text).messages).toHaveLength(21);
});

test("case HTTP-18 HTTP-34 allows one standing stream at a time; DELETE ends it", async () => {
  const standing = await send("GET");
  expect([standing.status, (await send("GET")).status]).toEqual([200, 409]);
  expect((await send("DELETE")).status).toBe(204);
  expect(read(await standing.text())).toEqual({ messages: [], ids: ["0-0"] });
});

test("R6 finishes requests in flight at shutdown, refuses new ones and ends streams", async () => {
  const standing = await send("GET");
  const response = await begin();
  const closed = handle.close(20_000);
  expect((await send("POST", call(2, "work"))).status).toBe(503);
  work.done("done");
  expect(textOf(read(await response.text()).messages[0])).toBe("done");
  await closed;
  expect(await standing.text()).toContain("id: 0-0");
  expect(handle.counts()).toEqual({ sessions: 0, streams: 0, running: 0 });
});
