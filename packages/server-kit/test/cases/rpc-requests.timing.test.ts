// How soon a cancelled call stops, with the process that it has started (security case RPC-23).
import { expect, test } from "vitest";
import { answersTo, call, cancel, eventually, request, result, stillServes } from "../support/sample.ts";
import { childOf, lives, readyProcess } from "../support/sample-process.ts";

test("RPC-23 CANCEL-03 CANCEL-08 stops a cancelled call within a second without a response, and logs the reason", async () => {
  await using server = await readyProcess();
  expect(await answersTo(server, [call(1, "slow"), call(2, "child"), call(3, "late", { ms: 300 })])).toEqual([]);
  const pid = await childOf(server);
  expect(lives(pid)).toBe(true);
  expect(await answersTo(server, [cancel(1), cancel(2), cancel(3)])).toEqual([]);
  await expect.poll(() => server.stderr, { timeout: 1000 }).toContain("slow aborted: AbortError: no longer needed");
  await expect.poll(() => lives(pid), { timeout: 1000 }).toBe(false);
  expect(server.stderr).toMatch(/request cancelled: .*no longer needed/);
  // The one that heeds nothing ends some time: even then nothing comes.
  await eventually(() => server.stderr).toContain("late resolved");
  expect(await answersTo(server, [request("after", "ping")])).toEqual([result("after", {})]);
  await stillServes(server);
});
