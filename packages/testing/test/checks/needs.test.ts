import { expect, test } from "vitest";
import { needs } from "../../src/checks/needs.ts";

test.each([
  ["named pipes", { linux: true, darwin: true, win32: false }],
  ["/proc", { linux: true, darwin: false, win32: false }],
] as const)("skips a test that needs %s where they are missing, with the reason", (facility, has) => {
  for (const platform of ["linux", "darwin", "win32"] as const)
    expect(needs(facility, platform)).toEqual(has[platform] ? {} : { skip: true, meta: { skipReason: `needs ${facility}` } });
});
