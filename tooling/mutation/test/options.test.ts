/** Options of `pnpm mutation`. */
import { tempFolder } from "@oarlock/testing";
import { expect, test } from "vitest";
import { mirroredTests, readOptions } from "../src/options.ts";

const FILES = {
  "packages/kit/src/wire/id.ts": "",
  "packages/kit/src/server/run.ts": "",
  "packages/kit/test/wire/id.test.ts": "",
  "packages/kit/test/all.test.ts": "",
};

test.each([
  ["packages/kit/src/wire", "packages/kit/test/wire"],
  ["packages/kit/src/wire/id.ts", "packages/kit/test/wire/id.test.ts"],
  ["packages/kit/src/server", "packages/kit/test"],
  ["packages/kit/src", "packages/kit/test"],
])("selects the tests that mirror %s", async (path, tests) => {
  await using folder = tempFolder(FILES);
  expect(mirroredTests(path, folder.path)).toBe(tests);
});

test("mutates the sources of a folder and runs its tests", async () => {
  await using folder = tempFolder(FILES);
  expect(readOptions(["packages/kit/src/wire/"], folder.path)).toEqual({
    path: "packages/kit/src/wire",
    mutate: ["packages/kit/src/wire/**/*.ts"],
    tests: ["packages/kit/test/wire/**/!(*.deep|*.timing).test.ts"],
    concurrency: 1,
    force: false,
    fresh: false,
    timeoutMs: 4000,
    atLeast: 0,
  });
});

test("mutates a range of lines of a file", async () => {
  await using folder = tempFolder(FILES);
  expect(readOptions(["packages/kit/src/wire/id.ts:10-20"], folder.path)).toMatchObject({
    mutate: ["packages/kit/src/wire/id.ts:10-20"],
    tests: ["packages/kit/test/wire/id.test.ts"],
  });
});

test.each([
  ["packages/kit/src/wire", "packages/kit/test/wire/**/*.test.ts"],
  ["packages/kit/src/wire/id.ts", "packages/kit/test/wire/id?(.deep|.timing).test.ts"],
])("selects the deep and timing tests of %s with --all", async (path, tests) => {
  await using folder = tempFolder(FILES);
  expect(readOptions([path, "--all"], folder.path).tests).toEqual([tests]);
});

test("takes other tests, a number of workers, --force, --fresh, a time limit and a share", async () => {
  await using folder = tempFolder(FILES);
  const args = ["packages/kit/src/wire/id.ts", "--tests", "packages/kit/test/all.test.ts", "--tests", "packages/kit/test/wire"];
  const more = ["--concurrency", "2", "--force", "--fresh", "--timeout", "9000", "--at-least", "80"];
  expect(readOptions([...args, ...more], folder.path)).toEqual({
    path: "packages/kit/src/wire/id.ts",
    mutate: ["packages/kit/src/wire/id.ts"],
    tests: ["packages/kit/test/all.test.ts", "packages/kit/test/wire/**/!(*.deep|*.timing).test.ts"],
    concurrency: 2,
    force: true,
    fresh: true,
    timeoutMs: 9000,
    atLeast: 80,
  });
});

test.each([
  [[], "Expected one folder or file."],
  [["packages/kit/src", "packages/kit/src/wire"], "Expected one folder or file."],
  [["packages/kit/test"], "Not a folder with sources: packages/kit/test."],
  [["packages/kit/src/none"], "Not found: packages/kit/src/none."],
  [["packages/kit/src", "--tests", "none"], "Not found: none."],
  [["packages/kit/src", "--concurrency", "0"], "--concurrency: expected a whole number above 0, got 0"],
  [["packages/kit/src", "--timeout", "1.5"], "--timeout: expected a whole number above 0, got 1.5"],
  [["packages/kit/src", "--at-least", "80%"], "--at-least: expected a whole number above 0, got 80%"],
])("refuses %j", async (args, message) => {
  await using folder = tempFolder(FILES);
  expect(() => readOptions(args, folder.path)).toThrow(message);
});
