// Users of one server over HTTP, with many random requests.
import { describe, test } from "vitest";
import { checkIsolation } from "./user-requests.ts";

describe.each(["2026-07-28", "2025-11-25"])("users, %s", (revision) => {
  test("get nothing of each other, whatever they ask for", () =>
    checkIsolation(revision, { numRuns: process.env["OARLOCK_LONG"] === "1" ? 15 : 8 }));
});
