// Event streams: what is written when, to clients that read, read slowly, disconnect and come back.
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { EventStream } from "../../../src/transports/http/event-stream.ts";
import { DEFAULT_HTTP_LIMITS } from "../../../src/transports/http/http-limits.ts";
import { RecordedExchange } from "../../support/recorded-exchange.ts";

const event = (text: string, id?: string): string => `${id === undefined ? "" : `id: ${id}\n`}event: message\ndata: ${text}\n\n`;

const add = (stream: EventStream, ...texts: string[]): void => {
  for (const text of texts) stream.append(text);
  stream.flush();
};

const connect = (stream: EventStream, ...how: [first?: (id: string) => string, after?: number]): RecordedExchange => {
  const client = new RecordedExchange();
  stream.connect(client, ...how);
  return client;
};

test("gives an event an id only in a stream with a key, and no line separators", () => {
  const [keyed, plain] = [new EventStream({ key: 7 }), new EventStream()];
  expect([keyed.key, plain.key]).toEqual([7, undefined]);
  expect([keyed.append("a"), keyed.append('"b\u2028"'), plain.append("c")]).toEqual([
    event("a", "7-1").length,
    event('"b\\u2028"', "7-2").length,
    event("c").length,
  ]);
  expect([keyed.takeAll(), plain.takeAll()]).toEqual([event("a", "7-1") + event('"b\\u2028"', "7-2"), event("c")]);
});

test("queues events for a client, and writes them in one piece", () => {
  const stream = new EventStream({ key: 1 });
  expect([stream.isEmpty, stream.isAllWritten, stream.isOldestWritten, stream.isConnected]).toEqual([true, true, false, false]);
  add(stream, "a", "b");
  expect([stream.isEmpty, stream.isAllWritten, stream.isOldestWritten]).toEqual([false, false, false]);
  const client = connect(stream);
  expect(client.written).toEqual([event("a", "1-1") + event("b", "1-2")]);
  expect([stream.isAllWritten, stream.isOldestWritten, stream.isConnected, stream.isBlocked]).toEqual([true, true, true, false]);
  expect(client.streamHeaders).toEqual([
    "Content-Type",
    "text/event-stream",
    "Cache-Control",
    "no-cache, no-transform",
    "X-Accel-Buffering",
    "no",
  ]);
  stream.flush();
  add(stream, "c");
  expect(client.written.slice(1)).toEqual([event("c", "1-3")]);
});

test("writes nothing to a connection without an event, and the first event before others", () => {
  expect(connect(new EventStream({ key: 1 })).written).toEqual([]);
  expect(connect(new EventStream({ key: 1 }), (id) => `first ${id}\n`).written).toEqual(["first 1-0\n"]);
  const stream = new EventStream({ key: 1 });
  add(stream, "a");
  expect(connect(stream, (id) => `first ${id}\n`).written).toEqual([`first 1-0\n${event("a", "1-1")}`]);
  expect(connect(stream, (id) => `first ${id}\n`).written).toEqual(["first 1-1\n"]);
});

describe("the end", () => {
  test("writes the last events and ends the connection", () => {
    const readers = { count: 0 };
    const stream = new EventStream({ key: 1, readers });
    const client = connect(stream);
    expect(readers.count).toBe(1);
    stream.append("a");
    stream.complete();
    expect([client.written, client.state]).toEqual([[event("a", "1-1")], "ended"]);
    expect([stream.isComplete, stream.isConnected, readers.count]).toEqual([true, false, 0]);
  });

  test("is written whole to a slow client", () => {
    const stream = new EventStream({ maxPending: 5 });
    const client = connect(stream);
    client.isSlow = true;
    add(stream, "a");
    stream.append("bcdefgh");
    stream.complete();
    expect([client.written, client.state]).toEqual([[event("a"), event("bcdefgh")], "ended"]);
  });

  test("reaches a client that connects later, and no event follows it", () => {
    const stream = new EventStream({ key: 1 });
    add(stream, "a", "b");
    expect(stream.endsWith(2)).toBe(false);
    stream.complete();
    expect([1, 2, 3].map((number) => stream.endsWith(number))).toEqual([false, true, false]);
    const client = connect(stream);
    expect([client.written, client.state]).toEqual([[event("a", "1-1") + event("b", "1-2")], "ended"]);
  });
});

