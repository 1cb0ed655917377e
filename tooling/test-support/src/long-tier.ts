/** The long tier: tests that run at night and before releases. */
import type { TestOptions } from "vitest";

export const isLong: boolean = process.env["OARLOCK_LONG"] === "1";

/** The options of a test, or of a group of tests, of the long tier. */
export const IN_LONG_RUNS: TestOptions = isLong ? {} : { skip: true, meta: { skipReason: "OARLOCK_LONG is not set" } };
