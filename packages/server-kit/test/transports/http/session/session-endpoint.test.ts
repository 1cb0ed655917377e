// Requests of the handshake era: which session they find, what is refused, which stream they resume, and what the clock does.
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { defineServer, tool, type InteractiveContext } from "../../../../src/index.ts";
import { parseMessage, type IncomingMessage } from "../../../../src/runtime/classify.ts";
import { Runtime } from "../../../../src/runtime/runtime.ts";
import { DEFAULT_HTTP_LIMITS, type HttpLimits } from "../../../../src/transports/http/http-limits.ts";
import type { HttpError } from "../../../../src/transports/http/responses.ts";
import { SessionStore } from "../../../../src/transports/http/session/session-store.ts";
import { SessionEndpoint } from "../../../../src/transports/http/session/session-endpoint.ts";
import { initialize, READY } from "../../../support/http-talk.ts";
import { RecordedExchange } from "../../../support/recorded-exchange.ts";
import { call, note, request } from "../../../support/sample.ts";

interface Work {
  readonly ctx: InteractiveContext;
  done(text: string): void;
}

type Headers = Readonly<Record<string, string | undefined>>;

/** An endpoint whose tool `work` waits for the test. */
function open(limits: Partial<HttpLimits> = {}) {
  const works: Work[] = [];
  const run = (_input: unknown, ctx: InteractiveContext) =>
    new Promise<string>((done, fail) => {
      ctx.signal.addEventListener("abort", () => fail(ctx.signal.reason as Error)); // the kit's own
      works.push({ ctx, done });
    });
  const runtime = new Runtime(defineServer({ name: "shop", version: "1.0.0", tools: [tool({ name: "work", run })] }));
  const all = { ...DEFAULT_HTTP_LIMITS, ...limits };
  const endpoint = new SessionEndpoint(new SessionStore(runtime, all), all);
  const auth = (principal?: string) => (principal === undefined ? undefined : { principal, scopes: [], claims: {} });
  const post = async (body: unknown, headers: Headers = {}, principal?: string): Promise<RecordedExchange> => {
    const exchange = new RecordedExchange({ headers, body });
    await endpoint.post(exchange, parseMessage(JSON.stringify(body), runtime.limits) as IncomingMessage, auth(principal)); // readable, as it is JSON
    return exchange;
  };
  const get = async (headers: Headers, principal?: string): Promise<RecordedExchange> => {
    const exchange = new RecordedExchange({ method: "GET", headers: { accept: "text/event-stream", ...headers } });
    await endpoint.get(exchange, auth(principal));
    return exchange;
  };
  const remove = async (headers: Headers): Promise<RecordedExchange> => {
    const exchange = new RecordedExchange({ method: "DELETE", headers });
    await endpoint.delete(exchange, undefined);
    return exchange;
  };
  /** Opens a session; returns the header that names it. */
  const start = async (revision = "2025-11-25", principal?: string): Promise<{ "mcp-session-id": string }> => {
    const { response } = await post(initialize(revision), {}, principal);
    expect(response?.[0]).toBe(200);
    const id = response?.[1][response[1].indexOf("Mcp-Session-Id") + 1] ?? "";
    expect((await post(READY, { "mcp-session-id": id }, principal)).response).toEqual([202, [], undefined]);
    return { "mcp-session-id": id };
  };
  return { endpoint, post, get, remove, start, works };
}

const PING = request("ping", "ping");
const WORK = (id: number, meta = {}) => call(id, "work", {}, meta);
const refused = (status: number, message: string, options = {}) =>
  expect.objectContaining({ status, message, options: expect.objectContaining(options) as object }) as HttpError;
const MISSING = refused(400, "Missing Mcp-Session-Id header: expected the id from the initialize response.");
const NOT_FOUND = refused(404, "Session not found. Initialize again.");

