import { expect, test } from "vitest";
import { KeyedQueue } from "../src/index.ts";

test("runs work with the same key one after another, and other keys side by side", async () => {
  const queue = new KeyedQueue();
  const steps: string[] = [];
  const first = Promise.withResolvers<void>();
  const slow = queue.run("a", async () => {
    steps.push("a1 starts");
    await first.promise;
    steps.push("a1 ends");
  });
  const next = queue.run("a", () => void steps.push("a2"));
  await queue.run("b", () => void steps.push("b"));
  first.resolve();
  await Promise.all([slow, next]);
  expect(steps).toEqual(["a1 starts", "b", "a1 ends", "a2"]);
  expect(queue.size).toBe(0);
});

test("continues after failed work", async () => {
  const queue = new KeyedQueue();
  const failed = queue.run("a", () => Promise.reject(new Error("broken")));
  const next = queue.run("a", () => "done");
  await expect(failed).rejects.toThrow("broken");
  await expect(next).resolves.toBe("done");
});

test("keeps the order when waiting work is aborted", async () => {
  const queue = new KeyedQueue();
  const first = Promise.withResolvers<void>();
  const steps: string[] = [];
  const abort = new AbortController();
  const slow = queue.run("a", () => first.promise.then(() => void steps.push("first")));
  const aborted = queue.run("a", () => void steps.push("aborted"), abort.signal);
  const last = queue.run("a", () => void steps.push("last"));
  abort.abort(new Error("no longer wanted"));
  await expect(aborted).rejects.toThrow("no longer wanted");
  expect(steps).toEqual([]);
  first.resolve();
  await Promise.all([slow, last]);
  expect(steps).toEqual(["first", "last"]);
});

test("does not start work whose signal has aborted", async () => {
  const queue = new KeyedQueue();
  const first = Promise.withResolvers<void>();
  const slow = queue.run("a", () => first.promise);
  const aborted = queue.run("a", () => "started", AbortSignal.abort(new Error("too late")));
  await expect(aborted).rejects.toThrow("too late");
  first.resolve();
  await slow;
});
