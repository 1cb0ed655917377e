// The table of comparisons is complete. `reading-tools.deep.test.ts` runs them.
import { expect, test } from "vitest";
import { toolsWithoutCall } from "../support/call-tables.ts";
import { COMPARISONS } from "./comparisons.ts";

test("compares every tool that reads", async () => {
  const missing = await toolsWithoutCall(
    COMPARISONS.map(({ tool }) => tool),
    { readOnly: true },
  );
  expect(missing, "enter these tools in COMPARISONS of test/forms/comparisons.ts").toEqual([]);
});
