// The end of a server: requests in flight may finish, new ones are refused, and nothing is left.
import { describe, expect, test } from "vitest";
import { defineServer, tool } from "../../../../src/index.ts";
import { serveHttp } from "../../../../src/node.ts";
import { HttpPeer, HttpTalk, initialize, textOf } from "../../../support/http-talk.ts";
import { openLegacy } from "../../../support/legacy-talk.ts";
import { RawHttp } from "../../../support/raw-http.ts";
import { call, eventually, note, STATEFUL } from "../../../support/sample.ts";
import { ABLE } from "../../../support/talk.ts";
import { startWorkshop } from "../../../support/workshop.ts";

const EMPTY = { sessions: 0, streams: 0, running: 0, connections: 0 };
const POST = { method: "POST", headers: { "content-type": "application/json", accept: "application/json, text/event-stream" } };
/** Longer than a test may take. */
const LONG = 90_000;

describe.each(STATEFUL)("in %s", (revision) => {
  test("R6 answers requests in flight within the grace time, ends streams, and leaves nothing behind", async () => {
    await using shop = await startWorkshop({ graceMs: LONG, legacySse: true });
    using talk = await HttpTalk.open(shop.url, { revision });
    await using legacy = await openLegacy(shop.http);
    await legacy.handshake();
    const body = talk.call("work", { name: "body" });
    const stream = await talk.call("work", { name: "stream" }, { progressToken: 1 });
    await legacy.post(call(1, "work", { name: "legacy" }));
    const works = [await shop.work("body"), await shop.work("stream"), await shop.work("legacy")];
    const standing = await talk.listen();
    const stopped = shop.http.stop();
    expect(await standing.closed).toBe("ended");
    expect(works.map(({ ctx }) => ctx.signal.aborted)).toEqual([false, false, false]);
    works[1]!.ctx.progress(1);
    expect(await stream.message()).toMatchObject({ params: { progress: 1 } });
    for (const { done } of works) done("done");
    expect(textOf(await (await body).json())).toBe("done");
    expect((await stream.messages()).map(textOf)).toEqual(["done"]);
    expect(textOf(await legacy.stream.message())).toBe("done");
    expect([await stream.closed, await legacy.stream.closed]).toEqual(["ended", "ended"]);
    await stopped;
    await shop.http.ended;
    expect(shop.http.counts()).toEqual(EMPTY);
  });
});

test("R6 refuses new connections meanwhile, and answers 503 to requests on their way", async () => {
  await using shop = await startWorkshop({ graceMs: LONG });
  using talk = await HttpTalk.open(shop.url);
  using half = await RawHttp.open(shop.http.port);
  const body = JSON.stringify(initialize());
  half.write(
    `POST /mcp HTTP/1.1\r\nHost: localhost:${shop.http.port}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n`,
  );
  const stream = await talk.call("work", {}, { progressToken: 1 });
  const { done } = await shop.work("it");
  await eventually(() => shop.http.counts().connections).toBe(2);
  const stopped = shop.http.stop();
  using peer = new HttpPeer(shop.url);
  await expect(peer.send("POST", {}, initialize())).rejects.toMatchObject({ code: "ECONNREFUSED" });
  half.write(`Accept: application/json, text/event-stream\r\n\r\n${body}`);
  await half.ends();
  expect(half.came).toMatch(/^HTTP\/1\.1 503 [^]*\r\nConnection: close\r\n/i);
  expect(shop.http.counts()).toMatchObject({ sessions: 1, running: 1 });
  done("done");
  expect((await stream.messages()).map(textOf)).toEqual(["done"]);
  await stopped;
  expect(shop.http.counts()).toEqual(EMPTY);
});

test("serves while it drains, and closes each connection after its response", async () => {
  await using shop = await startWorkshop();
  const initialized = (): Promise<Response> => fetch(shop.url, { ...POST, body: JSON.stringify(initialize()) });
  expect((await initialized()).headers.get("connection")).toBe("keep-alive");
  const stopped = shop.http.stop(500);
  const { status, headers } = await initialized();
  expect([status, headers.get("connection")]).toEqual([200, "close"]);
  await stopped;
  await expect(initialized()).rejects.toThrow("fetch failed");
});

test("serves a request on a connection that was accepted before it stopped to listen", async () => {
  await using shop = await startWorkshop();
  const stopped = shop.http.stop(100);
  using late = await RawHttp.open(shop.http.port);
  await eventually(() =>
    RawHttp.open(shop.http.port).then(
      (more) => more[Symbol.dispose](),
      () => "refused",
    ),
  ).toBe("refused");
  const body = JSON.stringify(initialize());
  const head = `POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n`;
  late.write(`${head}Accept: application/json, text/event-stream\r\n\r\n${body}`);
  await late.ends();
  expect(late.came).toMatch(/^HTTP\/1\.1 200 /);
  await stopped;
});

