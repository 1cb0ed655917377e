// The response to one POST of a session: when it is a body, when a stream, and what a lost connection leaves to resume.
import { expect, test } from "vitest";
import { gaugeServer } from "../../../support/gauge.ts";
import { RecordedExchange } from "../../../support/recorded-exchange.ts";
import { Runtime } from "../../../../src/runtime/runtime.ts";
import { primingEvent } from "../../../../src/transports/http/event-stream.ts";
import { DEFAULT_HTTP_LIMITS } from "../../../../src/transports/http/http-limits.ts";
import { EVENT_STREAM_HEADERS, JSON_HEADERS } from "../../../../src/transports/http/responses.ts";
import { HttpReply } from "../../../../src/transports/http/http-reply.ts";
import type { SessionReply } from "../../../../src/transports/http/session/http-session.ts";
import { SessionStore } from "../../../../src/transports/http/session/session-store.ts";

const event = (id: string, text: string): string => `id: ${id}\nevent: message\ndata: ${text}\n\n`;
const priming = (id: string): string => primingEvent(id, DEFAULT_HTTP_LIMITS.retryMs);

function open({ alwaysStreams = false, hasPriming = true } = {}) {
  const store = new SessionStore(new Runtime(gaugeServer()), DEFAULT_HTTP_LIMITS);
  const session = store.create(undefined);
  const revision = hasPriming ? "2025-11-25" : "2025-06-18";
  session.connection.open({ protocolVersion: revision, capabilities: {}, clientInfo: { name: "tester", version: "1" } });
  session.lastUsedAt = 0;
  const exchange = new RecordedExchange();
  const reply: SessionReply = new HttpReply(exchange, session, undefined, alwaysStreams);
  return { session, exchange, waiting: store.replies, reply, isSilent: () => reply.isSilent(Infinity, 0) };
}

test("sends a synchronous response as one body, and marks the session as used", () => {
  const { exchange, reply, waiting, session } = open();
  reply.complete("1");
  reply.wait();
  reply.complete("2");
  reply.notify("3");
  expect(exchange.response).toEqual([200, JSON_HEADERS, "1"]);
  expect([waiting.size, exchange.state, [...session.streams].length]).toEqual([0, "none", 1]);
  expect(session.lastUsedAt).toBeGreaterThan(0);
});

test("sends a later response as one body too", () => {
  const { exchange, reply, waiting } = open();
  reply.wait();
  expect([...waiting]).toEqual([reply]);
  reply.complete("1");
  expect([exchange.response?.[2], waiting.size]).toEqual(["1", 0]);
});

test("starts a stream with a message before the response", () => {
  const { exchange, reply, isSilent, session } = open();
  reply.wait();
  expect(isSilent()).toBe(true);
  reply.notify("1");
  expect([isSilent(), session.streams.connectedCount]).toEqual([false, 1]);
  expect(exchange.written).toEqual([priming("1-0"), event("1-1", "1")]);
  reply.startStream();
  reply.complete("2");
  expect([exchange.written.slice(2), exchange.state, [...session.streams].length]).toEqual([[event("1-2", "2")], "ended", 2]);
});

test("does not count a stream that began before the request waits as silent", () => {
  const { reply, isSilent } = open({ hasPriming: false });
  reply.notify("1");
  reply.wait();
  expect(isSilent()).toBe(false);
});

test("starts a stream for a request with a progress token in any case", () => {
  const early = open({ alwaysStreams: true });
  early.reply.complete("1");
  expect(early.exchange.response).toEqual([200, EVENT_STREAM_HEADERS, priming("1-0") + event("1-1", "1")]);
  expect(early.session.streams.get(1)?.isComplete).toBe(true);

  const late = open({ alwaysStreams: true });
  late.reply.wait();
  expect([late.isSilent(), late.exchange.written]).toEqual([false, [priming("1-0")]]);
  late.reply.complete("1");
  expect([late.exchange.written.slice(1), late.exchange.state]).toEqual([[event("1-1", "1")], "ended"]);
});

test("sends an empty stream for a cancelled request", () => {
  const { exchange, reply } = open();
  reply.complete(undefined);
  expect(exchange.response).toEqual([200, EVENT_STREAM_HEADERS, undefined]);
  const streaming = open();
  streaming.reply.notify("1");
  streaming.reply.complete(undefined);
  expect([streaming.exchange.written.length, streaming.exchange.state]).toEqual([2, "ended"]);
});

test("sends no response on a lost connection, and keeps the messages of a stream", () => {
  const silent = open();
  silent.reply.wait();
  silent.exchange.close();
  expect(silent.isSilent()).toBe(false);
  silent.reply.complete("1");
  expect([silent.exchange.response, [...silent.session.streams].length]).toEqual([undefined, 1]);

  const { exchange, reply, session } = open();
  reply.wait();
  exchange.close();
  reply.notify("1");
  expect([exchange.state, session.streams.connectedCount]).toEqual(["none", 0]);
  reply.complete("2");
  const again = new RecordedExchange();
  session.streams.get(1)?.connect(again, undefined, 0);
  expect([again.written, again.state]).toEqual([[event("1-1", "1") + event("1-2", "2")], "ended"]);
});

test.each([
  [-32_600, 400],
  [-32_603, 500],
])("sends a refusal with the code %i as the status %i", (code, status) => {
  const { exchange, reply, waiting } = open();
  reply.refuse({ code, message: "No." });
  reply.wait();
  reply.complete("1");
  expect(exchange.response).toEqual([status, JSON_HEADERS, `{"jsonrpc":"2.0","error":{"code":${code},"message":"No."}}`]);
  expect(waiting.size).toBe(0);
});
