// The streams of one session: their keys, and which events are dropped when there are too many.
import { describe, expect, test } from "vitest";
import type { EventStream } from "../../../../src/transports/http/event-stream.ts";
import { DEFAULT_HTTP_LIMITS } from "../../../../src/transports/http/http-limits.ts";
import { EventBudget } from "../../../../src/transports/http/session/event-budget.ts";
import { SessionStreams } from "../../../../src/transports/http/session/session-streams.ts";
import { RecordedExchange } from "../../../support/recorded-exchange.ts";

const open = (eventBytes = 1_000_000, budget = new EventBudget(1_000_000)): SessionStreams =>
  new SessionStreams({ ...DEFAULT_HTTP_LIMITS, eventBytes }, budget);

const connect = (stream: EventStream): RecordedExchange => {
  const client = new RecordedExchange();
  stream.connect(client);
  return client;
};

/** The texts that a stream keeps. */
const keptBy = (stream: EventStream): string[] => [...stream.takeAll().matchAll(/^data: (.*)$/gm)].map(([, text = ""]) => text);

/** An event with a text of one character and a key of one digit. */
const EVENT_SIZE = "id: 1-1\nevent: message\ndata: a\n\n".length;

test("numbers streams, and gives the standing stream the key 0", () => {
  const streams = open();
  expect([[...streams].length, streams.get(0), streams.get(1)]).toEqual([1, streams.standing, undefined]);
  const [a, b] = [streams.open(), streams.open()];
  expect([a.key, b.key, streams.standing.key]).toEqual([1, 2, 0]);
  expect([[...streams].length, streams.get(1), streams.get(2), streams.get(3)]).toEqual([3, a, b, undefined]);
  expect([...streams]).toEqual([streams.standing, a, b]);
});

test("counts connected clients of all streams", () => {
  const streams = open();
  const a = streams.open();
  connect(streams.standing);
  const client = connect(a);
  expect(streams.connectedCount).toBe(2);
  client.close();
  expect(streams.connectedCount).toBe(1);
});

test("writes events at once and keeps them", () => {
  const streams = open();
  const a = streams.open();
  const client = connect(a);
  streams.send(a, "1");
  streams.send(streams.standing, "2");
  expect([client.written.length, streams.eventCount, keptBy(a), keptBy(streams.standing)]).toEqual([1, 2, ["1"], ["2"]]);
});

describe("beyond the limit of a session", () => {
  test("drops the oldest written event before older ones that no client has received", () => {
    const streams = open(3 * EVENT_SIZE);
    const [unread, read] = [streams.open(), streams.open()];
    connect(read);
    streams.send(unread, "a");
    for (const text of "bc") streams.send(read, text);
    expect([streams.eventCount, keptBy(read)]).toEqual([3, ["b", "c"]]);
    streams.send(read, "d");
    expect([streams.eventCount, keptBy(read)]).toEqual([3, ["c", "d"]]);
    expect(unread.isEmpty).toBe(false);
  });

  test("drops the oldest event when no client has received any", () => {
    const streams = open(2 * EVENT_SIZE);
    const [a, b] = [streams.open(), streams.open()];
    streams.send(a, "1");
    streams.send(b, "2");
    streams.send(b, "3");
    expect([streams.eventCount, a.isEmpty, keptBy(b)]).toEqual([2, true, ["2", "3"]]);
  });

  test("keeps a single event, however long it is", () => {
    const streams = open(10);
    streams.send(streams.standing, "1");
    expect(streams.eventCount).toBe(1);
    streams.send(streams.standing, "2");
    expect([streams.eventCount, keptBy(streams.standing)]).toEqual([1, ["2"]]);
  });

  test("reuses the space of dropped events", () => {
    const streams = open(2 * EVENT_SIZE);
    connect(streams.standing);
    for (const text of "12345678") {
      streams.send(streams.standing, text);
      expect(streams.eventCount).toBe(Math.min(2, Number(text)));
    }
  });
});

