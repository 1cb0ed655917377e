/**
 * The rig on three nodes with each engine: nothing is lost or doubled while nodes are killed and drained and streams break. The long tier adds
 * Valkey, which the rolling restart tests in every run.
 */
import { describePostgres, describeValkey } from "@oarlock-tooling/engines/describe";
import { expect, test, type TestOptions } from "vitest";
import { report } from "../src/check/report.ts";
import type { FaultKind } from "../src/check/records.ts";
import { startEngine, type EngineName } from "../src/cluster/start-engine.ts";
import { soak } from "../src/soak.ts";

const seed = Number(process.env["OARLOCK_NODES_SEED"] ?? Date.now() % 1e6);

async function expectNoViolation(name: EngineName, faults: readonly FaultKind[]): Promise<void> {
  await using engine = await startEngine(name);
  const { recorder, verdict } = await soak({
    ...{ seed, nodes: 3, mode: "random", engine, answerMs: 10_000, losesData: false, clients: 15, callsPerSecond: 25 },
    ...{ ms: 10_000, faults, faultEveryMs: 2500, isShort: true, requestMs: 15_000 },
  });
  expect(verdict.violations, report(recorder, verdict)).toEqual([]);
  expect(recorder.faults.map(({ kind }) => kind).toSorted()).toEqual([...faults].toSorted());
}

const IN_LONG_RUNS: TestOptions =
  process.env["OARLOCK_LONG"] === "1" ? {} : { skip: true, meta: { skipReason: "OARLOCK_LONG is not set" } };

const FAULTS = ["break streams", "drain node", "kill node"] as const;

(await describeValkey({ own: true }))("on Valkey", () => {
  test(`loses and doubles nothing on three nodes (seed ${seed})`, IN_LONG_RUNS, () => expectNoViolation("valkey", FAULTS));
});

(await describePostgres({ own: true }))("on PostgreSQL", () => {
  test(`loses and doubles nothing on three nodes (seed ${seed})`, () => expectNoViolation("postgres", FAULTS));
});
