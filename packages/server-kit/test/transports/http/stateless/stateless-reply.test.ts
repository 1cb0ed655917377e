// The response to one stateless request: when it is a body, when a stream, and what a lost connection changes.
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Auth } from "../../../../src/protocol/auth.ts";
import { DEFAULT_HTTP_LIMITS } from "../../../../src/transports/http/http-limits.ts";
import { EVENT_STREAM_HEADERS, JSON_HEADERS } from "../../../../src/transports/http/responses.ts";
import { StatelessReply } from "../../../../src/transports/http/stateless/stateless-reply.ts";
import { RecordedExchange } from "../../../support/recorded-exchange.ts";

const event = (text: string): string => `event: message\ndata: ${text}\n\n`;

/** A reply, and how often each of the two ends was reported. */
function open() {
  const exchange = new RecordedExchange();
  const auth: Auth = { principal: "ann", scopes: [], claims: {} };
  const reply = new StatelessReply(exchange, auth);
  const calls = { done: 0, disconnected: 0 };
  const wait = (): void =>
    reply.wait(
      () => void (calls.done += 1),
      () => void (calls.disconnected += 1),
    );
  expect([reply.auth, reply.isAnswered, reply.isStreaming]).toEqual([auth, false, false]);
  return { exchange, reply, calls, wait };
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
  const { exchange, reply } = open();
  reply.complete("{}", code);
  expect(exchange.response).toEqual([status, JSON_HEADERS, "{}"]);
  expect([reply.isAnswered, reply.isStreaming]).toEqual([true, false]);
});

test("sends an empty stream for a cancelled request", () => {
  const { exchange, reply } = open();
  reply.complete(undefined);
  expect(exchange.response).toEqual([200, EVENT_STREAM_HEADERS, undefined]);
});

test("starts a stream with messages before the response, and ends it with the response", () => {
  const { exchange, reply, calls, wait } = open();
  reply.notify("1");
  wait();
  reply.notify("2");
  expect([reply.isStreaming, exchange.written, exchange.state]).toEqual([true, [event("1"), event("2")], "open"]);
  reply.complete("3", -32_601);
  expect([exchange.written.slice(2), exchange.state, calls]).toEqual([[event("3")], "ended", { done: 1, disconnected: 0 }]);
});

test("ends the stream of a cancelled request without a response", () => {
  const { exchange, reply } = open();
  reply.startStream();
  reply.complete(undefined);
  expect([exchange.written, exchange.state]).toEqual([[], "ended"]);
});

test("sends nothing after the response, and does not report a later close as a lost connection", () => {
  const { exchange, reply, calls, wait } = open();
  wait();
  reply.complete("1");
  reply.complete("2");
  reply.notify("3");
  exchange.close();
  expect([exchange.response?.[2], exchange.state, calls]).toEqual(["1", "none", { done: 1, disconnected: 0 }]);
});

test("sends a refused request a body with the error", () => {
  const { exchange, reply, calls, wait } = open();
  wait();
  reply.refuse({ code: -32_600, message: "Bad." });
  expect(exchange.response).toEqual([400, JSON_HEADERS, '{"jsonrpc":"2.0","error":{"code":-32600,"message":"Bad."}}']);
  reply.complete("1");
  expect([reply.isAnswered, calls]).toEqual([true, { done: 1, disconnected: 0 }]);
});

describe("a lost connection", () => {
  test.each([
    ["before a stream", false],
    ["of a stream", true],
  ])("%s is reported once, and nothing is sent after it", (_what, isStream) => {
    const { exchange, reply, calls, wait } = open();
    if (isStream) reply.notify("1");
    wait();
    exchange.close();
    exchange.close();
    expect(calls).toEqual({ done: 0, disconnected: 1 });
    reply.notify("2");
    reply.complete("3");
    expect([exchange.response, exchange.written.length, reply.isAnswered]).toEqual([undefined, isStream ? 1 : 0, false]);
    expect(calls).toEqual({ done: 0, disconnected: 1 });
  });

  test("is reported to a request that begins to wait after it", () => {
    const { exchange, reply, calls, wait } = open();
    reply.startStream();
    exchange.close();
    wait();
    expect(calls).toEqual({ done: 0, disconnected: 1 });
  });
});

test("aborts a client for which more than 8 MiB wait", () => {
  const { exchange, reply, calls, wait } = open();
  wait();
  reply.notify("1");
  exchange.isSlow = true;
  const quarter = "x".repeat(2 * 1024 * 1024 - 50);
  for (let count = 0; count < 5; count += 1) reply.notify(quarter);
  expect([exchange.state, calls.disconnected]).toEqual(["open", 0]);
  reply.notify("x".repeat(1000));
  expect([exchange.state, calls.disconnected]).toEqual(["aborted", 1]);
});

describe("the clock", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["performance"] }));
  afterEach(() => void vi.useRealTimers());
  const limits = { ...DEFAULT_HTTP_LIMITS, silentMs: 200, keepAliveMs: 100 };

  test("turns a slow response into a stream, and keeps it alive", () => {
    vi.advanceTimersByTime(1000);
    const { exchange, reply } = open();
    const tickAfter = (ms: number): void => {
      vi.advanceTimersByTime(ms);
      reply.tick(performance.now(), limits);
    };
    tickAfter(199);
    expect([reply.isStreaming, exchange.state]).toEqual([false, "none"]);
    tickAfter(1);
    expect([reply.isStreaming, exchange.written]).toEqual([true, [":\n\n"]]);
    tickAfter(99);
    expect(exchange.written).toHaveLength(1);
    tickAfter(1);
    expect(exchange.written).toEqual([":\n\n", ":\n\n"]);
  });
});
