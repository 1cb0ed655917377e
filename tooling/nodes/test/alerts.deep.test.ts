/** The alerts under Prometheus' own rule checker: each fires on what a server in trouble writes, and none on a healthy one. */
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { tempFolder } from "@oarlock/testing";
import { expect, test } from "vitest";

const rules = fileURLToPath(new URL("../../../examples/many-nodes/alerts.yaml", import.meta.url));
const PROMTOOL = "promtool";
const skipReason = spawnSync(PROMTOOL, ["--version"]).status === 0 ? undefined : `${PROMTOOL} is not installed`;

const on = (metric: string, labels: string): string => `${metric}{job="oarlock",instance="n1"${labels === "" ? "" : `,${labels}`}}`;
const REFUSED = "oarlock_http_requests_refused_total";
const CALLS = "mcp_server_operation_duration_seconds_count";

/** Ten minutes of a healthy node, each series with its value a minute. */
const HEALTHY: Readonly<Record<string, string>> = {
  [on("up", "")]: "1x20",
  [on("oarlock_healthy", 'check="disk"')]: "1x20",
  [on("oarlock_disk_free_bytes", "")]: "5e9x20",
  [on(REFUSED, 'http_request_method="POST",http_response_status_code="429",limit="rate"')]: "0+2x20",
  [on(REFUSED, 'http_request_method="POST",http_response_status_code="401"')]: "0+5x20",
  [on(CALLS, 'mcp_method_name="tools/call"')]: "0+1000x20",
  [on(CALLS, 'mcp_method_name="tools/call",error_type="tool_error"')]: "0+500x20",
  [on(CALLS, 'mcp_method_name="tools/call",error_type="-32603"')]: "0+1x20",
  [on("oarlock_connections", "")]: "100x20",
  [on("oarlock_sessions", "")]: "2000x20",
};

const TROUBLES: readonly (readonly [alert: string, series: string, values: string])[] = [
  ["OarlockDown", on("up", ""), "0x20"],
  ["OarlockUnhealthy", on("oarlock_healthy", 'check="disk"'), "0x20"],
  ["OarlockDiskFillsUp", on("oarlock_disk_free_bytes", ""), "5e8x20"],
  ["OarlockLimitReached", on(REFUSED, 'http_request_method="POST",http_response_status_code="429",limit="rate"'), "0+100x20"],
  ["OarlockTokensRefused", on(REFUSED, 'http_request_method="POST",http_response_status_code="401"'), "0+50x20"],
  ["OarlockErrors", on(CALLS, 'mcp_method_name="tools/call",error_type="-32603"'), "0+300x20"],
  ["OarlockAlmostFull", on("oarlock_sessions", ""), "9500x20"],
];

/** What promtool says of the alerts that fire at the end of the series. */
async function verdict(series: Readonly<Record<string, string>>, alerts: readonly (readonly [name: string, fires: boolean])[]) {
  await using folder = tempFolder();
  const tests = {
    rule_files: [rules],
    tests: [
      {
        interval: "1m",
        input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
        promql_expr_test: alerts.map(([name, fires]) => ({
          expr: `count(ALERTS{alertname="${name}",alertstate="firing"}) or vector(0)`,
          eval_time: "18m",
          exp_samples: [{ labels: "{}", value: fires ? 1 : 0 }],
        })),
      },
    ],
  };
  writeFileSync(folder.at("tests.yaml"), JSON.stringify(tests));
  const { stdout, stderr } = spawnSync(PROMTOOL, ["test", "rules", folder.at("tests.yaml")], { encoding: "utf8" });
  return `${stdout}${stderr}`;
}

test("fires for its trouble only", skipReason === undefined ? {} : { skip: true, meta: { skipReason } }, async () => {
  const names = TROUBLES.map(([name]) => name);
  expect(
    await verdict(
      HEALTHY,
      names.map((name) => [name, false]),
    ),
  ).toContain("SUCCESS");
  for (const [alert, series, values] of TROUBLES)
    expect(
      await verdict(
        { ...HEALTHY, [series]: values },
        names.map((name) => [name, name === alert]),
      ),
      alert,
    ).toContain("SUCCESS");
});
