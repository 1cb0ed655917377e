/**
 * A rolling restart behind proxies of the field, with the files and the steps of docs/proxy.md: every message and every call is checked. The long
 * tier adds Caddy on PostgreSQL, which many-nodes.deep.test.ts and proxies.deep.test.ts test apart in every run.
 */
import { describePostgres, describeValkey } from "@oarlock-tooling/engines/describe";
import { expect, test } from "vitest";
import { report } from "../src/check/report.ts";
import { startEngine, type EngineName } from "../src/cluster/start-engine.ts";
import { missingProxy, type ProxyName } from "../src/proxy/proxy-program.ts";
import { soak } from "../src/soak.ts";

async function expectNoLoss(name: EngineName, proxy: ProxyName): Promise<void> {
  await using engine = await startEngine(name);
  const { recorder, verdict } = await soak({
    ...{
      seed: Date.now() % 1e6,
      nodes: 3,
      mode: "random",
      proxy,
      engine,
      answerMs: 10_000,
      losesData: false,
      clients: 12,
      callsPerSecond: 20,
    },
    ...{ ms: 3000, faults: ["rolling restart"], faultEveryMs: 1500, isShort: true, requestMs: 15_000, minCalls: 150 },
  });
  expect(verdict.violations, report(recorder, verdict)).toEqual([]);
  expect(recorder.faults.map(({ kind }) => kind)).toEqual(["rolling restart"]);
  expect(verdict.checked.calls).toBeGreaterThan(100);
}

const notLong = process.env["OARLOCK_LONG"] === "1" ? undefined : "OARLOCK_LONG is not set";

const skipOf = (proxy: ProxyName, longOnly?: string) => {
  const skipReason = longOnly ?? missingProxy(proxy);
  return skipReason === undefined ? {} : { skip: true, meta: { skipReason } };
};

(await describeValkey({ own: true }))("on Valkey", () => {
  test("loses no call behind nginx", skipOf("nginx"), () => expectNoLoss("valkey", "nginx"));
});

(await describePostgres({ own: true }))("on PostgreSQL", () => {
  test("loses no call behind Caddy", skipOf("caddy", notLong), () => expectNoLoss("postgres", "caddy"));
});
