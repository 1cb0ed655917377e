// Rule (d) of the catalogue with its time.
import { expectWithin } from "@oarlock-tooling/test-support/expect-within";
import type { StressRun } from "./stress.ts";

/** A second on an idle machine. */
const HEALTHY_MS = 10_000;

export const expectHealthInTime = (stress: StressRun): Promise<void> => expectWithin(HEALTHY_MS, () => stress.checkHealth());
