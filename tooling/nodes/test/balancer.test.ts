/** The balancer on real HTTP servers: streams pass at once, dead nodes are left out, and nothing that was sent is sent again. */
import { createServer, type RequestListener } from "node:http";
import { closeServer, listenOn } from "@oarlock-tooling/test-support/loopback";
import { afterEach, expect, test } from "vitest";
import { Balancer, type BalancerMode } from "../src/proxy/balancer.ts";
import { Random } from "../src/random.ts";

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function node(name: string, listener: RequestListener) {
  const server = createServer(listener);
  const port = await listenOn(server);
  const stop = (): Promise<void> => closeServer(server);
  closing.push(stop);
  return { name, port, stop };
}

async function balance(mode: BalancerMode, ...nodes: { name: string; port: number }[]): Promise<Balancer> {
  const balancer = await Balancer.start({ mode, random: new Random(1) });
  closing.push(() => balancer[Symbol.asyncDispose]());
  for (const each of nodes) balancer.add(each);
  return balancer;
}

const named = (name: string) => node(name, (_, response) => response.end(name));
const text = async (url: string, init?: RequestInit): Promise<string> => (await fetch(url, init)).text();

test("takes the nodes in turn", async () => {
  const { url } = await balance("round-robin", await named("a"), await named("b"), await named("c"));
  expect([await text(url), await text(url), await text(url), await text(url)]).toEqual(["a", "b", "c", "a"]);
});

test("takes another node at each request of a session", async () => {
  const { url } = await balance("moving", await named("a"), await named("b"));
  const nodes: string[] = [];
  for (let count = 0; count < 6; count++) nodes.push(await text(url, { headers: { "mcp-session-id": "s" } }));
  expect(nodes.join("")).toMatch(/^(ab){3}$|^(ba){3}$/);
});

test("passes method, headers and body on, and names the node", async () => {
  const echo = await node("a", (request, response) => {
    response.setHeader("x-method", `${request.method} ${request.headers["x-own"]}`);
    request.pipe(response.writeHead(201));
  });
  const { url } = await balance("random", echo);
  const response = await fetch(url, { method: "POST", body: "hello", headers: { "x-own": "1" } });
  expect([response.status, response.headers.get("x-method"), response.headers.get("x-node"), await response.text()]).toEqual([
    201,
    "POST 1",
    "a",
    "hello",
  ]);
});

test("passes each event of a stream on at once", async () => {
  const go = Promise.withResolvers<void>();
  const events = await node("a", (_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" }).write("data: 1\n\n");
    void go.promise.then(() => response.end("data: 2\n\n"));
  });
  const { url } = await balance("random", events);
  const { body } = await fetch(url);
  const reader = body!.pipeThrough(new TextDecoderStream()).getReader();
  expect((await reader.read()).value).toBe("data: 1\n\n");
  go.resolve();
  expect((await reader.read()).value).toBe("data: 2\n\n");
});

test("sends headers of a stream before its first event", async () => {
  const silent = await node("a", (_, response) => response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders());
  const { url } = await balance("random", silent);
  const abort = new AbortController();
  expect((await fetch(url, { signal: abort.signal })).status).toBe(200);
  abort.abort();
});

test("ends the request to the node when the client leaves", async () => {
  const left = Promise.withResolvers<void>();
  const abort = new AbortController();
  const slow = await node("a", (_, response) => {
    response.once("close", () => left.resolve());
    abort.abort();
  });
  const { url } = await balance("random", slow);
  const request = fetch(url, { signal: abort.signal });
  await expect(request).rejects.toThrow("aborted");
  await left.promise;
});

test("leaves out a node that refuses connections, also for POST", async () => {
  const [dead, living] = [await named("dead"), await named("living")];
  await dead.stop();
  const { url } = await balance("round-robin", dead, living);
  expect([await text(url, { method: "POST", body: "x" }), await text(url)]).toEqual(["living", "living"]);
});

test("resets the client and repeats nothing when a node breaks off", async () => {
  let requests = 0;
  const breaking = await node("a", (request) => {
    requests++;
    request.socket.resetAndDestroy();
  });
  const { url } = await balance("random", breaking, { ...breaking, name: "b" });
  await expect(fetch(url, { method: "POST", body: "x" })).rejects.toThrow("fetch failed");
  expect(requests).toBe(1);
});

test("resets a stream that its node breaks off", async () => {
  const breaking = await node("a", (request, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" }).write("data: 1\n\n", () => request.socket.resetAndDestroy());
  });
  const { url } = await balance("random", breaking);
  await expect(text(url)).rejects.toThrow("terminated");
});

test("breaks streams on command, and no other responses", async () => {
  const asked = Promise.withResolvers<void>();
  const go = Promise.withResolvers<void>();
  const events = await node("a", (request, response) => {
    if (request.url === "/plain") {
      asked.resolve();
      return void go.promise.then(() => response.end("plain"));
    }
    response.writeHead(200, { "content-type": "text/event-stream" }).write("data: 1\n\n");
  });
  const balancer = await balance("random", events);
  const stream = await fetch(balancer.url);
  const plain = text(`${balancer.origin}/plain`);
  await asked.promise;
  expect(balancer.breakStreams(1)).toBe(1);
  await expect(stream.text()).rejects.toThrow("terminated");
  go.resolve();
  expect(await plain).toBe("plain");
});

test("answers 502 without a node", async () => {
  const { url } = await balance("random");
  expect((await fetch(url)).status).toBe(502);
});
