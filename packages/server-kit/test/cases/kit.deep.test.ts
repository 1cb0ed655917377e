// Results of half a gigabyte, and calls that are aborted by the thousand (security cases KIT-12 and KIT-14).
import { describe, expect, test } from "vitest";
import { HUGE } from "../fixtures/sample-faults.ts";
import { abortHalf } from "../support/aborted-calls.ts";
import { call, readySample, stillServes } from "../support/sample.ts";

describe("KIT-12 10,000 calls, half of them aborted", () => {
  test.each(["slow", "ask"])("%s: leaves no listener, timer or slot, and causes no warning", (name) => abortHalf(name, 10_000));
});

test.each(HUGE)("KIT-14 answers a result that is %s with one error, and serves the next call", async (what) => {
  await using server = await readySample();
  // Texts of half a gigabyte take their time; once is enough.
  const answer = await server.request(call(1, "nonsense", { what, async: true }), 50_000);
  if (answer["error"] === undefined) expect(answer["result"]).toMatchObject({ isError: true });
  expect(JSON.stringify(answer).length).toBeLessThan(1000);
  expect(JSON.stringify(answer)).not.toMatch(/at .*\.ts|angry/);
  await stillServes(server);
});