describe("a session", () => {
  test("is opened by initialize and found by its id", async () => {
    const { endpoint, post, start } = open();
    const session = await start();
    expect(endpoint.counts()).toEqual({ sessions: 1, streams: 0, running: 0 });
    expect((await post(PING, session)).response?.[2]).toBe('{"jsonrpc":"2.0","id":"ping","result":{}}');
    expect((await post(initialize(), { "mcp-session-id": "another" })).response?.[1]).toContain("Mcp-Session-Id");
    expect(endpoint.counts().sessions).toBe(2);
  });

  test("is not opened by a failed initialize", async () => {
    const { endpoint, post } = open();
    const { response } = await post({ ...request(1, "initialize"), params: {} });
    expect([response?.[0], response?.[1], response?.[2]]).toEqual([
      200,
      ["Content-Type", "application/json"],
      expect.stringContaining('"error"'),
    ]);
    expect(endpoint.counts().sessions).toBe(0);
  });

  test("is not opened beyond the limit", async () => {
    const { post, start } = open({ sessions: 1 });
    await start();
    await expect(post(initialize())).rejects.toThrow(
      refused(503, "Server busy: too many sessions. Retry later.", { headers: ["Retry-After", "30"] }),
    );
  });

  test("refuses a second initialize", async () => {
    const { endpoint, post, start } = open();
    expect((await post(initialize(), await start())).response?.[2]).toContain('"error"');
    expect(endpoint.counts().sessions).toBe(1);
  });

  test("is required by every other request", async () => {
    const { post, get, remove } = open();
    for (const act of [() => post(PING), () => post(READY), () => post([initialize()]), () => get({}), () => remove({})])
      await expect(act()).rejects.toThrow(MISSING);
    const unknown = { "mcp-session-id": "none" };
    for (const act of [() => post(PING, unknown), () => get(unknown), () => remove(unknown)])
      await expect(act()).rejects.toThrow(NOT_FOUND);
  });

  test("belongs to the principal that opened it", async () => {
    const { post, get, start } = open();
    const session = await start("2025-11-25", "ann");
    expect((await post(PING, session, "ann")).response?.[0]).toBe(200);
    for (const principal of ["ben", undefined]) {
      await expect(post(PING, session, principal)).rejects.toThrow(NOT_FOUND);
      await expect(get(session, principal)).rejects.toThrow(NOT_FOUND);
    }
  });

  test("is ended by DELETE", async () => {
    const { endpoint, post, get, remove, start } = open();
    const session = await start();
    const standing = await get(session);
    expect((await remove(session)).response).toEqual([204, [], undefined]);
    expect([standing.state, endpoint.counts()]).toEqual(["ended", { sessions: 0, streams: 0, running: 0 }]);
    await expect(post(PING, session)).rejects.toThrow(NOT_FOUND);
  });
});

test("requires a version header that is known and its own", async () => {
  const { post, get, start } = open();
  const session = await start();
  const version = (value: string) => ({ ...session, "mcp-protocol-version": value });
  expect((await post(PING, version("2025-11-25"))).response?.[0]).toBe(200);
  const unknown = refused(400, "Unknown MCP-Protocol-Version header.");
  const wrong = refused(400, "Wrong MCP-Protocol-Version header: expected the version negotiated for this session.");
  await expect(post(PING, version("1999-01-01"))).rejects.toThrow(unknown);
  await expect(get(version("1999-01-01"))).rejects.toThrow(unknown);
  await expect(post(PING, version("2025-06-18"))).rejects.toThrow(wrong);
  await expect(post(initialize(), { "mcp-protocol-version": "1999-01-01" })).rejects.toThrow(unknown);
  expect((await post(initialize(), { "mcp-protocol-version": "2025-06-18" })).response?.[0]).toBe(200);
});

test("refuses a notification with invalid params", async () => {
  const { post, start } = open();
  const session = await start();
  await expect(post({ ...note("notifications/cancelled"), params: 7 }, session)).rejects.toThrow(
    refused(400, "Invalid params: expected an object.", { code: -32_602 }),
  );
  expect((await post({ jsonrpc: "2.0", id: 99, result: {} }, session)).response?.[0]).toBe(202);
});

