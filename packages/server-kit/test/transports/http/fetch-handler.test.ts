// Requests and responses of web platforms: bodies in pieces, ports, clients that leave, and clients that read slowly.
import { setImmediate } from "node:timers/promises";
import { afterEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { toFetch, type FetchHandler, type HttpOptions } from "../../../src/fetch.ts";
import { defineServer, tool, type InteractiveContext } from "../../../src/index.ts";
import { initialize } from "../../support/http-talk.ts";
import { asks, posting } from "../../support/stateless-message.ts";

const HEADERS = { accept: "application/json, text/event-stream", "content-type": "application/json" };

const handlers: FetchHandler[] = [];
afterEach(() => Promise.all(handlers.splice(0).map((handle) => handle.close(0))));

/** A server whose tool `send` sends progress of some size, whose tool `fill` gives a text of a size, and whose tool `work` waits for the test. */
function serve(options: HttpOptions = {}) {
  const works: { ctx: InteractiveContext; done: (text: string) => void }[] = [];
  const work = tool({ name: "work", run: (_input, ctx) => new Promise<string>((done) => works.push({ ctx, done })) });
  const send = tool({
    name: "send",
    input: z.object({ sizes: z.array(z.number()) }),
    run: ({ sizes }, ctx) => {
      for (const [at, size] of sizes.entries()) ctx.progress(at, sizes.length, "x".repeat(size));
      return "sent";
    },
  });
  const fill = tool({ name: "fill", input: z.object({ size: z.number() }), run: ({ size }) => "x".repeat(size) });
  const handle = toFetch(defineServer({ name: "shop", version: "1.0.0", tools: [work, send, fill] }), options);
  handlers.push(handle);
  return { handle, works };
}

const post = (
  handle: FetchHandler,
  body: NonNullable<RequestInit["body"]>,
  { url = "http://localhost/mcp", headers = {}, ...init }: RequestInit & { url?: string } = {},
) =>
  handle(
    new Request(url, {
      method: "POST",
      headers: { ...HEADERS, ...(headers as Record<string, string>) },
      body,
      duplex: "half",
      ...init,
    } as RequestInit),
  );

const callOf = (name: string, args = {}, progressToken?: number) => {
  const { headers, body } = posting(asks("tools/call", { name, arguments: args }, { progressToken }));
  return { headers: headers as Record<string, string>, body: body as string };
};

const inPieces = (...pieces: Uint8Array[]): ReadableStream<Uint8Array> =>
  new ReadableStream({
    start(controller) {
      for (const piece of pieces) controller.enqueue(piece);
      controller.close();
    },
  });

describe("a body", () => {
  const text = JSON.stringify({ ...initialize(), comment: "é€😀" });
  const bytes = new TextEncoder().encode(text);

  test("is read from pieces that split characters", async () => {
    const { handle } = serve();
    const pieces = Array.from(bytes, (_, at) => bytes.subarray(at, at + 1));
    expect((await post(handle, inPieces(...pieces))).status).toBe(200);
  });

  test.each([
    ["without a byte", inPieces(), ""],
    ["that is not UTF-8", new Uint8Array([...bytes, 0xff]), ": not UTF-8"],
    ["that ends within a character", new Uint8Array([...bytes, 0xc3]), ": not UTF-8"],
    ["with a byte order mark", new Uint8Array([0xef, 0xbb, 0xbf, ...bytes]), ""],
  ])("is refused as %s", async (_what, body, reason) => {
    const { handle } = serve();
    const response = await post(handle, body);
    expect([response.status, await response.text()]).toEqual([
      400,
      expect.stringContaining(`"code":-32700,"message":"Parse error${reason}`),
    ]);
  });

  const newRequest = (): Request => new Request("http://localhost/mcp", { method: "POST", headers: HEADERS, body: text });
  const spent = (read: (request: Request) => void, request = newRequest()): Request => {
    read(request);
    return request;
  };
  const READ: [by: string, request: () => Request][] = [
    ["has read", () => spent((request) => void request.text())],
    ["has begun to read", () => spent((request) => void request.body?.getReader())],
    [
      "has read through an adapter that throws then",
      () =>
        spent((request) => {
          const get = (): never => {
            throw new TypeError("Response body object should not be disturbed or locked");
          };
          Object.defineProperty(request, "bodyUsed", { get });
        }),
    ],
  ];
  test.each(READ)("is refused with the cause when the app %s it", async (_by, request) => {
    const response = await serve().handle(request());
    const message = "Request body was read before the MCP handler got it: pass it a clone of the request that is not read.";
    expect([response.status, await response.json()]).toEqual([500, { jsonrpc: "2.0", error: { code: -32603, message } }]);
  });

  test("may be missing", async () => {
    const { handle } = serve();
    const response = await handle(new Request("http://localhost/mcp", { method: "POST", headers: HEADERS }));
    expect([response.status, await response.text()]).toEqual([400, expect.not.stringContaining("UTF-8")]);
  });

  test("may have as many bytes as the limit allows, by its header or by its content", async () => {
    const { handle } = serve({ limits: { messageBytes: bytes.length } });
    const length = (count: number) => ({ headers: { "content-length": String(count) } });
    expect((await post(handle, bytes, length(bytes.length))).status).toBe(200);
    expect((await post(handle, inPieces(bytes.subarray(0, 9), bytes.subarray(9)))).status).toBe(200);
    for (const response of [
      await post(handle, bytes, length(bytes.length + 1)),
      await post(handle, inPieces(bytes, new TextEncoder().encode(" "))),
    ])
      expect([response.status, await response.text()]).toEqual([413, expect.stringContaining("Request body too large")]);
  });
});

test.each([
  ["http://localhost:3920", "http://localhost:3920", 200],
  ["http://localhost:3920", "http://localhost:3921", 403],
  ["http://localhost", "http://localhost", 200],
  ["http://localhost", "http://localhost:3920", 403],
  ["https://localhost:3920", "http://localhost:3920", 403],
])("answers at %s a page of %s with the status %i", async (server, origin, status) => {
  const { handle } = serve();
  const response = await post(handle, JSON.stringify(initialize()), { url: `${server}/mcp`, headers: { origin } });
  expect([response.status, response.headers.get("access-control-allow-origin")]).toEqual([status, status === 200 ? origin : null]);
});

test("passes on the query of the URL", async () => {
  const { handle } = serve({ legacySse: true });
  const stream = await handle(new Request("http://localhost/sse", { headers: { accept: "text/event-stream" } }));
  const reader = stream.body!.pipeThrough(new TextDecoderStream()).getReader();
  const target = /data: (.*)/.exec((await reader.read()).value ?? "")?.[1] ?? "";
  const accepted = await post(handle, JSON.stringify(initialize("2024-11-05")), { url: `http://localhost/${target}` });
  expect([accepted.status, accepted.body]).toEqual([202, null]);
  expect((await reader.read()).value).toContain('"result"');
  await reader.cancel();
  await expect.poll(() => handle.counts().sessions).toBe(0);
});

describe("a client that disconnects", () => {
  test("before the response cancels its request", async () => {
    const { handle, works } = serve();
    const { headers, body } = callOf("work");
    const leaving = new AbortController();
    void post(handle, body, { headers, signal: leaving.signal });
    await expect.poll(() => works).toHaveLength(1);
    leaving.abort();
    await expect.poll(() => [works[0]?.ctx.signal.aborted, handle.counts().running]).toEqual([true, 0]);
  });

  test("during the check of its token leaves no request", async () => {
    const leaving = new AbortController();
    const check = (token: string) => {
      if (token === "leaves") leaving.abort();
      return Promise.resolve({ principal: "ann", scopes: ["shop:read", "shop:write"], claims: {} });
    };
    const { handle, works } = serve({ auth: { check } });
    const { headers, body } = callOf("work");
    void post(handle, body, { headers: { ...headers, authorization: "Bearer leaves" }, signal: leaving.signal });
    const next = callOf("send", { sizes: [] });
    const stays = await post(handle, next.body, { headers: { ...next.headers, authorization: "Bearer stays" } });
    expect([stays.status, await stays.text()]).toEqual([200, expect.stringContaining("sent")]);
    expect([handle.counts().running, works.filter(({ ctx }) => !ctx.signal.aborted)]).toEqual([0, []]);
  });

  test("from a stream cancels its request, and after the response nothing", async () => {
    const { handle, works } = serve();
    const [left, read] = [await begun(handle, works), await begun(handle, works)];
    await left.body?.cancel();
    await expect.poll(() => works.map(({ ctx }) => ctx.signal.aborted)).toEqual([true, false]);
    works[1]?.done("done");
    expect(await read.text()).toContain("done");
    expect(handle.counts().running).toBe(0);
  });
});

/** Starts `work` with a progress token, and gives the response once it is a stream. */
async function begun(handle: FetchHandler, works: { ctx: InteractiveContext }[]): Promise<Response> {
  const { headers, body } = callOf("work", {}, 7);
  const response = post(handle, body, { headers });
  const count = works.length;
  await expect.poll(() => works).toHaveLength(count + 1);
  works[count]?.ctx.progress(1);
  return response;
}

test("sends a reading client everything in order", async () => {
  const { handle } = serve();
  const { headers, body } = callOf("send", { sizes: [1000, 1000, 10] }, 7);
  const response = await post(handle, body, { headers });
  expect(response.headers.get("content-type")).toBe("text/event-stream");
  const events = (await response.text()).split("\n\n").filter((event) => event !== "");
  expect(events.map((event) => /"progress":(\d)/.exec(event)?.[1] ?? (event.includes('"result"') ? "result" : event))).toEqual([
    "0",
    "1",
    "2",
    "result",
  ]);
});

/** Opens the stream of a client of 2024-11-05, which gets everything by it. */
async function openSse(handle: FetchHandler) {
  const stream = await handle(new Request("http://localhost/sse", { headers: { accept: "text/event-stream" } }));
  const reader = stream.body!.pipeThrough(new TextDecoderStream()).getReader();
  const target = /data: (.*)/.exec((await reader.read()).value ?? "")?.[1] ?? "";
  const send = (message: object) => post(handle, JSON.stringify(message), { url: `http://localhost/${target}` });
  const call = (id: number, name: string, args = {}) =>
    send({ jsonrpc: "2.0", id, method: "tools/call", params: { name, arguments: args } });
  await send(initialize("2024-11-05"));
  await send({ jsonrpc: "2.0", method: "notifications/initialized" });
  return { reader, call };
}

test("sends a pausing client the waiting events in one piece when it reads again", async () => {
  const { handle } = serve({ legacySse: true });
  const { reader, call } = await openSse(handle);
  const SIZES = [30_000, 30_000, 30_000, 10, 10];
  for (const [at, size] of SIZES.entries()) {
    expect((await call(at + 2, "fill", { size })).status).toBe(202);
    await expect.poll(() => handle.counts().running).toBe(0);
  }
  const pieces: string[] = [];
  while (!/"id":6\b/.test(pieces.at(-1) ?? "")) pieces.push((await reader.read()).value ?? "");
  // 64 KiB count as slow: the third is over, and the others wait.
  expect(pieces.slice(1).map((piece) => Array.from(piece.matchAll(/"id":(\d)/g), ([, id]) => Number(id)))).toEqual([[2], [3], [4], [5, 6]]);
  await reader.cancel();
});

test("disconnects a client that pauses for more than the limit", async () => {
  const { handle } = serve({ legacySse: true, http: { eventBytes: 100_000 } });
  const { reader, call } = await openSse(handle);
  const fill = async (id: number, size: number): Promise<void> => {
    await call(id, "fill", { size });
    await expect.poll(() => handle.counts().running).toBe(0);
  };
  await fill(2, 70_000);
  await fill(3, 90_000);
  expect(handle.counts().sessions).toBe(1);
  await fill(4, 20_000);
  expect(handle.counts().sessions).toBe(0);
  await expect(
    (async () => {
      for (;;) if ((await reader.read()).done) return;
    })(),
  ).rejects.toThrow("the client read too slowly");
});

describe("closing", () => {
  const open = async (over: "stream" | "sse") => {
    const { handle, works } = serve({ legacySse: true });
    if (over === "stream") {
      const { body } = await begun(handle, works);
      return { handle, works, reader: body!.pipeThrough(new TextDecoderStream()).getReader() };
    }
    const { reader, call } = await openSse(handle);
    await call(2, "work");
    await expect.poll(() => works).toHaveLength(1);
    return { handle, works, reader };
  };
  const rest = async (reader: ReadableStreamDefaultReader<string>): Promise<string> => {
    let text = "";
    for (let read = await reader.read(); !read.done; read = await reader.read()) text += read.value;
    return text;
  };

  test.each(["stream", "sse"] as const)("lets a call finish, and ends its %s", async (over) => {
    const { handle, works, reader } = await open(over);
    let isClosed = false;
    const closing = handle.close(60_000).then(() => (isClosed = true));
    await setImmediate();
    expect([isClosed, works[0]?.ctx.signal.aborted]).toEqual([false, false]);
    works[0]?.done("done in time");
    await closing;
    expect(await rest(reader)).toContain("done in time");
    expect(handle.counts()).toMatchObject({ running: 0, sessions: 0 });
  });

  test.each(["stream", "sse"] as const)("cancels a call that takes longer, and ends its %s", async (over) => {
    const { handle, works, reader } = await open(over);
    await handle.close(1);
    expect(works[0]?.ctx.signal.aborted).toBe(true);
    expect(await rest(reader)).not.toContain("done");
    expect(handle.counts()).toMatchObject({ running: 0, sessions: 0 });
  });
});

test("sends no body in a response to HEAD", async () => {
  const { handle } = serve();
  const response = await handle(new Request("http://localhost/mcp", { method: "HEAD" }));
  expect([response.status, response.body]).toEqual([405, null]);
});
