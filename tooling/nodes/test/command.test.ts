/** Wrong usage of `pnpm nodes:soak`, which must not pass with a load on nothing. */
import { expect, test } from "vitest";
import { FAULT_KINDS } from "../src/check/records.ts";
import { readOptions } from "../src/options.ts";

test.each([
  [["--minutes", "soon"], "--minutes: expected a number above 0"],
  [["--clients", "0"], "--clients: expected a number above 0"],
  [["--engine", "mysql"], "--engine: expected one of valkey, volatile-valkey, postgres, none"],
  [["--mode", "sticky"], "--mode: expected one of random, round-robin, moving"],
  [["--faults", "fire"], `--faults: expected one of ${FAULT_KINDS.join(", ")}`],
  [["--sed", "1"], "Unknown option '--sed'"],
])("refuses %j", (args, sentence) => {
  expect(() => readOptions(args)).toThrow(sentence);
});

test("reads names of faults with hyphens", () => {
  expect(readOptions(["--faults", "kill-node,break-streams", "--seed", "7"])).toMatchObject({
    faults: ["kill node", "break streams"],
    seed: 7,
  });
});