describe("a response", () => {
  test("is a stream if the request has a progress token", async () => {
    const { post, start, works } = open();
    const session = await start("2025-03-26");
    const withToken = { progressToken: 1 };
    const plain = await post(WORK(1), session);
    const streaming = await post(WORK(2, withToken), session);
    const batch = await post([WORK(3), WORK(4, withToken)], session);
    await vi.waitFor(() => expect(works).toHaveLength(4), 30_000);
    expect([plain, streaming, batch].map(({ state }) => state)).toEqual(["none", "open", "open"]);
    for (const { done } of works) done("ok");
    await vi.waitFor(() => expect([plain.response?.[0], streaming.state, batch.state]).toEqual([200, "ended", "ended"]), 30_000);
  });

  test("has a priming event in revisions that have one", async () => {
    const { post, start } = open({ retryMs: 77 });
    const token = { progressToken: 1 };
    expect((await post(WORK(1, token), await start("2025-11-25"))).written).toEqual(["id: 1-0\nretry: 77\ndata: \n\n"]);
    expect((await post(WORK(1, token), await start("2025-06-18"))).written).toEqual([]);
  });

  test("is refused if the session has too many streams", async () => {
    const { endpoint, post, get, start } = open({ streams: 2 });
    const session = await start();
    const standing = await get(session);
    const first = await post(WORK(1, { progressToken: 1 }), session);
    expect(endpoint.counts()).toMatchObject({ sessions: 1, streams: 2, running: 1 });
    const tooMany = refused(429, "Too many streams: expected at most 2 in a session. Close one.");
    await expect(post(PING, session)).rejects.toThrow(tooMany);
    standing.close();
    expect((await post(PING, session)).response?.[0]).toBe(200);
    await post(WORK(2, { progressToken: 2 }), session);
    await expect(get(session)).rejects.toThrow(tooMany);
    // Taking over a connected stream opens no further one.
    expect((await get({ ...session, "last-event-id": "1-0" })).state).toBe("open");
    expect(first.state).toBe("ended");
    await expect(get({ ...session, "last-event-id": "0-0" })).rejects.toThrow(tooMany);
  });
});

describe("GET", () => {
  test("opens the standing stream once", async () => {
    const { get, start } = open();
    const session = await start();
    expect((await get(session)).written).toEqual(["id: 0-0\nretry: 1000\ndata: \n\n"]);
    await expect(get(session)).rejects.toThrow(
      refused(409, "Stream already open: expected at most one GET stream for each session. Retry if its connection is lost."),
    );
  });

  test("requires a client that accepts event streams", async () => {
    const { get, start } = open();
    const session = await start();
    await expect(get({ ...session, accept: "application/json" })).rejects.toThrow(
      refused(406, "Accept header not supported: expected text/event-stream."),
    );
  });

  test("resumes a stream after the event that it names", async () => {
    const { post, get, start, works } = open();
    const session = await start();
    const first = await post(WORK(1, { progressToken: 1 }), session);
    await vi.waitFor(() => expect(works).toHaveLength(1), 30_000);
    works[0]?.ctx.progress(1);
    await vi.waitFor(() => expect(first.written).toHaveLength(2), 30_000);
    first.close();
    works[0]?.done("ok");
    const resume = (id: string) => get({ ...session, "last-event-id": id });
    await vi.waitFor(async () => expect((await resume("1-1")).written.join("")).toContain('"text":"ok"'), 30_000);
    const again = await resume("1-0");
    expect([again.state, again.written.join("").match(/^id: .*/gm)]).toEqual(["ended", ["id: 1-0", "id: 1-1", "id: 1-2"]]);
    const complete = refused(405, "Stream already complete: no event follows this Last-Event-ID.", { headers: ["Allow", "POST, DELETE"] });
    await expect(resume("1-2")).rejects.toThrow(complete);
    const unknown = refused(400, "Unknown Last-Event-ID: no stream of this session can be resumed from there.");
    for (const id of ["1-3", "2-0", "x", "1", "1-", "-1", "x1-1", "1-1x", "1234567890-1", "1-1234567890123"])
      await expect(resume(id), id).rejects.toThrow(unknown);
    expect((await resume("0-0")).state).toBe("open");
  });

  test("finds nothing of a forgotten stream", async () => {
    const { post, get, start, works } = open({ eventBytes: 10 });
    const session = await start();
    const first = await post(WORK(1, { progressToken: 1 }), session);
    await vi.waitFor(() => expect(works).toHaveLength(1), 30_000);
    works[0]?.done("ok");
    await vi.waitFor(() => expect(first.state).toBe("ended"), 30_000);
    await post(WORK(2, { progressToken: 1 }), session);
    await vi.waitFor(() => expect(works).toHaveLength(2), 30_000);
    works[1]?.ctx.progress(1);
    await vi.waitFor(() => expect(get({ ...session, "last-event-id": "1-0" })).rejects.toThrow("Stream already complete"), 30_000);
  });
});

