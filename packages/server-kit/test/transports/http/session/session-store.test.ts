// The sessions of a server: who finds them, how many there may be, and when they end.
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { gaugeServer } from "../../../support/gauge.ts";
import { initialize, READY } from "../../../support/http-talk.ts";
import { RecordedExchange } from "../../../support/recorded-exchange.ts";
import { parseMessage } from "../../../../src/runtime/classify.ts";
import { Runtime } from "../../../../src/runtime/runtime.ts";
import { DEFAULT_HTTP_LIMITS } from "../../../../src/transports/http/http-limits.ts";
import type { HttpSession } from "../../../../src/transports/http/session/http-session.ts";
import { SessionStore } from "../../../../src/transports/http/session/session-store.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["performance"] }));
afterEach(() => void vi.useRealTimers());

function open() {
  const runtime = new Runtime(gaugeServer());
  const store = new SessionStore(runtime, { ...DEFAULT_HTTP_LIMITS, sessions: 2, idleMs: 1000, unreadyMs: 100 });
  const add = (principal?: string): HttpSession => {
    const session = store.create(principal);
    store.add(session);
    return session;
  };
  /** Passes a message to a session and returns the response. */
  const send = ({ connection }: HttpSession, message: unknown): string | undefined => {
    let response: string | undefined;
    connection.handle(parseMessage(JSON.stringify(message), runtime.limits), {
      notify: () => undefined,
      complete: (text) => void (response = text),
      refuse: ({ message: why }) => void (response = why),
    });
    return response;
  };
  const addReady = (principal?: string): HttpSession => {
    const session = add(principal);
    expect(send(session, initialize())).toContain('"result"');
    send(session, READY);
    expect(session.connection.ready).toBe(true);
    return session;
  };
  return { store, add, addReady };
}

test("finds an added session by its id and the principal that opened it", () => {
  const { store } = open();
  const session = store.create("ann");
  expect([[...store].length, store.find(session.id, "ann")]).toEqual([0, undefined]);
  store.add(session);
  expect([[...store].length, store.find(session.id, "ann"), [...store]]).toEqual([1, session, [session]]);
  expect([store.find(session.id, "ben"), store.find(session.id, undefined), store.find("other", "ann")]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

test("refuses sessions at its limit, and accepts one again when a session ends", () => {
  const { store, add } = open();
  const first = add();
  expect(store.isFull).toBe(false);
  expect(add().id).not.toBe(first.id);
  expect(store.isFull).toBe(true);
  store.end(first);
  expect([store.isFull, store.find(first.id, undefined)]).toEqual([false, undefined]);
});

test("ends the streams of an ended session, and ignores a second end", () => {
  const { store, add } = open();
  const session = add();
  const client = new RecordedExchange();
  session.streams.standing.connect(client);
  store.end(session);
  expect([client.state, session.streams.connectedCount]).toEqual(["ended", 0]);
  const again = new RecordedExchange();
  session.streams.standing.connect(again);
  store.end(session);
  expect(again.state).toBe("open");
});

test("sends messages without a request to the standing stream, and reports whether a client reads them", () => {
  const { add } = open();
  const session = add();
  session.streams.send(session.streams.standing, "1");
  const client = new RecordedExchange();
  session.streams.standing.connect(client);
  expect(client.written.join("")).toContain("data: 1\n");
});

test("ends a session without requests after the idle time, counted from its last use", () => {
  const { store, addReady } = open();
  const [used, idle] = [addReady(), addReady()];
  vi.advanceTimersByTime(999);
  store.endIdle(performance.now());
  expect([...store].length).toBe(2);
  store.find(used.id, undefined);
  vi.advanceTimersByTime(1);
  store.endIdle(performance.now());
  expect([...store]).toEqual([used]);
  expect(store.find(idle.id, undefined)).toBeUndefined();
  vi.advanceTimersByTime(998);
  store.endIdle(performance.now());
  expect([...store].length).toBe(1);
  vi.advanceTimersByTime(1);
  store.endIdle(performance.now());
  expect([...store].length).toBe(0);
});

test("ends a session earlier whose client is not ready", () => {
  const { store, add } = open();
  add();
  vi.advanceTimersByTime(99);
  store.endIdle(performance.now());
  expect([...store].length).toBe(1);
  vi.advanceTimersByTime(1);
  store.endIdle(performance.now());
  expect([...store].length).toBe(0);
});

test("keeps a session with a stream", () => {
  const { store, addReady } = open();
  const session = addReady();
  const client = new RecordedExchange();
  session.streams.standing.connect(client);
  vi.advanceTimersByTime(5000);
  store.endIdle(performance.now());
  expect([[...store].length, session.lastUsedAt]).toEqual([1, performance.now()]);
  client.close();
  vi.advanceTimersByTime(999);
  store.endIdle(performance.now());
  expect([...store].length).toBe(1);
  vi.advanceTimersByTime(1);
  store.endIdle(performance.now());
  expect([...store].length).toBe(0);
});
