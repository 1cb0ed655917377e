// The three-way merge, compared with a model many times.
import { test } from "vitest";
import { checkMerges } from "../../support/merge-model.ts";

test("agrees with the model after changes on both sides", () => checkMerges({ numRuns: process.env["OARLOCK_LONG"] === "1" ? 1000 : 100 }));
