// The rules of outages: calls end in time, subscribers learn what they may have missed, and everything works again.
import { randomUUID } from "node:crypto";
import { performance } from "node:perf_hooks";
import type { Backplane } from "../../src/backplane.ts";
import { afterEach, expect, test } from "vitest";
import { listen } from "./messages.ts";

/** What a test can do to the engine of a backplane. */
export interface BackplaneFaults {
  /** The engine keeps its connections and answers nothing. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  /** The engine ends without warning. */
  kill(): Promise<void>;
  /** The engine runs again at the same address; if it runs, it is shut down first. It may have lost its data. */
  restart(): Promise<void>;
}

const TTL = { ttlMs: 60_000 };

/** The rule is 1 second. A busy machine takes longer, but a call that hangs takes longer than this. */
const SETTLED_MS = 5000;

export function testOutages(open: () => Promise<Backplane>, faults: () => BackplaneFaults): void {
  const opened: Backplane[] = [];
  const openNode = async (): Promise<Backplane> => {
    const node = await open();
    opened.push(node);
    return node;
  };
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((node) => node.close()));
  });

  test.each([
    ["paused", () => faults().pause(), () => faults().resume()],
    ["killed", () => faults().kill(), () => faults().restart()],
  ] as const)("rejects calls in time while the engine is %s, and works afterwards", async (_title, begin, end) => {
    const node = await openNode();
    expect(node.isUp).toBe(true);
    await node.put(randomUUID(), "", TTL);
    await begin();
    try {
      for (const outcome of await Promise.all(everyCall(node))) {
        expect(outcome.result).toBe("rejected");
        expect(outcome.ms).toBeLessThan(SETTLED_MS);
      }
      await expect.poll(() => node.isUp).toBe(false);
    } finally {
      await end();
    }
    await expectToWork(node);
    await expect.poll(() => node.isUp).toBe(true);
  });

  test.each([
    ["paused", () => faults().pause(), () => faults().resume()],
    ["killed", () => faults().kill(), () => faults().restart()],
  ] as const)("reports missed messages to subscribers after the engine was %s", async (_title, begin, end) => {
    const [node, other] = [await openNode(), await openNode()];
    const topic = randomUUID();
    const subscribers = [await listen(node, topic), await listen(node, topic), await listen(node, randomUUID())];
    await begin();
    await expect.poll(() => node.isUp).toBe(false);
    // Subscriptions that start during an outage work after it.
    subscribers.push(await listen(node, topic), await listen(node, randomUUID()));
    await end();
    for (const { missed } of subscribers) await expect.poll(missed).toBeGreaterThan(0);
    await expectToWork(other);
    await other.publish(topic, "after");
    for (const { messages } of [...subscribers.slice(0, 2), ...subscribers.slice(3, 4)])
      await expect.poll(() => messages).toContain("after");
  });

  test("reports missed messages to subscribers after a quick restart", async () => {
    const [node, other] = [await openNode(), await openNode()];
    const topic = randomUUID();
    const { missed, messages } = await listen(node, topic);
    await faults().restart();
    await expect.poll(missed).toBeGreaterThan(0);
    await expectToWork(other);
    await other.publish(topic, "after");
    await expect.poll(() => messages).toContain("after");
  });

  test("opens while the engine is away, and works once it answers", async () => {
    await faults().kill();
    let node: Backplane;
    try {
      node = await openNode();
      expect(node.isUp).toBe(false);
      await expect(node.get("a")).rejects.toThrow(/\w/);
    } finally {
      await faults().restart();
    }
    await expectToWork(node);
    await expect.poll(() => node.isUp).toBe(true); // another of its connections may still be waiting
  });

  test("closes while the engine is paused", async () => {
    const node = await open();
    await listen(node, randomUUID());
    await faults().pause();
    try {
      const start = performance.now();
      await node.close();
      expect(performance.now() - start).toBeLessThan(SETTLED_MS);
    } finally {
      await faults().resume();
    }
  });
}

interface Outcome {
  readonly result: string;
  readonly ms: number;
}

/** One call of each kind that needs an answer. */
function everyCall(node: Backplane): Promise<Outcome>[] {
  const key = randomUUID();
  const calls = [
    () => node.get(key),
    () => node.put(key, "", TTL),
    () => node.touch(key, 1000),
    () => node.append(key, { writer: "a", texts: ["1"] }),
    () => node.read(key, 0),
    () => node.publish(key, "1"),
    () => node.take(key, 1, 1, 1),
    () => node.drop(key),
  ];
  return calls.map(async (call) => {
    const start = performance.now();
    const result = await call().then(
      () => "answered",
      () => "rejected",
    );
    return { result, ms: performance.now() - start };
  });
}

/** Calls work again without a new backplane. */
async function expectToWork(node: Backplane): Promise<void> {
  const key = randomUUID();
  await expect.poll(() => node.put(key, "text", TTL).catch(() => undefined)).toBeGreaterThan(0);
  expect(await node.append(key, { writer: "a", texts: ["1"] })).toEqual({ stream: 1, position: 1 });
}