test("finds the address of a client by the option clientAddress", async () => {
  const addresses: (string | undefined)[] = [];
  const http = await serveHttp(defineServer({ name: "behind", version: "1.0.0" }), {
    port: 0,
    clientAddress: ({ headers }) => String(headers["x-real-ip"]),
    callers: (_principal, address) => {
      addresses.push(address);
      throw new Error("only the address matters");
    },
  });
  await fetch(http.url, { ...POST, headers: { ...POST.headers, "x-real-ip": "192.0.2.1" } });
  await http.stop();
  expect(addresses).toEqual(["192.0.2.1"]);
});

test("R6 aborts requests that exceed the grace time, and says in their responses that the server stopped", async () => {
  await using shop = await startWorkshop({ graceMs: 300, legacySse: true });
  using talk = await HttpTalk.open(shop.url);
  await using legacy = await openLegacy(shop.http);
  await legacy.handshake();
  const body = talk.call("work", { name: "body" });
  const stream = await talk.call("work", { name: "stream" }, { progressToken: 1 });
  await legacy.post(call(1, "work", { name: "legacy" }));
  const works = [await shop.work("body"), await shop.work("stream"), await shop.work("legacy")];
  const began = performance.now();
  await shop.http.stop();
  const took = performance.now() - began;
  expect(took).toBeGreaterThanOrEqual(295);
  expect(works.map(({ ctx }) => ctx.signal.aborted)).toEqual([true, true, true]);
  expect(await stream.closed).toBe("ended");
  const [streamed] = await stream.messages();
  for (const response of [await (await body).json(), streamed, await legacy.stream.message()])
    expect(textOf(response)).toMatch(/^The server stopped before this ended\. Whether it took effect is not known/);
  expect(await legacy.stream.closed).toBe("ended");
  expect(shop.http.counts()).toEqual(EMPTY);
});

test("R6 fails open elicitations at once, and the handler may still respond", async () => {
  await using shop = await startWorkshop({ graceMs: LONG });
  using talk = await HttpTalk.open(shop.url, { capabilities: ABLE });
  const stream = talk.call("work");
  const { ctx, done } = await shop.work("it");
  const roots = ctx.roots().then(
    () => "answered",
    () => "given up",
  );
  const answer = await stream;
  await answer.message();
  const stopped = shop.http.stop();
  expect(await roots).toBe("given up");
  done("without roots");
  expect((await answer.messages()).map(({ method, result }) => method ?? textOf({ result }))).toContain("without roots");
  await stopped;
});

test("R6 R5 does not wait for clients that do not read or never finish their request", async () => {
  await using shop = await startWorkshop({ graceMs: 200, http: { eventBytes: 64 * 1024 * 1024 }, limits: { logsPerSecond: 1e9 } });
  using talk = await HttpTalk.open(shop.url);
  using half = await RawHttp.open(shop.http.port);
  half.write(`POST /mcp HTTP/1.1\r\nHost: localhost:${shop.http.port}\r\nContent-Length: 100\r\n\r\n{`);
  using idle = await RawHttp.open(shop.http.port);
  const stream = await talk.call("work", {}, { progressToken: 1 });
  const { ctx, done } = await shop.work("it");
  stream.pause();
  for (let time = 0; time < 400; time++) ctx.log.info("x".repeat(60_000));
  done("done");
  await eventually(() => shop.http.counts().connections).toBe(3);
  await shop.http.stop(); // the clients never read or finish
  expect(shop.http.counts()).toEqual(EMPTY);
  await Promise.all([half.ends(), idle.ends()]);
});

test("R6 ignores a second stop, and stops an idle server at once", async () => {
  const shop = await startWorkshop({ graceMs: LONG });
  using talk = await HttpTalk.open(shop.url);
  expect((await talk.post(note("notifications/unheard/of"))).status).toBe(202);
  await Promise.all([shop.http.stop(), shop.http.stop(), shop.http.ended]);
  expect(shop.http.counts()).toEqual(EMPTY);
});

test("R6 ends a server even if its close() fails", async () => {
  const replyText: unknown[] = [];
  const server = defineServer({
    name: "fails",
    version: "1",
    tools: [tool({ name: "x", run: () => "" })],
    close: () => Promise.reject(new Error("the cellar is flooded")),
  });
  const http = await serveHttp(server, { port: 0, log: (_level, data) => void replyText.push(data) });
  await http.stop();
  await http.ended;
  expect(JSON.stringify(replyText)).toContain("the cellar is flooded");
});

test("R6 frees the port when the server has ended", async () => {
  const shop = await startWorkshop();
  const { port } = shop.http;
  using talk = await HttpTalk.open(shop.url);
  const standing = await talk.listen();
  await shop.http.stop();
  expect(await standing.closed).toBe("ended");
  await using again = await startWorkshop({ port });
  expect(again.http.port).toBe(port);
  using other = await HttpTalk.open(again.url);
  expect(other.id).not.toBe(talk.id);
  expect((await talk.post(note("notifications/initialized"))).status).toBe(404);
});
