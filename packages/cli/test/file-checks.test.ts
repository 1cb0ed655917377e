/** What the checks of files and folders advise on each platform. */
import { expect, test } from "vitest";
import { readRemedy } from "../src/doctor/file-checks.ts";

test("names the privacy settings of macOS when it refuses with EPERM", () => {
  expect(readRemedy("EPERM", "darwin")).toMatch(/Privacy & Security/);
  expect(readRemedy("EACCES", "darwin")).toMatch(/chmod/);
  for (const platform of ["linux", "win32"] as const) expect(readRemedy("EPERM", platform)).toMatch(/chmod/);
});
