/** Selection of the tests that a copy of a server can run. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { namedIn, stayingHere } from "../excluded-tests.ts";
import { published } from "../versions.ts";

const TREE: Record<string, string> = {
  "src/server.ts": "",
  "README.md": "",
  "test/plain.test.ts": 'import { x } from "../src/server.ts"; import { test } from "vitest"; readFileSync("../../etc/passwd");',
  "test/fixture.test.ts": 'fork(new URL("children/swap.ts", import.meta.url));',
  "test/children/swap.ts": 'import "node:fs";',
  "test/modules.test.ts":
    'const cache = new URL("../node_modules/.cache/x", import.meta.url); new URL("../package.json", import.meta.url);',
  "test/both.ts": "export const both = 1;",
  "test/deep/user.test.ts": 'import { both } from "../both.ts";',
  "test/outside.test.ts": 'import { root } from "../../../tooling/checks/src/sources.ts"; import { both } from "./both.ts";',
  "test/file.test.ts": 'readFileSync(new URL("../../../SECURITY.md", import.meta.url));',
  "test/late.test.ts": 'const { a } = await import("./pair.ts");',
  "test/pair.ts":
    'new URL("../node_modules/@modelcontextprotocol/server-x/dist/index.js", import.meta.url); import { row } from "./row.ts";',
  "test/row.ts": "export const row = 1;",
  "test/official.test.ts": 'import { Client } from "@modelcontextprotocol/sdk/client/index.js";',
  "test/missing.test.ts": 'import z from "left-pad/deep";',
  "test/private.test.ts": 'import { startPostgres } from "@oarlock-tooling/engines"; import "./plain.test.ts";',
  "test/start.deep.test.ts": 'import { started } from "./started.ts";',
  "test/started.ts": "export const started = 1;",
  "test/readme.test.ts": "readFileSync(`${here}../README.md`);",
};

test("excludes tests that a copy cannot run, and files that only those need", () => {
  const folder = mkdtempSync(join(tmpdir(), "oarlock-"));
  try {
    for (const [path, text] of Object.entries(TREE)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    expect(Object.fromEntries(stayingHere(folder, new Set(["vitest", "@modelcontextprotocol/sdk", "@oarlock-tooling/engines"])))).toEqual({
      "test/start.deep.test.ts": "slow",
      "test/started.ts": "for test/start.deep.test.ts",
      "test/outside.test.ts": "reaches ../../tooling/checks/src/sources.ts",
      "test/file.test.ts": "reaches ../../SECURITY.md",
      "test/late.test.ts": "through test/pair.ts",
      "test/pair.ts": "needs @modelcontextprotocol/server-x",
      "test/row.ts": "for test/pair.ts",
      "test/official.test.ts": "needs @modelcontextprotocol/sdk",
      "test/missing.test.ts": "needs left-pad",
      "test/private.test.ts": "needs @oarlock-tooling/engines",
      "test/readme.test.ts": "reaches README.md",
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("finds imports, resolved modules and file URLs of a file", () => {
  const text = `
    import type { A } from "@oarlock/client";
    export * from "./other.ts";
    import.meta.resolve("ripgrep");
    import.meta.resolve("./own.ts");
    new URL("https://x.example", base);
    new URL("data/list.json", import.meta.url);
    const path = "../../../anywhere";
  `;
  expect(namedIn("test/deep/a.ts", text)).toEqual({
    files: ["test/deep/other.ts", "test/deep/own.ts", "test/deep/data/list.json"],
    packages: ["@oarlock/client", "ripgrep"],
  });
});

test("uses published versions", () => {
  expect(published("@oarlock/server-kit", "workspace:^")).toMatch(/^\^\d+\.\d+\.\d+$/);
  expect(published("zod", "catalog:")).toMatch(/^\d+\.\d+\.\d+$/);
  expect(published("@types/node", "catalog:")).toMatch(/^\d+\.\d+\.\d+$/);
  expect(published("typescript", "catalog:")).toMatch(/^\d+\.\d+\.\d+$/);
  expect(published("diff", "9.0.0")).toBe("9.0.0");
  expect(() => published("left-pad", "catalog:")).toThrow('left-pad: "catalog:" stands for no version');
});
