// How much memory the rules of --deny take.
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { compileDeny } from "../../../src/disk/access/deny-rules.ts";

/** Without what is only waiting to be thrown away. */
function heap(): number {
  setFlagsFromString("--expose-gc");
  runInNewContext("gc")();
  return process.memoryUsage().heapUsed;
}

test("bounds its memory however many folders are checked", () => {
  const denies = compileDeny(["**/secret", "/r/*/x/**"]);
  const deep = "/d".repeat(2000);
  expect(denies(`/r${deep}/secret`, ["/r"])).toBe(true);
  const before = heap();
  for (let i = 0; i < 100_000; i += 1) denies(`/r/folder-${i}/${"n".repeat(100)}/f`, ["/r"]);
  // All of them would take 27 MB.
  expect(heap() - before).toBeLessThan(3_300_000);
  expect(denies(`/r${deep}/secret`, ["/r"])).toBe(true);
  expect(denies(`/r${deep}/f`, ["/r"])).toBe(false);
});
