// The response to one stateless request: when it is a body, when a stream, and what a lost connection changes.
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { defineServer } from "../../../../src/index.ts";
import type { Auth } from "../../../../src/protocol/auth.ts";
import { Runtime } from "../../../../src/runtime/runtime.ts";
import { DEFAULT_HTTP_LIMITS, type HttpLimits } from "../../../../src/transports/http/http-limits.ts";
import { EVENT_STREAM_HEADERS, JSON_HEADERS } from "../../../../src/transports/http/responses.ts";
import { HttpReply } from "../../../../src/transports/http/http-reply.ts";
import { StatelessEndpoint, type StatelessReply } from "../../../../src/transports/http/stateless/stateless-endpoint.ts";
import { RecordedExchange } from "../../../support/recorded-exchange.ts";

const event = (text: string): string => `event: message\ndata: ${text}\n\n`;

/** A reply, whether it is still open, and how often its request was cancelled. */
function open(limits: Partial<HttpLimits> = {}) {
  const exchange = new RecordedExchange();
  const auth: Auth = { principal: "ann", scopes: [], claims: {} };
  const runtime = new Runtime(defineServer({ name: "shop", version: "1.0.0" }));
  const host = new StatelessEndpoint(runtime, { ...DEFAULT_HTTP_LIMITS, ...limits });
  const cancel = vi.spyOn(host, "cancel");
  const reply: StatelessReply = new HttpReply(exchange, host, auth);
  const state = (): unknown => ({ isOpen: host.open.has(reply), cancelled: cancel.mock.calls.length });
  expect([reply.auth, reply.isAnswered, reply.stream]).toEqual([auth, false, undefined]);
  return { exchange, reply, host, state, isStreaming: () => reply.stream !== undefined };
}

test.each([
  [undefined, 200],
  [-32_601, 404],
  [-32_020, 400],
  [-32_021, 400],
  [-32_022, 400],
  [429, 429],
  [-32_602, 200],
])("sends a response with the error code %s as one body with the status %i", (code, status) => {
  const { exchange, reply, isStreaming } = open();
  reply.complete("{}", code);
  expect(exchange.response).toEqual([status, JSON_HEADERS, "{}"]);
  expect([reply.isAnswered, isStreaming()]).toEqual([true, false]);
});

test("sends an empty stream for a cancelled request", () => {
  const { exchange, reply } = open();
  reply.complete(undefined);
  expect(exchange.response).toEqual([200, EVENT_STREAM_HEADERS, undefined]);
});

test("starts a stream with messages before the response, and ends it with the response", () => {
  const { exchange, reply, state, isStreaming } = open();
  reply.notify("1");
  reply.wait();
  reply.notify("2");
  expect([isStreaming(), exchange.written, exchange.state]).toEqual([true, [event("1"), event("2")], "open"]);
  reply.complete("3", -32_601);
  expect([exchange.written.slice(2), exchange.state, state()]).toEqual([[event("3")], "ended", { isOpen: false, cancelled: 0 }]);
});

test("ends the stream of a cancelled request without a response", () => {
  const { exchange, reply } = open();
  reply.startStream();
  reply.complete(undefined);
  expect([exchange.written, exchange.state]).toEqual([[], "ended"]);
});

test("sends nothing after the response, and does not report a later close as a lost connection", () => {
  const { exchange, reply, state } = open();
  reply.wait();
  reply.complete("1");
  reply.complete("2");
  reply.notify("3");
  exchange.close();
  expect([exchange.response?.[2], exchange.state, state()]).toEqual(["1", "none", { isOpen: false, cancelled: 0 }]);
});

test("sends a refused request a body with the error", () => {
  const { exchange, reply, state } = open();
  reply.wait();
  reply.refuse({ code: -32_600, message: "Bad." });
  expect(exchange.response).toEqual([400, JSON_HEADERS, '{"jsonrpc":"2.0","error":{"code":-32600,"message":"Bad."}}']);
  reply.complete("1");
  expect([reply.isAnswered, state()]).toEqual([true, { isOpen: false, cancelled: 0 }]);
});

describe("a lost connection", () => {
  test.each([
    ["before a stream", false],
    ["of a stream", true],
  ])("%s is reported once, and nothing is sent after it", (_what, isStream) => {
    const { exchange, reply, state } = open();
    if (isStream) reply.notify("1");
    reply.wait();
    exchange.close();
    exchange.close();
    expect(state()).toEqual({ isOpen: false, cancelled: 1 });
    reply.notify("2");
    reply.complete("3");
    expect([exchange.response, exchange.written.length, reply.isAnswered]).toEqual([undefined, isStream ? 1 : 0, false]);
    expect(state()).toEqual({ isOpen: false, cancelled: 1 });
  });

  test("is reported to a request that begins to wait after it", () => {
    const { exchange, reply, state } = open();
    reply.startStream();
    exchange.close();
    reply.wait();
    expect(state()).toEqual({ isOpen: false, cancelled: 1 });
  });
});

test("aborts a client for which more than 8 MiB wait", () => {
  const { exchange, reply, state } = open();
  reply.wait();
  reply.notify("1");
  exchange.isSlow = true;
  const quarter = "x".repeat(2 * 1024 * 1024 - 50);
  for (let count = 0; count < 5; count += 1) reply.notify(quarter);
  expect([exchange.state, state()]).toEqual(["open", { isOpen: true, cancelled: 0 }]);
  reply.notify("x".repeat(1000));
  expect([exchange.state, state()]).toEqual(["aborted", { isOpen: false, cancelled: 1 }]);
});

describe("the clock", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["performance"] }));
  afterEach(() => void vi.useRealTimers());

  test("turns a slow response into a stream, and keeps it alive", () => {
    vi.advanceTimersByTime(1000);
    const { exchange, reply, host, isStreaming } = open({ silentMs: 200, keepAliveMs: 100 });
    reply.wait();
    const tickAfter = (ms: number): void => {
      vi.advanceTimersByTime(ms);
      host.tick(performance.now());
    };
    tickAfter(199);
    expect([isStreaming(), exchange.state]).toEqual([false, "none"]);
    tickAfter(1);
    expect([isStreaming(), exchange.written]).toEqual([true, [":\n\n"]]);
    tickAfter(99);
    expect(exchange.written).toHaveLength(1);
    tickAfter(1);
    expect(exchange.written).toEqual([":\n\n", ":\n\n"]);
  });
});
