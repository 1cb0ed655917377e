// Tests --ops-port.
import { expect, test } from "vitest";
import { addressesOf, callOver, OPERATED, page } from "./support/operations.ts";
import { run, Sample, type StartOptions } from "./support/sample-in-memory.ts";

async function operated(args: readonly string[], options?: StartOptions): Promise<{ sample: Sample; mcp: string; ops: string }> {
  const sample = new Sample([...OPERATED, "--drain-ms=0", ...args], options);
  return { sample, ...(await addressesOf(sample)) };
}

test("serves health and metrics on --ops-port, not on the public port", async () => {
  const { sample, mcp, ops } = await operated([]);
  expect(await page(`${ops}/livez`)).toBe("200 ok");
  expect(await page(`${ops}/readyz`)).toBe("200 ok");
  expect((await callOver(mcp, "change")).status).toBe(200);
  for (const name of ["made_up_1", "made_up_2"]) await callOver(mcp, name);
  const text = await page(`${ops}/metrics`);
  expect(text).toContain(
    '_count{mcp_method_name="tools/call",gen_ai_tool_name="change",mcp_protocol_version="2026-07-28",network_transport="tcp"} 1',
  );
  expect(text).toContain('gen_ai_tool_name="_OTHER"');
  expect(text).not.toContain("made_up");
  for (const path of ["/livez", "/readyz", "/metrics"]) expect((await fetch(new URL(path, mcp))).status).toBe(404);
  await sample.stop();
});

test("counts requests without a valid token, and logs one warning without the token", async () => {
  const { sample, mcp, ops } = await operated([], { env: { OARLOCK_AUTH_TOKEN: "the-right-token" } });
  const statusWith = async (headers: Record<string, string>) => (await fetch(mcp, { method: "POST", headers })).status;
  expect(await statusWith({ authorization: "Bearer a-wrong-token" })).toBe(401);
  expect(await statusWith({})).toBe(401);
  const text = await page(`${ops}/metrics`);
  expect(text).toContain('oarlock_http_requests_refused_total{http_request_method="POST",http_response_status_code="401"} 2');
  await sample.until(
    "stderr",
    /^Warning: Refused POST \/mcp from 127\.0\.0\.1 with status 401: the access token is invalid \(wrong token\)\.$/m,
  );
  expect(sample.stderr.match(/Refused/g)).toHaveLength(1);
  expect(sample.stderr).not.toContain("a-wrong-token");
  await sample.stop();
});

test("counts and logs refusals for a limit of a caller without its name in a label", async () => {
  const { sample, mcp, ops } = await operated(["--rate-limit=1/s"]);
  const calls = await Promise.all(Array.from({ length: 5 }, () => callOver(mcp, "change")));
  const refused = calls.filter(({ status }) => status === 429).length;
  expect(refused).toBeGreaterThanOrEqual(3);
  const labels = 'http_request_method="POST",http_response_status_code="429",limit="rate"';
  expect(await page(`${ops}/metrics`)).toContain(`oarlock_http_requests_refused_total{${labels}} ${refused}`);
  await sample.until("stderr", /^Warning: Refused a request of "address 127\.0\.0\.1" with status 429: limit rate reached\.$/m);
  expect(sample.stderr.match(/Refused/g)).toHaveLength(1);
  await sample.stop();
});

test("turns readiness to 503 before the server refuses calls", async () => {
  const { sample, mcp, ops } = await operated(["--drain-ms=500"]);
  const stopping = sample.stop();
  await expect.poll(() => page(`${ops}/readyz`)).toBe("503 draining");
  expect((await callOver(mcp, "change")).status).toBe(200);
  expect((await stopping).code).toBe(0);
});

test("exits with 3 for a taken --ops-port", async () => {
  const { ops, sample } = await operated(["--drain-ms=0"]);
  const { port } = new URL(ops);
  const { code, stderr } = await run(["--http", "--port=0", "--ops-port", port]);
  expect(code).toBe(3);
  expect(stderr).toContain(`Error: Port ${port} is already in use. Choose another one with --ops-port`);
  expect((await sample.stop()).code).toBe(0);
});
