/** Tests how long the process of a server takes to end. */
import { expect, test } from "vitest";
import { Sample } from "../support/sample-process.ts";

/** The default grace time is two seconds. */
const MAX_DEFAULT_GRACE_MS = 4000;

/** The shortest of three durations, which a pause of the machine does not change; ends early below `enoughMs`. */
async function shortest(enoughMs: number, run: () => Promise<number>): Promise<number> {
  let best = Infinity;
  for (let attempt = 0; attempt < 3 && best >= enoughMs; attempt++) best = Math.min(best, await run());
  return best;
}

test("exits soon after the end of stdin, with the default grace time", async () => {
  const graceMs = await shortest(MAX_DEFAULT_GRACE_MS, async () => {
    const sample = await new Sample(["--log-level", "info", "--start-with", "default-grace"]).handshake();
    sample.send("tools/call", { name: "wait", arguments: { ms: 60_000 } });
    await sample.until("stderr", /Warning: waiting/);
    const start = performance.now();
    const { code, stdout } = await sample.end();
    expect(code).toBe(0);
    expect(stdout).not.toContain("waited");
    return performance.now() - start;
  });
  expect(graceMs).toBeLessThan(MAX_DEFAULT_GRACE_MS);
});
