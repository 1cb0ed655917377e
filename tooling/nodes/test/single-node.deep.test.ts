/** The rig on a single node without an engine, which must lose nothing while streams break. */
import { expect, test } from "vitest";
import { report } from "../src/check/report.ts";
import { CLIENT_KINDS } from "../src/clients/kinds.ts";
import { soak } from "../src/soak.ts";

const seed = Number(process.env["OARLOCK_NODES_SEED"] ?? Date.now() % 1e6);

test(`loses and doubles nothing on one node while streams break (seed ${seed})`, async () => {
  const { recorder, verdict } = await soak({
    ...{ seed, nodes: 1, mode: "random", engine: undefined, losesData: false, clients: 10, callsPerSecond: 25 },
    ...{ ms: 6000, faults: ["break streams"], faultEveryMs: 1500, isShort: true, requestMs: 15_000, minCalls: 150 },
  });
  expect(verdict.violations, report(recorder, verdict)).toEqual([]);
  expect(new Set([...recorder.calls.values()].map(({ client }) => client.kind)).size).toBeLessThanOrEqual(CLIENT_KINDS.length);
  expect(recorder.faults.length).toBeGreaterThan(1);
  expect(verdict.checked.messages).toBeGreaterThan(20);
});
