// The rate of calls of one session over several nodes.
import { expect, test } from "vitest";
import { Nodes, RovingTalk } from "../support/nodes.ts";

const RATE = 20;
const NODES = 3;

test("calls of a session count on all nodes together", async () => {
  await using nodes = await Nodes.start(NODES, { limits: { callsPerSecond: RATE } });
  using talk = await RovingTalk.open(nodes);
  const start = performance.now();
  const calls = Array.from({ length: 5 * RATE }, (_value, at) => talk.call("unknown", {}, undefined, at));
  const codes = await Promise.all(calls.map(async (call) => ((await (await call).json())["error"] as { code: number }).code));
  const served = codes.filter((code) => code !== 429).length;
  expect(served).toBeGreaterThanOrEqual(RATE);
  // A portion for each node beyond it.
  expect(served).toBeLessThanOrEqual(RATE * (1 + (performance.now() - start) / 1000) + NODES);
});
