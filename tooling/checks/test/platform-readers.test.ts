/** Only `platform.ts` of a package reads the platform of the machine. */
import { expect, test } from "vitest";
import { readPrograms } from "../src/house.ts";
import { platformReaders } from "../src/platform-readers.ts";

test("reads the platform only in platform.ts", () => {
  expect(platformReaders(readPrograms())).toEqual([]);
});

test.each([
  'const a = process.platform === "win32";',
  'process["platform"]',
  "const { platform } = process;",
  "os.platform()",
  'import { platform } from "node:os";',
])("finds %s", (line) => {
  expect(platformReaders({ "packages/a/src/b.ts": `// process.platform\n${line}`, "packages/a/src/platform.ts": line })).toEqual([
    "packages/a/src/b.ts:2",
  ]);
});

test("allows a platform that is given", () => {
  expect(platformReaders({ "packages/a/src/b.ts": 'import { platform } from "./platform.ts"; f(platform); o.platform' })).toEqual([]);
});