describe("a slow client", () => {
  const slowClient = (options: { maxPending?: number; key?: number }) => {
    const stream = new EventStream(options);
    const client = connect(stream);
    client.isSlow = true;
    add(stream, "a");
    return { stream, client };
  };

  test("gets later events when it reads again", () => {
    const { stream, client } = slowClient({ key: 1 });
    expect(stream.isBlocked).toBe(true);
    add(stream, "b", "c");
    stream.keepAlive();
    expect([client.written, stream.isAllWritten]).toEqual([[event("a", "1-1")], false]);
    client.drain();
    expect(client.written.slice(1)).toEqual([event("b", "1-2") + event("c", "1-3")]);
    expect([stream.isBlocked, stream.isConnected]).toEqual([false, true]);
  });

  test("is aborted when more than the limit waits for it", () => {
    const size = event("b").length;
    const { stream, client } = slowClient({ maxPending: 2 * size });
    let lost = 0;
    stream.listener = { disconnected: () => (lost += 1) };
    add(stream, "b", "c");
    expect([client.state, lost]).toEqual(["open", 0]);
    add(stream, "d");
    expect([client.state, lost, stream.isConnected]).toEqual(["aborted", 1, false]);
    expect(client.written).toEqual([event("a")]);
  });

  test("is not aborted for events that it has read", () => {
    const { stream, client } = slowClient({ maxPending: event("b").length });
    for (const text of "bcd") {
      add(stream, text);
      client.drain();
      client.isSlow = true;
    }
    expect([client.state, client.written]).toEqual(["open", ["a", "b", "c", "d"].map((text) => event(text))]);
  });

  test("may have any number of waiting events where they are kept", () => {
    const { stream, client } = slowClient({ key: 1 });
    add(stream, "b".repeat(10_000));
    expect(client.state).toBe("open");
  });

  test("begins afresh on a new connection", () => {
    const { stream, client } = slowClient({ key: 1 });
    add(stream, "b");
    const next = connect(stream);
    expect([client.state, stream.isBlocked, next.written]).toEqual(["ended", false, [event("b", "1-2")]]);
  });
});

test("writes kept events again after any of them, and forgets others", () => {
  const kept = new EventStream({ key: 1 });
  const first = connect(kept);
  add(kept, "a", "b", "c");
  expect(connect(kept, undefined, 1).written).toEqual([event("b", "1-2") + event("c", "1-3")]);
  expect(first.state).toBe("ended");
  expect(connect(kept, undefined, 3).written).toEqual([]);
  expect(connect(kept, (id) => `after ${id}\n`, 0).written).toEqual([
    `after 1-0\n${event("a", "1-1")}${event("b", "1-2")}${event("c", "1-3")}`,
  ]);

  const forgotten = new EventStream({ maxPending: 1000 });
  connect(forgotten);
  add(forgotten, "a", "b");
  expect([forgotten.isEmpty, forgotten.takeAll()]).toEqual([true, ""]);
  const next = connect(forgotten);
  add(forgotten, "c");
  expect(next.written).toEqual([event("c")]);
});

test("resumes after each kept event, and after the last one that was dropped", () => {
  const stream = new EventStream({ key: 1 });
  add(stream, "a", "b", "c");
  const resumable = (): number[] => [0, 1, 2, 3, 4].filter((number) => stream.canResumeAfter(number));
  expect(resumable()).toEqual([0, 1, 2, 3]);
  expect(stream.dropOldest()).toBe(event("a", "1-1").length);
  expect(resumable()).toEqual([1, 2, 3]);
  expect(connect(stream).written).toEqual([event("b", "1-2") + event("c", "1-3")]);
});

