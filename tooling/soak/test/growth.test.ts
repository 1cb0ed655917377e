/** Detection of growth, on numbers and on a server that leaks. */
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { BOUNDS, courseOf, leftovers } from "../src/growth.ts";
import { SHORT } from "../src/profiles.ts";
import { stay } from "../src/load-generator.ts";
import { wrongIn } from "../src/report.ts";
import type { Sample } from "../src/sample.ts";
import { soak } from "../src/soak.ts";
import { KIT } from "../src/load/kit.ts";
import { onPipe, STATEFUL } from "../src/load/clients.ts";
import type { Target } from "../src/targets/target.ts";

const MIB = 1024 * 1024;

const still: Sample = {
  ...{ rss: 80 * MIB, heap: 20 * MIB, fds: 20, threads: 7, children: 0, handles: 4, timers: 1, sessions: 0 },
  inside: { heap: 20 * MIB, resources: { PipeWrap: 3, Timeout: 1 }, counts: { sessions: 0 } },
};
const course = (heap: (at: number) => number): Sample[] => Array.from({ length: 90 }, (_, at) => ({ ...still, heap: heap(at) }));

test("reports a steady rise, not a fluctuation", () => {
  const grows = (heap: (at: number) => number): boolean => courseOf(course(heap), "heap", BOUNDS).grows;
  expect(grows((at) => 20 * MIB + at * 0.06 * MIB)).toBe(true);
  expect(grows((at) => (20 + (at % 7)) * MIB)).toBe(false);
  // Warmth is of the first third.
  expect(grows((at) => Math.min(20 + at, 50) * MIB)).toBe(false);
});

test("reports one resource more, not one less", () => {
  const after: Sample = { ...still, fds: 21, inside: { ...still.inside, resources: { PipeWrap: 2, Timeout: 1, TCPSocketWrap: 1 } } };
  expect(leftovers(still, after)).toEqual(["fds 20 → 21", "TCPSocketWrap 0 → 1"]);
  expect(leftovers(after, still)).toEqual(["PipeWrap 2 → 3"]);
});

test("detects a server that leaks memory and timers", async () => {
  const leaky: Target = {
    name: "leaky",
    program: () => ({ file: fileURLToPath(new URL("fixtures/leaky.ts", import.meta.url)) }),
    async lanes({ server: { pipe } }) {
      const client = await onPipe(pipe, STATEFUL);
      return [stay(client, { echo: KIT["echo"]! })];
    },
  };
  const soaked = await soak(leaky, { ...SHORT, warmMs: 500, loadMs: 2500, everyMs: 100, restMs: 1000, actsPerSecond: 100 });
  const wrong = wrongIn(soaked, { ...BOUNDS, timers: 2 });
  expect(wrong.find((one) => one.includes("heap grows"))).toBeDefined();
  expect(wrong.find((one) => one.includes("left over: Timeout"))).toBeDefined();
}, 300_000);
