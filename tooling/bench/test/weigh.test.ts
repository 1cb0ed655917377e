/** Files that count towards the weight of a package. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { weigh } from "../src/weigh.ts";

let top = "";
beforeEach(() => (top = mkdtempSync(join(tmpdir(), "oarlock-weigh-"))));
afterEach(() => rmSync(top, { recursive: true }));

function put(path: string, text: string): void {
  const file = join(top, "node_modules", path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

const manifest = (path: string, members: object = {}): void => put(`${path}/package.json`, JSON.stringify(members));

test("counts a package with its dependencies and nothing else", () => {
  manifest("a", { dependencies: { b: "1" }, peerDependencies: { c: "1", d: "1" }, peerDependenciesMeta: { d: { optional: true } } });
  manifest("b", { optionalDependencies: { missing: "1" }, dependencies: { e: "1" } });
  manifest("b/node_modules/e");
  for (const name of ["c", "d", "e", "stranger"]) manifest(name);
  put("b/node_modules/e/index.js", "x".repeat(1_000_000));
  const { packages, files, MB } = weigh(top, "a");
  expect({ packages, files }).toEqual({ packages: 4, files: 5 });
  expect(MB).toBeCloseTo(1, 2);
});

test("excludes files of a build, not folders of the same name", () => {
  manifest("native");
  put("native/binding.gyp", "");
  put("native/build/Release/native.node", "x");
  manifest("plain");
  put("plain/build/index.js", "x");
  expect(weigh(top, "native").files).toBe(2);
  expect(weigh(top, "plain").files).toBe(2);
});

test("names a package that is not installed", () => {
  expect(() => weigh(top, "missing")).toThrow("missing is not installed");
});