test("shares the budget among events of all sessions, and returns a closed session's part", () => {
  const budget = new EventBudget(2 * EVENT_SIZE);
  const [a, b] = [open(undefined, budget), open(undefined, budget)];
  a.send(a.standing, "1");
  b.send(b.standing, "2");
  expect([a.eventCount, b.eventCount]).toEqual([1, 1]);
  b.send(b.standing, "3");
  expect([a.eventCount, b.eventCount]).toEqual([0, 2]);
  b.close();
  a.send(a.standing, "4");
  a.send(a.standing, "5");
  expect([a.eventCount, b.eventCount]).toEqual([2, 0]);
  a.send(a.standing, "6");
  expect(a.eventCount).toBe(2);
});

describe("a complete stream", () => {
  test("ends with its response and is kept until its events are dropped", () => {
    const streams = open(2 * EVENT_SIZE);
    const a = streams.open();
    const client = connect(a);
    streams.send(a, "1");
    streams.complete(a, "2");
    expect([client.state, client.written.length, streams.get(1), streams.isForgotten(1)]).toEqual(["ended", 2, a, false]);
    streams.send(streams.standing, "3");
    expect([streams.get(1), keptBy(a)]).toEqual([a, ["2"]]);
    streams.send(streams.standing, "4");
    expect([streams.get(1), streams.isForgotten(1), [...streams].length]).toEqual([undefined, true, 1]);
    expect([streams.isForgotten(0), streams.isForgotten(2)]).toEqual([false, false]);
  });

  test("of a cancelled request ends without a response and is forgotten", () => {
    const streams = open();
    const [a, b] = [streams.open(), streams.open()];
    const client = connect(a);
    streams.complete(a, undefined);
    expect([client.state, client.written, streams.get(1), streams.isForgotten(1)]).toEqual(["ended", [], undefined, true]);
    streams.send(b, "1");
    streams.complete(b, undefined);
    expect([b.isComplete, streams.get(2)]).toEqual([true, b]);
  });

  test("is sent as one text and can be read again when it has only its response", () => {
    const streams = open();
    expect(streams.completeAtOnce("a", (id) => `first ${id}\n`)).toBe("first 1-0\nid: 1-1\nevent: message\ndata: a\n\n");
    expect(streams.completeAtOnce("b", undefined)).toBe("id: 2-1\nevent: message\ndata: b\n\n");
    const again = new RecordedExchange();
    streams.get(1)?.connect(again, undefined, 0);
    expect([again.written, again.state]).toEqual([["id: 1-1\nevent: message\ndata: a\n\n"], "ended"]);
  });

  test("is one of a hundred: the oldest that its client has received is dropped first", () => {
    const streams = open();
    const unread = streams.open();
    streams.complete(unread, "unread");
    for (let count = 1; count < 100; count += 1) streams.completeAtOnce("read", undefined);
    expect([[...streams].length, streams.eventCount, streams.get(2)?.isAllWritten]).toEqual([101, 100, true]);
    streams.completeAtOnce("read", undefined);
    expect([streams.get(1), streams.get(2), streams.isForgotten(2), [...streams].length]).toEqual([unread, undefined, true, 101]);
    expect(streams.get(3)).toBeDefined();
  });

  test("is dropped without being received if no other is left", () => {
    const streams = open();
    const all = Array.from({ length: 101 }, () => streams.open());
    for (const stream of all.slice(1)) streams.complete(stream, "unread");
    streams.send(all[0]!, "1");
    streams.send(all[0]!, "2");
    expect(streams.eventCount).toBe(102);
    streams.complete(all[0]!, "3");
    expect([streams.get(2), streams.get(1), streams.eventCount]).toEqual([undefined, all[0], 102]);
  });
});

test("has no clients, streams and events after its session closed", () => {
  const streams = open();
  const a = streams.open();
  const clients = [connect(a), connect(streams.standing)];
  streams.send(a, "1");
  streams.close();
  expect(clients.map(({ state }) => state)).toEqual(["ended", "ended"]);
  expect([[...streams].length, streams.eventCount, streams.connectedCount]).toEqual([1, 0, 0]);
});