describe("the oldest event", () => {
  test("is dropped once it is written, and the client stays", () => {
    const stream = new EventStream({ key: 1 });
    const client = connect(stream);
    add(stream, "a", "b");
    expect([stream.dropOldest(), stream.dropOldest(), stream.dropOldest()]).toEqual([
      event("a", "1-1").length,
      event("b", "1-2").length,
      0,
    ]);
    expect([client.state, stream.isEmpty, stream.isOldestWritten]).toEqual(["open", true, false]);
    add(stream, "c");
    expect(client.written.at(-1)).toBe(event("c", "1-3"));
  });

  test("is not dropped silently for a client that waits for it", () => {
    const stream = new EventStream({ key: 1 });
    const client = connect(stream);
    client.isSlow = true;
    add(stream, "a");
    add(stream, "b");
    stream.dropOldest();
    expect(client.state).toBe("open");
    let lost = 0;
    stream.listener = { disconnected: () => (lost += 1) };
    stream.dropOldest();
    expect([client.state, lost, stream.isConnected]).toEqual(["aborted", 1, false]);
  });
});

describe("a connection", () => {
  test("is lost when the client closes it, and its stream stays", () => {
    const readers = { count: 0 };
    const stream = new EventStream({ key: 1, readers });
    let lost = 0;
    stream.listener = { disconnected: () => (lost += 1) };
    const client = connect(stream);
    client.close();
    expect([lost, stream.isConnected, readers.count]).toEqual([1, false, 0]);
    add(stream, "a");
    expect(client.written).toEqual([]);
    expect(connect(stream).written).toEqual([event("a", "1-1")]);
  });

  test("no longer counts when another one replaced it", () => {
    const readers = { count: 0 };
    const stream = new EventStream({ key: 1, readers });
    let lost = 0;
    stream.listener = { disconnected: () => (lost += 1) };
    const [old, current] = [connect(stream), connect(stream)];
    expect([old.state, readers.count]).toEqual(["ended", 1]);
    old.close();
    expect([lost, stream.isConnected, readers.count, current.state]).toEqual([0, true, 1, "open"]);
  });

  test("is not lost when the server ends it", () => {
    const stream = new EventStream({ key: 1 });
    let lost = 0;
    stream.listener = { disconnected: () => (lost += 1) };
    const client = connect(stream);
    stream.disconnect();
    expect([client.state, stream.isConnected, lost]).toEqual(["ended", false, 0]);
    stream.disconnect();
    stream.abort();
    stream.keepAlive();
    expect([client.state, client.written, lost]).toEqual(["ended", [], 0]);
  });
});

describe("the clock", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["performance"] }));
  afterEach(() => void vi.useRealTimers());
  const limits = { ...DEFAULT_HTTP_LIMITS, keepAliveMs: 100, stalledMs: 300 };

  const tickAfter = (stream: EventStream, ms: number): void => {
    vi.advanceTimersByTime(ms);
    stream.tick(performance.now(), limits);
  };

  test("keeps an idle connection alive, counted from the last write", () => {
    vi.advanceTimersByTime(1000);
    const stream = new EventStream({ key: 1 });
    const client = connect(stream);
    tickAfter(stream, 99);
    expect(client.written).toEqual([]);
    tickAfter(stream, 1);
    expect(client.written).toEqual([":\n\n"]);
    tickAfter(stream, 60);
    add(stream, "a");
    tickAfter(stream, 99);
    expect(client.written.slice(1)).toEqual([event("a", "1-1")]);
    tickAfter(stream, 1);
    expect(client.written.slice(2)).toEqual([":\n\n"]);
  });

  test("aborts a client that has read nothing for a while, without comments before", () => {
    const stream = new EventStream({ key: 1 });
    vi.advanceTimersByTime(1000);
    const client = connect(stream);
    client.isSlow = true;
    add(stream, "a");
    tickAfter(stream, 299);
    expect([client.state, client.written]).toEqual(["open", [event("a", "1-1")]]);
    tickAfter(stream, 1);
    expect([client.state, stream.isConnected]).toEqual(["aborted", false]);
    tickAfter(stream, 1000);
    expect(client.written).toHaveLength(1);
  });
});
