// Watches: one per address, thinned out, and nothing after the end.
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { Subscriptions } from "../../../src/features/resources/subscriptions.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

interface Source {
  start: (changed: () => void) => () => void;
  stop: ReturnType<typeof vi.fn<() => void>>;
  fire(): void;
}

function source(): Source {
  let changed: (() => void) | undefined;
  const stop = vi.fn<() => void>();
  return {
    stop,
    start: (tell) => ((changed = tell), stop),
    fire: () => changed?.(),
  };
}

test("sends the first change at once and a burst as one notification after the quiet time, including its last change", async () => {
  const notify = vi.fn<(uri: string) => void>();
  const subscriptions = new Subscriptions(10, notify);
  const { start, fire } = source();
  await subscriptions.add("a:1", start);
  fire();
  expect(notify).toHaveBeenCalledExactlyOnceWith("a:1");
  for (let at = 0; at < 1000; at++) fire();
  expect(notify).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(100);
  expect(notify).toHaveBeenCalledTimes(2);
  vi.advanceTimersByTime(10_000);
  expect(notify).toHaveBeenCalledTimes(2);
  fire();
  expect(notify).toHaveBeenCalledTimes(3);
});

test("SUB-01 makes a second subscription of a URI wait for the first, and fail with it", async () => {
  const subscriptions = new Subscriptions(10, () => undefined);
  const opening = Promise.withResolvers<() => void>();
  const { start, stop } = source();
  const first = subscriptions.add("a:1", () => opening.promise);
  const second = subscriptions.add("a:1", start);
  opening.reject(new Error("gone"));
  await expect(first).rejects.toThrow("gone");
  await expect(second).rejects.toThrow("gone");
  expect(subscriptions.uris).toEqual([]);
  await subscriptions.add("a:1", start);
  subscriptions.clear();
  expect(stop).toHaveBeenCalledTimes(1);
});

test("throttles each URI separately", async () => {
  const notify = vi.fn<(uri: string) => void>();
  const subscriptions = new Subscriptions(10, notify);
  const sources = [source(), source()];
  for (const [at, { start }] of sources.entries()) await subscriptions.add(`a:${at}`, start);
  for (const { fire } of sources) fire();
  expect(notify.mock.calls).toEqual([["a:0"], ["a:1"]]);
});

describe("after its end", () => {
  test("sends nothing, not even delayed changes, and stops the watch once", async () => {
    const notify = vi.fn<(uri: string) => void>();
    const subscriptions = new Subscriptions(10, notify);
    const { start, fire, stop } = source();
    await subscriptions.add("a:1", start);
    fire();
    fire();
    subscriptions.remove("a:1");
    subscriptions.remove("a:1");
    expect(vi.getTimerCount()).toBe(0);
    fire();
    expect(vi.getTimerCount()).toBe(0);
    vi.advanceTimersByTime(1000);
    expect(notify).toHaveBeenCalledTimes(1);
    expect(stop).toHaveBeenCalledTimes(1);
    expect(subscriptions.uris).toEqual([]);
  });

  test("stops a starting watch as soon as it has started", async () => {
    const subscriptions = new Subscriptions(10, () => undefined);
    const { promise, resolve } = Promise.withResolvers<() => void>();
    const adding = subscriptions.add("a:1", () => promise);
    subscriptions.remove("a:1");
    const stop = vi.fn<() => void>();
    resolve(stop);
    await adding;
    expect(stop).toHaveBeenCalledTimes(1);
  });

  test("keeps the next watch when an earlier start fails late", async () => {
    const notify = vi.fn<(uri: string) => void>();
    const subscriptions = new Subscriptions(10, notify);
    const { promise, reject } = Promise.withResolvers<() => void>();
    const first = subscriptions.add("a:1", () => promise);
    subscriptions.remove("a:1");
    const { start, fire, stop } = source();
    await subscriptions.add("a:1", start);
    reject(new Error("too late"));
    await expect(first).rejects.toThrow("too late");
    fire();
    expect(notify).toHaveBeenCalledTimes(1);
    expect(stop).not.toHaveBeenCalled();
  });

  test("stops all watches even if one throws", async () => {
    const subscriptions = new Subscriptions(10, () => undefined);
    const fine = source();
    await subscriptions.add("a:1", () => () => {
      throw new Error("angry stop");
    });
    await subscriptions.add("a:2", fine.start);
    try {
      subscriptions.clear();
    } catch {
      // Whether it throws does not matter here.
    }
    expect(fine.stop).toHaveBeenCalledTimes(1);
    expect(subscriptions.uris).toEqual([]);
  });
});

test("starts no second watch of a URI", async () => {
  const subscriptions = new Subscriptions(10, () => undefined);
  const start = vi.fn<() => () => void>(() => () => undefined);
  await subscriptions.add("a:1", start);
  await subscriptions.add("a:1", start);
  expect(start).toHaveBeenCalledTimes(1);
});

test("limits subscriptions, and counts no failed one", async () => {
  const subscriptions = new Subscriptions(2, () => undefined);
  const start = () => () => undefined;
  await subscriptions.add("a:1", start);
  for (let time = 0; time < 3; time++) await expect(subscriptions.add("bad", () => Promise.reject(new Error("no")))).rejects.toThrow("no");
  await expect(
    subscriptions.add("worse", () => {
      throw new Error("at once");
    }),
  ).rejects.toThrow("at once");
  await subscriptions.add("a:2", start);
  await expect(subscriptions.add("a:3", start)).rejects.toThrow("At most 2");
  subscriptions.remove("a:1");
  await subscriptions.add("a:3", start);
  expect(subscriptions.uris).toEqual(["a:2", "a:3"]);
});

test("G3 refuses URIs that are too long together, and frees their space when one ends", async () => {
  const subscriptions = new Subscriptions(10, () => undefined);
  const { start } = source();
  const long = (name: string): string => `${name}:${"x".repeat(100_000)}`;
  await subscriptions.add(long("a"), start);
  await subscriptions.add(long("b"), start);
  await expect(subscriptions.add(long("c"), start)).rejects.toThrow("unsubscribe from some");
  expect(subscriptions.uris).toHaveLength(2);
  subscriptions.remove(long("a"));
  await subscriptions.add(long("c"), start);
  expect(subscriptions.uris).toHaveLength(2);
});
