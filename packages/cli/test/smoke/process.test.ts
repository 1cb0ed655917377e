/** Starts the sample server as hosts start a server: over stdio and over HTTP, with a clean end. */
import { expect, test } from "vitest";
import { addressesOf, callOver, ENVELOPE } from "../support/operations.ts";
import { look, Sample } from "../support/sample-process.ts";

/** Processes take seconds to start on a busy machine. */
const PATIENT = { timeout: 60_000 };

const CHANGED = { result: { content: [{ type: "text", text: "changed" }] } };

test("lists and calls over stdio in 2025-11-25", PATIENT, async () => {
  await look([], async (sample) => {
    expect(await sample.tools()).toContain("change");
    expect(await sample.request("tools/call", { name: "change" })).toMatchObject(CHANGED);
  });
});

test("lists and calls over stdio in 2026-07-28", PATIENT, async () => {
  const sample = new Sample([]);
  expect((await sample.request("tools/list", { _meta: ENVELOPE })).result?.tools?.map(({ name }) => name)).toContain("change");
  expect(await sample.request("tools/call", { name: "change", _meta: ENVELOPE })).toMatchObject(CHANGED);
  expect((await sample.end()).code).toBe(0);
});

test("calls over HTTP in 2025-11-25 and 2026-07-28, and ends with 0 on SIGTERM", PATIENT, async () => {
  const sample = new Sample(["--http", "--port=0"]);
  const { mcp } = await addressesOf(sample);
  expect(await (await callOver(mcp, "change")).json()).toMatchObject(CHANGED);
  const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
  const post = (body: object, more: Record<string, string> = {}): Promise<Response> =>
    fetch(mcp, { method: "POST", headers: { ...headers, ...more }, body: JSON.stringify({ jsonrpc: "2.0", ...body }) });
  const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "0" } };
  const session = { "mcp-session-id": (await post({ id: 1, method: "initialize", params })).headers.get("mcp-session-id") ?? "" };
  expect((await post({ method: "notifications/initialized" }, session)).status).toBe(202);
  expect(await (await post({ id: 2, method: "tools/call", params: { name: "change" } }, session)).json()).toMatchObject(CHANGED);
  sample.child.kill("SIGTERM");
  expect(await sample.ended).toMatchObject({ code: 0, stdout: "" });
});

test("ends with 0 at the end of stdin and on SIGTERM, with 1 on a second signal and on an uncaught exception", PATIENT, async () => {
  const [one, two, three, four] = await Promise.all(
    [1, 2, 3, 4].map(() => new Sample(["--log-level", "info", "--start-with", "long-grace"]).handshake()),
  );
  const wait = (sample: Sample): number => sample.send("tools/call", { name: "wait", arguments: { ms: 600_000 } });
  two!.child.kill("SIGTERM");
  wait(three!);
  await three!.until("stderr", /Warning: waiting/);
  three!.child.kill("SIGTERM");
  await three!.until("stderr", /SIGTERM: stopping/);
  three!.child.kill("SIGINT");
  four!.send("tools/call", { name: "throw_later" });
  expect(await one!.end()).toMatchObject({ code: 0, stderr: expect.stringMatching(/^printed while starting\n[^]*closing\n$/) });
  expect((await two!.ended).code).toBe(0);
  expect((await three!.ended).code).toBe(1);
  expect(await four!.ended).toMatchObject({ code: 1, stderr: expect.stringContaining("Critical: Uncaught exception, the server exits") });
});
