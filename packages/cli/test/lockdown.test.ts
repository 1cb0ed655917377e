// The start with --lockdown on a system that shows no owners of files.
import { expect, test } from "vitest";
import { requireFileOwners } from "../src/start/lockdown.ts";

test("refuses --lockdown where files have no owners, with exit code 2 and a remedy", () => {
  expect(() => requireFileOwners(true, false)).toThrow(
    expect.objectContaining({
      name: "StartError",
      code: 2,
      message: expect.stringMatching(/^--lockdown cannot be kept: .*Remove it/) as string,
    }),
  );
  expect(() => requireFileOwners(false, false)).not.toThrow();
  expect(() => requireFileOwners(true, true)).not.toThrow();
});
