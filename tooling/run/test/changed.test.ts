/** Which tests a change needs that does not reach them by imports. */
import { expect, test } from "vitest";
import { describeChange, readersOf } from "../src/changed.ts";

const TESTS = [
  "packages/a/test/talk/talk.test.ts",
  "packages/a/test/a.test.ts",
  "packages/ab/test/b.test.ts",
  "tooling/apps/test/page.deep.test.ts",
  "tooling/docs/test/blocks.test.ts",
  "tooling/release/test/workflow.test.ts",
];

test.each([
  ["a file beside tests", "packages/a/test/talk/2026/hello.mcp", ["packages/a/test/talk/talk.test.ts"]],
  ["a fixture", "packages/a/test/fixtures/server.ts", ["packages/a/test/talk/talk.test.ts", "packages/a/test/a.test.ts"]],
  ["Markdown", "packages/a/README.md", ["tooling/docs/test/blocks.test.ts"]],
  ["a view", "servers/a/views/grid.ts", ["tooling/apps/test/page.deep.test.ts"]],
  ["the look of all views", "packages/extensions/src/page/look.css", ["tooling/apps/test/page.deep.test.ts"]],
  ["a workflow", ".github/workflows/ci.yml", ["tooling/release/test/workflow.test.ts"]],
  ["a source", "packages/a/src/a.ts", []],
  ["a module of tests", "packages/a/test/support/world.ts", []],
  ["a manifest", "packages/a/package.json", []],
])("selects the tests that read %s", (_, file, tests) => {
  expect(readersOf(file, TESTS)).toEqual(tests);
});

test("names the files that select no test", () => {
  const change = { base: "0123456789abcdef", files: ["a.ts", "package.json"], tests: [] };
  expect(describeChange({ ...change, unseen: ["package.json"] })).toMatch(
    /^\n2 files changed since 0123456789ab\. [^]*:\n {2}package\.json$/,
  );
  expect(describeChange({ ...change, unseen: [] })).not.toContain("Files that select no test");
});
