/** Tests the check of the Node version. */
import { expect, test } from "vitest";
import { isSupported } from "../src/process/node-version.ts";

test.each(["22.22.2", "22.23.0", "24.15.0", "24.21.0", "26.0.0", "27.1.0"])("accepts %s", (version) => {
  expect(isSupported(version)).toBe(true);
});

test.each(["18.20.0", "20.20.2", "22.22.1", "22.9.9", "23.11.0", "24.14.9", "25.3.0"])("refuses %s", (version) => {
  expect(isSupported(version)).toBe(false);
});
