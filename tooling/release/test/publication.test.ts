/** What a release refuses before it asks the registry: tags, versions, tarballs. */
import { tempFolder } from "@oarlock/testing";
import { expect, test } from "vitest";
import { sectionOf } from "../src/notes.ts";
import { tagProblem } from "../src/publication/check-tag.ts";
import { readPackageList, writePackageList } from "../src/publication/package-list.ts";

const manifest = (name: string, version: string, more: object = {}): { "package.json": string } => ({
  "package.json": JSON.stringify({ name, version, ...more }),
});

test("accepts a tag of the version of all published packages", async () => {
  await using folder = tempFolder({
    packages: { a: manifest("@x/a", "0.1.0") },
    servers: { b: manifest("@x/b", "0.0.0", { private: true }) },
    ".changeset": { "README.md": "" },
  });
  expect(tagProblem("v0.1.0", folder.path)).toBeUndefined();
});

test.each([
  ["v0.2.0", "0.1.0", /^Tag v0\.2\.0 does not fit @x\/a 0\.1\.0\. /],
  ["0.1.0", "0.1.0", /does not fit/],
  ["v0.0.0", "0.0.0", /does not fit/],
])("refuses tag %s of version %s", async (tag, version, problem) => {
  await using folder = tempFolder({ packages: { a: manifest("@x/a", version) } });
  expect(tagProblem(tag, folder.path)).toMatch(problem);
});

test("refuses a tag while changesets are pending", async () => {
  await using folder = tempFolder({ packages: { a: manifest("@x/a", "0.1.0") }, ".changeset": { "one.md": "" } });
  expect(tagProblem("v0.1.0", folder.path)).toMatch(/^Changesets are not applied: \.changeset[\\/]one\.md\. /);
});

test.each([
  ["changed", { "a.tgz": "other" }, "a.tgz"],
  ["added", { "b.tgz": "b" }, "b.tgz"],
])("refuses tarballs of which one was %s after the list", async (_what, files, name) => {
  await using folder = tempFolder({ "a.tgz": "a" });
  writePackageList(folder.path, [{ name: "@x/a", version: "0.1.0", file: "a.tgz" }]);
  expect(readPackageList(folder.path)).toMatchObject([{ file: "a.tgz", integrity: expect.stringMatching(/^sha512-/) }]);
  folder.write(files);
  expect(() => readPackageList(folder.path)).toThrow(`Tarballs differ from packages.json: ${name}.`);
});

test("refuses a list with another digest", async () => {
  await using folder = tempFolder({ "a.tgz": "a" });
  writePackageList(folder.path, [{ name: "@x/a", version: "0.1.0", file: "a.tgz" }]);
  expect(() => readPackageList(folder.path, "0".repeat(64))).toThrow(/^packages\.json has the digest [0-9a-f]{64}: expected 0+\. /);
});

test("takes the notes of a release from a changelog", () => {
  const changelog = "# @x/a\n\n## 0.2.0\n\n### Minor Changes\n\n- New.\n- Updated dependencies\n  - @x/b@0.2.0\n\n## 0.1.0\n\nFirst.\n";
  expect(sectionOf(changelog, "0.2.0")).toBe("### Minor Changes\n\n- New.");
  expect(sectionOf(changelog, "0.1.0")).toBe("First.");
  expect(sectionOf("# @x/a\n\n## 0.2.0\n\n### Patch Changes\n\n- Updated dependencies\n  - @x/b@0.2.0\n", "0.2.0")).toBe("");
});