describe("the clock", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["performance"] }));
  afterEach(() => void vi.useRealTimers());
  const limits = { silentMs: 100, keepAliveMs: 200, stalledMs: 300, streamMs: 500, idleMs: 20_000, unreadyMs: 6000, streams: 2 };

  const opened = (more: Partial<HttpLimits> = {}) => {
    const shop = open({ ...limits, ...more });
    const tickAfter = (ms: number): void => {
      vi.advanceTimersByTime(ms);
      shop.endpoint.tick(performance.now());
    };
    return { ...shop, tickAfter };
  };

  test("turns slow responses into streams, as far as the limit allows", async () => {
    const { post, start, tickAfter } = opened();
    const session = await start();
    const all = await Promise.all([1, 2, 3].map((id) => post(WORK(id), session)));
    tickAfter(99);
    expect(all.map(({ state }) => state)).toEqual(["none", "none", "none"]);
    tickAfter(1);
    expect(all.map(({ state }) => state)).toEqual(["open", "open", "none"]);
  });

  test("keeps streams alive and aborts clients that read nothing", async () => {
    const { get, start, tickAfter } = opened();
    const [alive, stalled] = [await get(await start("2025-06-18")), await get(await start("2025-11-25"))];
    stalled.isSlow = true;
    tickAfter(200);
    expect([alive.written, stalled.written.at(-1)]).toEqual([[":\n\n"], ":\n\n"]);
    tickAfter(300);
    expect([alive.state, stalled.state]).toEqual(["open", "aborted"]);
  });

  test("closes the connections of streams that the client can resume after a while", async () => {
    const { post, get, start, tickAfter } = opened();
    const token = { progressToken: 1 };
    const [newer, older] = [await start("2025-11-25"), await start("2025-06-18")];
    const streams = [await post(WORK(1, token), newer), await get(newer), await post(WORK(1, token), older)];
    tickAfter(499);
    expect(streams.map(({ state }) => state)).toEqual(["open", "open", "open"]);
    tickAfter(1);
    expect(streams.map(({ state }) => state)).toEqual(["ended", "open", "open"]);
    // Never, unless the limit says when.
    const never = opened({ streamMs: 0 });
    const stream = await never.post(WORK(1, token), await never.start());
    never.tickAfter(5000);
    expect(stream.state).toBe("open");
  });

  test("aborts a client that reads nothing instead of closing its connection", async () => {
    const { post, start, tickAfter } = opened({ streamMs: 250 });
    const stream = await post(WORK(1, { progressToken: 1 }), await start());
    stream.isSlow = true;
    tickAfter(200);
    tickAfter(100);
    expect(stream.state).toBe("open");
    tickAfter(200);
    expect(stream.state).toBe("aborted");
  });

  test("ends idle sessions, which it checks every five seconds", async () => {
    const { endpoint, post, start, tickAfter } = opened();
    await start();
    await post(initialize());
    expect(endpoint.counts().sessions).toBe(2);
    tickAfter(5999);
    expect(endpoint.counts().sessions).toBe(2);
    tickAfter(4999);
    expect(endpoint.counts().sessions).toBe(2);
    tickAfter(1);
    expect(endpoint.counts().sessions).toBe(1);
    tickAfter(15_000);
    expect(endpoint.counts().sessions).toBe(0);
  });
});

test("ends standing streams at once with the server, and sessions after their work", async () => {
  const { endpoint, post, get, start, works } = open();
  const session = await start();
  const standing = await get(session);
  const response = await post(WORK(1), session);
  await vi.waitFor(() => expect(works).toHaveLength(1), 30_000);
  const closed = endpoint.close(60_000);
  expect([standing.state, endpoint.counts()]).toEqual(["ended", { sessions: 1, streams: 0, running: 1 }]);
  works[0]?.done("ok");
  await closed;
  expect([response.response?.[2], endpoint.counts().sessions]).toEqual([expect.stringContaining('"text":"ok"'), 0]);
});
