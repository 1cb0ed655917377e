import { expect, test } from "vitest";
import { MessageQueue } from "@oarlock/testing";

test("delivers items in order, to pending and later reads", async () => {
  const queue = new MessageQueue<number>();
  const first = queue.next(1000);
  for (const item of [1, 2, 3]) queue.push(item);
  expect(await first).toBe(1);
  expect(queue.unread).toEqual([2, 3]);
  expect([await queue.next(1000), await queue.next(1000)]).toEqual([2, 3]);
});

test("rejects a read at its deadline, with details", async () => {
  const queue = new MessageQueue<number>(() => "; details");
  await expect(queue.next(10)).rejects.toThrow("No message received: within 10 ms; details");
});

test("rejects pending and later reads after its end, and still delivers received items", async () => {
  const queue = new MessageQueue<number>();
  const pending = queue.next(1000);
  queue.end("closed");
  await expect(pending).rejects.toThrow("No message received: closed");
  queue.push(1);
  expect(await queue.next(1000)).toBe(1);
  await expect(queue.next(1000)).rejects.toThrow("closed");
});
