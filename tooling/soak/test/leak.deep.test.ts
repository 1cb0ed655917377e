/** Detection of growth on a server that leaks. */
import { sourceProgram } from "@oarlock-tooling/test-support/server-process";
import { expect, test } from "vitest";
import { BOUNDS } from "../src/growth.ts";
import { onPipe, STATEFUL } from "../src/load/clients.ts";
import { KIT } from "../src/load/kit.ts";
import { stay } from "../src/load-generator.ts";
import { SHORT } from "../src/profiles.ts";
import { wrongIn } from "../src/report.ts";
import { soak } from "../src/soak.ts";
import type { Target } from "../src/targets/target.ts";

test("detects a server that leaks memory and timers", async () => {
  const leaky: Target = {
    name: "leaky",
    program: () => sourceProgram(new URL("fixtures/leaky.ts", import.meta.url)),
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
