/** Records of a test run, also of one that was stopped. */
import { tempFolder } from "@oarlock/testing";
import { expect, test } from "vitest";
import { readRecords } from "../src/records.ts";

const record = (file: string, failed = 0) => ({ file, project: "fast", passed: 2, failed, skipped: [] });

const lines = (...records: readonly object[]): string => records.map((one) => `${JSON.stringify(one)}\n`).join("");

test("counts errors outside of tests", async () => {
  await using folder = tempFolder({ records: lines({ planned: ["a.test.ts"] }, record("a.test.ts", 1), { errors: 3 }) });
  expect(readRecords(folder.at("records"))).toEqual({ files: [record("a.test.ts", 1)], notRun: [], errors: 3 });
});

test("names the files that a stopped run has not finished", async () => {
  await using folder = tempFolder({ records: lines({ planned: ["a.test.ts", "b.test.ts", "c.test.ts"] }, record("b.test.ts")) });
  expect(readRecords(folder.at("records"))).toEqual({ files: [record("b.test.ts")], notRun: ["a.test.ts", "c.test.ts"], errors: 0 });
});

test("leaves out a record that was cut off", async () => {
  await using folder = tempFolder({ records: `${lines({ planned: ["a.test.ts"] }, record("a.test.ts"))}{"file":"b.te` });
  expect(readRecords(folder.at("records"))).toEqual({ files: [record("a.test.ts")], notRun: [], errors: 0 });
});

test("has no files where vitest did not start", async () => {
  await using folder = tempFolder();
  expect(readRecords(folder.at("records"))).toEqual({ files: [], notRun: [], errors: 0 });
});
