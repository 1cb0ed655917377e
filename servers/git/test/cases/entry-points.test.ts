// The table of entry points is complete. The cases beside it call them.
import { expect, test } from "vitest";
import { toolsWithoutCall } from "../support/call-tables.ts";
import { ENTRY_POINTS } from "./entry-points.ts";

test("has an entry point for every tool", async () => {
  const missing = await toolsWithoutCall(ENTRY_POINTS.flatMap(({ tool }) => tool ?? []));
  expect(missing, "enter these tools in CALLS of test/cases/entry-points.ts").toEqual([]);
});
