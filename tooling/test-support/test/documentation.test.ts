import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { tempFolder } from "@oarlock/testing";
import { hasTestTitled, missingCaseIds, tableRows, testSources } from "../src/documentation.ts";

test("returns the table rows of one section", () => {
  const markdown =
    "# A\n\n## Tools\n\n| name | use |\n| --- | --- |\n| `a` | first |\n| `b` | second |\n\n## Other\n\n| x |\n| --- |\n| y |\n";
  expect(tableRows(markdown, "Tools")).toEqual([
    ["`a`", "first"],
    ["`b`", "second"],
  ]);
  expect(tableRows(markdown, "Missing")).toEqual([]);
});

test("finds ids in the titles of tests only", async () => {
  const sources = {
    "a.test.ts": '// #2 in a comment\ntest("#1 works", () => {});\neveryRevision(\n  "PATH-01: reads",\n  () => {},\n);\n',
    sub: { "b.test.ts": 'test.each([1])("CASE-02 %s", () => {});\n' },
    "helper.ts": 'test("#3", () => {});\n',
  };
  await using folder = tempFolder(sources);
  const url = pathToFileURL(`${folder.path}/`);
  const ids = ["#1", "#2", "#3", "PATH-01", "CASE-02"];
  expect(ids.filter((id) => hasTestTitled(url, id))).toEqual(["#1", "PATH-01", "CASE-02"]);
  expect(testSources(url).toSorted()).toEqual([sources["a.test.ts"], sources.sub["b.test.ts"]].toSorted());
  expect(missingCaseIds(testSources(url), "CASE", 3)).toEqual(["CASE-01", "CASE-03"]);
});
