// The rules of buckets: a full one at first, refilled in time, counted over all nodes.
import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { manyOf, type Nodes } from "./nodes.ts";

/** Tokens for each second: so few that a test gains none. */
const NEVER = 0.000_01;

export function testBuckets(nodes: () => Nodes): void {
  test("fills a new bucket up to its burst", async () => {
    const [node, other] = nodes();
    const bucket = randomUUID();
    expect(await node.take(bucket, 3, NEVER, 5)).toBe(3);
    expect(await other.take(bucket, 0, NEVER, 5)).toBe(0);
    expect(await other.take(bucket, 5, NEVER, 5)).toBe(2);
    expect(await node.take(bucket, 1, NEVER, 5)).toBe(0);
    expect(await node.take(randomUUID(), 9, NEVER, 5)).toBe(5);
  });

  test("gives concurrent takers of several nodes exactly the tokens of the bucket", async () => {
    const bucket = randomUUID();
    const taken = await Promise.all(manyOf(nodes()).map((node) => node.take(bucket, 1, NEVER, 25)));
    expect(taken.reduce((sum, count) => sum + count)).toBe(25);
  });

  test("refills a bucket in time, up to its burst", async () => {
    const [node, other] = nodes();
    const bucket = randomUUID();
    expect(await node.take(bucket, 4, 4, 4)).toBe(4);
    await expect.poll(() => other.take(bucket, 1, 4, 4)).toBe(1);
    // A bucket that is full again holds no more than its burst.
    await expect.poll(() => other.take(bucket, 4, 400, 4), { interval: 200 }).toBe(4);
  });
}
