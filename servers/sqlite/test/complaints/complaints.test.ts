// The table of complaints agrees with the manual and the test titles, and every case of the catalogue has a test.
import { readFileSync } from "node:fs";
import { hasTestTitled, missingCaseIds, tableRows, testSources } from "@oarlock-tooling/test-support/documentation";
import { expect, test } from "vitest";
import { READING } from "../cases/statements/read-statements.ts";
import { REACHING } from "../cases/statements/reaching-out.ts";
import { SETTINGS } from "../cases/statements/settings.ts";
import { CHANGING } from "../cases/statements/write-statements.ts";
import { COMPLAINTS } from "./complaints.ts";

const tests = new URL("../", import.meta.url);
const manual = readFileSync(new URL("../../../../docs/sqlite.md", import.meta.url), "utf8");

test("lists the table of complaints in the manual", () => {
  expect(tableRows(manual, "Problems of other SQLite servers")).toEqual(
    COMPLAINTS.map(({ refs, complaint, here }) => [refs.join(", "), complaint, here]),
  );
});

test.each(COMPLAINTS.flatMap(({ refs }) => refs))("has a test whose title names %s", (ref) => {
  expect(hasTestTitled(tests, ref)).toBe(true);
});

test("covers every SQL case of the catalogue by a test", () => {
  const tables = [READING, REACHING, SETTINGS, CHANGING].flat().map(({ id }) => id);
  expect(missingCaseIds([...testSources(tests), ...tables], "SQL", 33)).toEqual([]);
});
