// The three-way merge, compared with a model many times.
import { test } from "vitest";
import { checkMerges } from "../../support/merge-model.ts";

test("after changes on both sides, the memory and the file agree with the model", () =>
  checkMerges({ numRuns: process.env["OARLOCK_LONG"] === "1" ? 1000 : 100 }));
